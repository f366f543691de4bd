package dev.cairn.runtime.executor;

import dev.cairn.allocator.Alignment;
import dev.cairn.allocator.Allocator;
import dev.cairn.allocator.Block;
import dev.cairn.kernels.device.Stream;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.backend.Transfers;
import dev.cairn.runtime.compile.CompiledGraph;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * Inputs and outputs by way of pinned memory, at addresses that never change. All inputs lie one after the other, in
 * pinned memory as on the device, so that one copy brings them all. Not thread-safe. Owns the memory, unless made by
 * {@link #within}.
 *
 * <pre>
 *   caller ─ fill ─► pinned ─ one copy ─► device ─ kernels ─► pools ─ a copy for each ─► pinned ─► caller
 * </pre>
 */
final class PinnedStaging implements Staging, AutoCloseable {
  private static final long ALIGNMENT = 256;

  private final Transfers transfers;
  private final Allocator allocator;
  private final Block deviceBlock;
  private final Block pinnedBlock;
  private final boolean owned;
  private final MemorySegment pinnedInputs;
  private final MemorySegment deviceInputs;
  private final List<TensorView> given;
  private final List<TensorView> inputs;
  private final List<TensorView> outputs;
  private List<TensorView> results = List.of();

  /**
   * @param allocator of the device's memory
   * @throws dev.cairn.allocator.OutOfMemory when it does not fit; nothing is held then
   */
  PinnedStaging(CompiledGraph graph, Transfers transfers, Allocator allocator) {
    this(graph, transfers, allocator, allocator.allocate(inputBytes(graph), "inputs"));
  }

  private PinnedStaging(CompiledGraph graph, Transfers transfers, Allocator allocator, Block deviceBlock) {
    this(graph, transfers, allocator, deviceBlock, pinned(graph, transfers, allocator, deviceBlock), true);
  }

  private static Block pinned(CompiledGraph graph, Transfers transfers, Allocator allocator, Block deviceBlock) {
    try {
      return transfers.staging().allocate(inputBytes(graph) + laidBytes(outputTypes(graph)), "staging");
    } catch (RuntimeException | Error e) {
      allocator.free(deviceBlock);
      throw e;
    }
  }

  private PinnedStaging(CompiledGraph graph, Transfers transfers, Allocator allocator, Block deviceBlock,
    Block pinnedBlock, boolean owned) {
    this.transfers = transfers;
    this.allocator = allocator;
    this.deviceBlock = deviceBlock;
    this.pinnedBlock = pinnedBlock;
    this.owned = owned;
    long inputBytes = inputBytes(graph);
    MemorySegment pinned = pinnedBlock.segment();
    this.pinnedInputs = pinned.asSlice(0, inputBytes);
    this.deviceInputs = transfers.segment(deviceBlock).asSlice(0, inputBytes);
    this.given = laid(inputTypes(graph), pinnedInputs);
    this.inputs = laid(inputTypes(graph), deviceInputs);
    this.outputs = laid(outputTypes(graph), pinned.asSlice(inputBytes));
  }

  /**
   * For smaller shapes, in this one's memory, which it keeps.
   *
   * @throws IllegalArgumentException when they do not fit there
   */
  PinnedStaging within(CompiledGraph smaller) {
    long wantedBytes = inputBytes(smaller) + laidBytes(outputTypes(smaller));
    if (inputBytes(smaller) > deviceBlock.requestedBytes() || wantedBytes > pinnedBlock.requestedBytes()) {
      throw new IllegalArgumentException("inputs and outputs are larger than those of the largest shapes: "
        + "wantedBytes=%d bytes=%d".formatted(wantedBytes, pinnedBlock.requestedBytes()));
    }
    return new PinnedStaging(smaller, transfers, allocator, deviceBlock, pinnedBlock, false);
  }

  private static List<TensorType> inputTypes(CompiledGraph graph) {
    return graph.graph().graph().inputs().stream().map(node -> graph.types().type(node.entry())).toList();
  }

  private static List<TensorType> outputTypes(CompiledGraph graph) {
    return graph.graph().graph().outputs().stream().map(output -> graph.types().type(output.entry())).toList();
  }

  private static long inputBytes(CompiledGraph graph) {
    return laidBytes(inputTypes(graph));
  }

  private static long laidBytes(List<TensorType> types) {
    return types.stream().mapToLong(type -> Alignment.up(type.bytes(), ALIGNMENT)).sum();
  }

  private static List<TensorView> laid(List<TensorType> types, MemorySegment memory) {
    List<TensorView> views = new ArrayList<>();
    long offset = 0;
    for (TensorType type : types) {
      views.add(new TensorView(type, memory.asSlice(offset, type.bytes())));
      offset += Alignment.up(type.bytes(), ALIGNMENT);
    }
    return List.copyOf(views);
  }

  /** The inputs on the device, in the graph's order. */
  List<TensorView> inputs() {
    return inputs;
  }

  /** One output of the last run, for the host. */
  TensorView output(int index) {
    return outputs.get(index);
  }

  /** Where the kernels leave the outputs; said once, before the first run. */
  void bindResults(List<TensorView> onDevice) {
    results = onDevice;
  }

  /** Copies the caller's inputs, which are free again when this returns. */
  void fill(List<TensorView> from) {
    for (int i = 0; i < given.size(); i++) {
      given.get(i).segment().copyFrom(from.get(i).segment());
    }
  }

  @Override
  public boolean isNeeded() {
    return true;
  }

  @Override
  public void enqueueUploads(Stream stream) {
    if (pinnedInputs.byteSize() > 0) {
      transfers.enqueueUpload(stream, deviceInputs, pinnedInputs);
    }
  }

  @Override
  public void enqueueDownloads(Stream stream) {
    for (int i = 0; i < results.size(); i++) {
      transfers.enqueueDownload(stream, outputs.get(i).segment(), results.get(i).segment());
    }
  }

  @Override
  public void close() {
    if (owned) {
      allocator.free(deviceBlock);
      transfers.staging().free(pinnedBlock);
    }
  }
}
