package dev.cairn.runtime.executor;

import dev.cairn.allocator.Allocator;
import dev.cairn.allocator.Block;
import dev.cairn.kernels.device.Stream;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.backend.LocatedView;
import dev.cairn.runtime.backend.Location;
import dev.cairn.runtime.backend.Transfers;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.trace.RunObserver;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Inputs and outputs of a run on a GPU. Small ones go by way of page-locked memory at addresses that never change: one
 * copy brings all small inputs, and a recording of the run holds these copies. A large output is copied from the device
 * straight to its result, and a large input from the caller's tensor, where these are page-locked. What lies on the
 * device already, or is to stay there, is copied on the device; a run with such a tensor records its steps alone. Not
 * thread-safe. Owns its memory, unless made by {@link #within}.
 *
 * <pre>
 *   small inputs ─► page-locked ─ one copy ─► device ─ kernels ─► pools ─ a copy each ─► page-locked ─► results
 *   large inputs, page-locked ─ a copy each ─► device ─ kernels ─► pools ─ a copy each ─► results, page-locked
 * </pre>
 */
final class PinnedStaging implements AutoCloseable {
  private final Transfers transfers;
  private final Allocator allocator;
  private final Block deviceBlock;
  private final Block pinnedBlock;
  private final boolean owned;
  private final StagingLayout layout;
  private final MemorySegment pinned;
  private final MemorySegment device;
  private final List<TensorView> inputs;
  /** Where the kernels leave the outputs. */
  private List<TensorView> onDevice = List.of();
  private List<LocatedView> given = List.of();
  private List<LocatedView> results = List.of();

  /**
   * @param allocator of the device's memory
   * @throws dev.cairn.allocator.OutOfMemory when it does not fit; nothing is held then
   */
  PinnedStaging(CompiledGraph graph, Transfers transfers, Allocator allocator) {
    this(StagingLayout.of(graph), transfers, allocator);
  }

  private PinnedStaging(StagingLayout layout, Transfers transfers, Allocator allocator) {
    this(layout, transfers, allocator, allocator.allocate(layout.inputBytes(), "inputs"));
  }

  private PinnedStaging(StagingLayout layout, Transfers transfers, Allocator allocator, Block deviceBlock) {
    this(layout, transfers, allocator, deviceBlock, pinned(layout, transfers, allocator, deviceBlock), true);
  }

  private static Block pinned(StagingLayout layout, Transfers transfers, Allocator allocator, Block deviceBlock) {
    try {
      return transfers.staging().allocate(layout.pinnedBytes(), "staging");
    } catch (RuntimeException | Error e) {
      allocator.free(deviceBlock);
      throw e;
    }
  }

  private PinnedStaging(StagingLayout layout, Transfers transfers, Allocator allocator, Block deviceBlock,
    Block pinnedBlock, boolean owned) {
    this.transfers = transfers;
    this.allocator = allocator;
    this.deviceBlock = deviceBlock;
    this.pinnedBlock = pinnedBlock;
    this.owned = owned;
    this.layout = layout;
    this.pinned = pinnedBlock.segment();
    this.device = transfers.segment(deviceBlock);
    this.inputs = layout.inputs().stream().map(it -> new TensorView(it.type(), it.in(device))).toList();
  }

  /**
   * For smaller shapes, in this one's memory, which it keeps.
   *
   * @throws IllegalArgumentException when they do not fit there
   */
  PinnedStaging within(CompiledGraph smaller) {
    var wanted = StagingLayout.of(smaller);
    if (wanted.inputBytes() > deviceBlock.requestedBytes() || wanted.pinnedBytes() > pinnedBlock.requestedBytes()) {
      throw new IllegalArgumentException("inputs and outputs are larger than those of the largest shapes: "
        + "wantedBytes=%d bytes=%d".formatted(wanted.pinnedBytes(), pinnedBlock.requestedBytes()));
    }
    return new PinnedStaging(wanted, transfers, allocator, deviceBlock, pinnedBlock, false);
  }

  /** The inputs on the device, in the graph's order. */
  List<TensorView> inputs() {
    return inputs;
  }

  /** Where the kernels leave the outputs; said once, before the first run. */
  void bindOutputs(List<TensorView> outputs) {
    onDevice = outputs;
  }

  /** Gives the next run its tensors; copies the inputs that have to be staged. */
  void bind(List<LocatedView> newInputs, List<LocatedView> newResults) {
    given = newInputs;
    results = newResults;
    for (int i = 0; i < given.size(); i++) {
      if (isStaged(i)) {
        layout.inputs().get(i).in(pinned).copyFrom(given.get(i).view().segment());
      }
    }
  }

  /** Lets go of the last run's tensors. */
  void unbind() {
    given = List.of();
    results = List.of();
  }

  private boolean isStaged(int input) {
    LocatedView from = given.get(input);
    return !from.isOnDevice() && (from.location() == Location.PAGEABLE || layout.inputs().get(input).isSmall());
  }

  private boolean isAnySmallStaged() {
    for (int i = 0; i < given.size(); i++) {
      if (isStaged(i) && layout.inputs().get(i).isSmall()) {
        return true;
      }
    }
    return false;
  }

  /** Whether a tensor of this run is on the device: then no copy is the same in every run. */
  boolean isOnDevice() {
    return isAnyOnDevice(given) || isAnyOnDevice(results);
  }

  private static boolean isAnyOnDevice(List<LocatedView> views) {
    for (int i = 0; i < views.size(); i++) {
      if (views.get(i).isOnDevice()) {
        return true;
      }
    }
    return false;
  }

  /**
   * The copies of a run, for a runner.
   *
   * @param recorded whether those of small tensors are the same in every run
   */
  Staging copies(boolean recorded) {
    return new Copies(recorded);
  }

  private final class Copies implements Staging {
    private final boolean recorded;

    Copies(boolean recorded) {
      this.recorded = recorded;
    }

    @Override
    public boolean isNeeded() {
      return true;
    }

    @Override
    public void enqueueInputs(Stream stream) {
      if (!recorded && isAnySmallStaged()) {
        uploadSmall(stream);
      }
      for (int i = 0; i < given.size(); i++) {
        MemorySegment target = inputs.get(i).segment();
        MemorySegment source = given.get(i).view().segment();
        if (given.get(i).isOnDevice()) {
          transfers.enqueueCopy(stream, target, source);
        } else if (!layout.inputs().get(i).isSmall()) {
          transfers.enqueueUpload(stream, target, isStaged(i) ? layout.inputs().get(i).in(pinned) : source);
        }
      }
    }

    @Override
    public void enqueueUploads(Stream stream) {
      if (recorded) {
        uploadSmall(stream);
      }
    }

    private void uploadSmall(Stream stream) {
      long bytes = layout.smallInputBytes();
      if (bytes > 0) {
        transfers.enqueueUpload(stream, device.asSlice(0, bytes), pinned.asSlice(0, bytes));
      }
    }

    @Override
    public void enqueueDownloads(Stream stream) {
      if (recorded) {
        for (int i = 0; i < onDevice.size(); i++) {
          if (layout.outputs().get(i).isSmall()) {
            downloadSmall(stream, i);
          }
        }
      }
    }

    private void downloadSmall(Stream stream, int output) {
      transfers.enqueueDownload(stream, layout.outputs().get(output).in(pinned), onDevice.get(output).segment());
    }

    @Override
    public void enqueueResults(Stream stream, RunObserver observer) {
      boolean isHeard = !observer.equals(RunObserver.NONE);
      for (int i = 0; i < results.size(); i++) {
        boolean isDirect = isDirect(i);
        if (isDirect && isHeard) {
          observer.copyBegan(i);
        }
        enqueueResult(stream, i);
        if (isDirect && isHeard) {
          stream.synchronize();
          observer.copyEnded(i);
        }
      }
    }

    private void enqueueResult(Stream stream, int output) {
      MemorySegment source = onDevice.get(output).segment();
      MemorySegment target = results.get(output).view().segment();
      if (results.get(output).isOnDevice()) {
        transfers.enqueueCopy(stream, target, source);
      } else if (isDirect(output)) {
        transfers.enqueueDownload(stream, target, source);
      } else if (!recorded && layout.outputs().get(output).isSmall()) {
        downloadSmall(stream, output);
      }
    }
  }

  /** Whether an output goes to its result in one copy from the device. */
  private boolean isDirect(int output) {
    return switch (results.get(output).location()) {
      case DEVICE -> true;
      case PAGE_LOCKED -> !layout.outputs().get(output).isSmall();
      case PAGEABLE -> false;
    };
  }

  /** Fills the results that were not copied straight from the device; the run has ended. */
  void finish(RunObserver observer) {
    for (int i = 0; i < results.size(); i++) {
      if (!isDirect(i)) {
        observer.copyBegan(i);
        MemorySegment target = results.get(i).view().segment();
        if (layout.outputs().get(i).isSmall()) {
          target.copyFrom(layout.outputs().get(i).in(pinned));
        } else {
          transfers.download(target, onDevice.get(i).segment());
        }
        observer.copyEnded(i);
      }
    }
  }

  @Override
  public void close() {
    if (owned) {
      try {
        allocator.free(deviceBlock);
      } finally {
        transfers.staging().free(pinnedBlock);
      }
    }
  }
}
