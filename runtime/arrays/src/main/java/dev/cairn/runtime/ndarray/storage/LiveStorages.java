package dev.cairn.runtime.ndarray.storage;

import dev.cairn.allocator.AllocationRequest;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.Owner;
import dev.cairn.allocator.source.SharedMemory;
import dev.cairn.kernels.device.Stream;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.ndarray.memory.ArrayDevice;
import dev.cairn.runtime.ndarray.memory.ArrayEngine;
import dev.cairn.runtime.ndarray.memory.HostPlace;
import dev.cairn.runtime.ndarray.memory.Workspaces;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The storages of a runtime: makes them, and lists those that arrays hold. Thread-safe. The list goes through the
 * storages themselves, so that it makes no garbage.
 */
public final class LiveStorages {
  private static final Logger LOG = LoggerFactory.getLogger(LiveStorages.class);
  private static final Owner CONSTANT = Owner.of("constant");
  private static final int MOST_NAMED = 10;
  /** Never started: it stands for the threads of the engine. */
  private static final Thread ANOTHER_THREAD = Thread.ofPlatform().unstarted(() -> {});

  private final ArrayEngine engine;
  private final ArrayDevice host;
  private final ConstantMemory constants = new ConstantMemory();
  private @Nullable ArrayStorage first;
  private int count;

  public LiveStorages(ArrayEngine engine, ArrayDevice host) {
    this.engine = engine;
    this.host = host;
  }

  public ArrayEngine engine() {
    return engine;
  }

  ArrayDevice host() {
    return host;
  }

  /**
   * Memory that an operation takes when it begins to write the array.
   *
   * @param place other memory of the host; null for the device's ordinary memory
   */
  public Hold own(ArrayDevice device, @Nullable HostPlace place, String operation, TensorType type) {
    return own(device, place, AllocationRequest.of(type.bytes(), ArrayStorage.origin(operation, type, engine.site())),
      type);
  }

  /** @param request its owner names operation, type and line */
  public Hold own(ArrayDevice device, @Nullable HostPlace place, AllocationRequest request, TensorType type) {
    requireSized(type);
    return listed(ArrayStorage.own(this, device, place, request), type);
  }

  /**
   * Memory of the caller.
   *
   * @param released called once, by any thread, after the last use
   */
  public Hold wrapped(MemorySegment memory, TensorType type, ArrayStorage.Access access, Runnable released) {
    requireUsable(memory, type);
    return listed(ArrayStorage.over(this, null, memory, ArrayStorage.origin("wrap", type, engine.site()), access,
      released), type);
  }

  /** Memory that a process of this user shares by this name. */
  public Hold shared(String name, TensorType type) {
    requireSized(type);
    SharedMemory.Mapping mapping = SharedMemory.open(name, type.bytes());
    try {
      ArrayStorage storage = ArrayStorage.over(this, host.places().shared(), mapping.segment(), ArrayStorage.origin(
        "openShared", type, engine.site()), ArrayStorage.Access.READ_AND_WRITE, mapping::close);
      storage.share(name);
      return listed(storage, type);
    } catch (RuntimeException | Error e) {
      mapping.close();
      throw e;
    }
  }

  /** A copy of a value that never changes. It is in no list, as it takes no memory of a device. */
  public Hold constant(TensorView value) {
    requireSized(value.type());
    return new Hold(ArrayStorage.over(this, null, constants.copyOf(value), CONSTANT, ArrayStorage.Access.CONSTANT,
      () -> {}), 0, value.type(), false);
  }

  /** No bytes, for an array that stands for a value of a graph. */
  public Hold sketched(ArrayDevice device, TensorType type) {
    return new Hold(ArrayStorage.sketched(this, device, type), 0, type, false);
  }

  /** Operations use the caller's memory without a copy, on threads of their own. */
  private static void requireUsable(MemorySegment memory, TensorType type) {
    int alignment = type.dtype().isPacked() ? 1 : type.dtype().bytes();
    if (!memory.isNative() || memory.byteSize() != type.bytes() || memory.address() % alignment != 0) {
      throw new IllegalArgumentException("not native memory of this size and alignment: type=%s bytes=%d memory=%s"
        .formatted(type, type.bytes(), memory));
    }
    if (!memory.isAccessibleBy(ANOTHER_THREAD)) {
      throw new IllegalArgumentException("memory belongs to a thread: use Arena.ofShared or ofAuto: memory=" + memory);
    }
  }

  private static void requireSized(TensorType type) {
    if (type.dtype() == DType.STRING) {
      throw new IllegalArgumentException("arrays cannot hold strings, but tensors can: type=" + type);
    }
  }

  private Hold listed(ArrayStorage storage, TensorType type) {
    add(storage);
    return new Hold(storage, 0, type, false);
  }

  /**
   * Temporary memory, as {@link Workspaces#take}.
   *
   * @throws OutOfMemory when there is none; its message names the arrays that hold the memory
   */
  public Workspaces.Space workspace(ArrayDevice device, long bytes, Stream stream) {
    try {
      return device.workspaces().take(bytes, stream);
    } catch (OutOfMemory refused) {
      throw refused.with(holders(device));
    }
  }

  private synchronized void add(ArrayStorage storage) {
    ArrayStorage next = first;
    storage.after = next;
    if (next != null) {
      next.before = storage;
    }
    storage.isListed = true;
    first = storage;
    count++;
  }

  synchronized void remove(ArrayStorage storage) {
    if (!storage.isListed) {
      return;
    }
    ArrayStorage left = storage.before;
    ArrayStorage right = storage.after;
    if (left == null) {
      first = right;
    } else {
      left.after = right;
    }
    if (right != null) {
      right.before = left;
    }
    storage.before = null;
    storage.after = null;
    storage.isListed = false;
    count--;
  }

  public synchronized int count() {
    return count;
  }

  /** All of them, the latest first. */
  synchronized List<ArrayStorage> all() {
    List<ArrayStorage> all = new ArrayList<>(count);
    for (ArrayStorage it = first; it != null; it = it.after) {
      all.add(it);
    }
    return all;
  }

  /**
   * Logs the storages that open arrays hold. Then drops all storages, also those that threads make meanwhile. All
   * operations must have ended.
   */
  public void dropAll() {
    List<ArrayStorage> left = all().stream().filter(ArrayStorage::isHeldByArrays).toList();
    if (!left.isEmpty()) {
      LOG.warn("arrays are still open: {}", describe(left));
    }
    RuntimeException failure = null;
    while (count() > 0) {
      for (ArrayStorage storage : all()) {
        try {
          storage.drop();
        } catch (RuntimeException e) {
          // What the program does when its memory is no longer used; the other arrays are dropped all the same.
          if (failure == null) {
            failure = e;
          } else {
            failure.addSuppressed(e);
          }
        }
      }
      Thread.onSpinWait();
    }
    if (failure != null) {
      throw failure;
    }
  }

  /** Which arrays hold a device's memory, the largest first: bytes, operation, type, and line if lines are noted. */
  String holders(ArrayDevice device) {
    List<ArrayStorage> holding = all().stream().filter(it -> it.device().equals(device) && it.holdsMemory())
      .sorted(Comparator.comparingLong(
        ArrayStorage::bytes).reversed())
      .toList();
    List<String> largest = holding.stream().limit(MOST_NAMED).map(it -> it.bytes() + " bytes of " + it).toList();
    String named = largest.isEmpty() ? "" : ", the largest: " + String.join(", ", largest);
    int closing = device.room().closing();
    return "%d arrays hold %d bytes%s".formatted(holding.size(), holding.stream().mapToLong(ArrayStorage::bytes).sum(),
      named)
      + (closing == 0
        ? ""
        : "; %d closed arrays hold theirs until their last calls have run: end the bulks that hold calls back"
          .formatted(
            closing));
  }

  /** Some storages for people. */
  static String describe(List<ArrayStorage> storages) {
    return "storages=%d bytes=%d latest=%s".formatted(storages.size(),
      storages.stream().mapToLong(ArrayStorage::bytes).sum(),
      storages.stream().limit(MOST_NAMED).toList());
  }
}
