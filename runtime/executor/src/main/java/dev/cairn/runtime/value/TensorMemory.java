package dev.cairn.runtime.value;

import dev.cairn.kernels.device.DeviceId;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.backend.LocatedView;
import dev.cairn.runtime.backend.Transfers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a tensor, the count of their present readers, and how they are returned. For Cairn's own packages; users
 * have tensors. A segment that a tensor gives out of an allocator's memory ends when the memory goes back: it has an
 * arena of its own, which the first call makes. Thread-safe.
 */
public final class TensorMemory {
  /** Never started: kernels read tensors on threads of their own, and this one stands for them. */
  private static final Thread ANOTHER_THREAD = Thread.ofPlatform().unstarted(() -> {});
  private static final int CLOSED = -1;
  /** Closed by a call that could not close another tensor; the call may be repeated. */
  private static final int CLOSED_WITH_OTHERS = -2;
  /** The bytes move at this moment; those who want to use or close the memory wait. */
  private static final int MOVING = -3;
  private static final long ALIGNMENT = 64;

  private volatile LocatedView located;
  private final Runnable release;
  private final boolean guarded;
  private final @Nullable OnDevice device;
  /** Runs that use the memory now, or one of the states above. */
  private final AtomicInteger uses = new AtomicInteger();
  /** Whether the owner was forgotten, so that the last use gives the memory back. */
  private volatile boolean isAbandoned;
  /** The scope of the segments given out; null as long as there are none. */
  private @Nullable Arena guard;
  private volatile @Nullable TensorView handedOut;
  /** Why the contents are gone: a move that failed midway. */
  private volatile @Nullable Throwable lost;

  /** Where bytes that the host cannot read are, and how they get to the host. */
  public record OnDevice(DeviceId id, Transfers transfers) {}

  private TensorMemory(LocatedView located, Runnable release, boolean guarded, @Nullable OnDevice device) {
    this.located = located;
    this.release = release;
    this.guarded = guarded;
    this.device = device;
  }

  /** The memory of a tensor, for a run to use. */
  public static TensorMemory of(Tensor tensor) {
    return tensor.memory();
  }

  /** Memory that the caller or the garbage collector keeps alive. */
  public static TensorMemory kept(TensorView view) {
    return new TensorMemory(LocatedView.onHost(view), () -> {}, false, null);
  }

  /** Memory of the garbage collector, of zeros, which {@code filler} fills first. */
  public static TensorMemory filled(TensorType type, Consumer<MemorySegment> filler) {
    requireNumbers(type);
    MemorySegment memory = Arena.ofAuto().allocate(type.bytes(), ALIGNMENT);
    filler.accept(memory);
    return kept(new TensorView(type, memory));
  }

  /** Memory of a caller, which keeps it alive. */
  static TensorMemory wrapped(MemorySegment memory, TensorType type) {
    requireNumbers(type);
    if (!memory.isNative()) {
      throw new IllegalArgumentException("not native memory: use Tensor.of for Java arrays: memory=" + memory);
    }
    if (!memory.isAccessibleBy(ANOTHER_THREAD)) {
      throw new IllegalArgumentException("memory belongs to a thread: use Arena.ofShared or ofAuto: memory=" + memory);
    }
    return kept(new TensorView(type, memory));
  }

  private static void requireNumbers(TensorType type) {
    if (type.dtype() == DType.STRING) {
      throw new IllegalArgumentException("strings lie on the heap: use Tensor.of(String[], long...): type=" + type);
    }
  }

  /** The host's memory, given back by {@code release}. */
  public static TensorMemory owned(LocatedView located, Runnable release) {
    return new TensorMemory(located, release, true, null);
  }

  /** A device's memory, given back by {@code release}. */
  public static TensorMemory owned(LocatedView located, Runnable release, OnDevice device) {
    return new TensorMemory(located, release, true, device);
  }

  /** A tensor over this memory; closing it gives the memory back. */
  public Tensor tensor() {
    return new Tensor(this);
  }

  TensorType type() {
    return located.view().type();
  }

  /** Where the bytes are. They may move, unless the caller keeps them in use. */
  public LocatedView located() {
    return located;
  }

  /** Copies the bytes of a tensor to another place. */
  @FunctionalInterface
  public interface Copy {
    /** Returns when the copy has ended. The ranges may overlap; the target then begins below the source. */
    void run(MemorySegment target, MemorySegment source);
  }

  /** Whether the bytes may move now: no run uses them, and no segment of them was handed out. */
  public boolean isMovable() {
    return uses.get() == 0 && handedOut == null && lost == null;
  }

  /**
   * Moves the bytes, which are then at the target. Returns false, and has moved nothing, if they are in use or closed,
   * or if a segment of them was handed out. If the copy fails, they stay where they are. If it fails and the ranges
   * overlap, the contents are lost: then every later use of the tensor throws, and it can still be closed.
   */
  public boolean move(MemorySegment target, Copy copy) {
    if (!uses.compareAndSet(0, MOVING)) {
      return false;
    }
    // Those who find the memory moving wait for this lock. A thread that has it downloads the bytes, and is let finish.
    synchronized (this) {
      try {
        if (handedOut != null || lost != null) {
          return false;
        }
        LocatedView from = located;
        MemorySegment source = from.view().segment();
        boolean done = false;
        try {
          copy.run(target, source);
          done = true;
        } catch (RuntimeException | Error e) {
          lost = Math.abs(target.address() - source.address()) < source.byteSize() ? e : null;
          throw e;
        } finally {
          if (done) {
            located = new LocatedView(new TensorView(from.view().type(), target), from.location());
          }
        }
        return true;
      } finally {
        uses.set(0);
      }
    }
  }

  /** The state, as soon as the bytes do not move. */
  private int settledUses() {
    int state = uses.get();
    while (state == MOVING) {
      synchronized (this) {
        state = uses.get();
      }
    }
    return state;
  }

  /** For the host: the bytes where they lie or, of a device's memory, a copy that is made once. */
  TensorView view() {
    if (settledUses() < 0) {
      throw closed();
    }
    return guarded ? handOut() : located.view();
  }

  /** Lets a function read the bytes for as long as the call takes; see {@link #view}. */
  public <T> T read(Function<MemorySegment, T> reader) {
    if (device != null) {
      return reader.apply(view().segment());
    }
    // The read counts as a use, so that the memory is not closed meanwhile. Then no segment has to end with the read.
    begin();
    try {
      return reader.apply(located.view().segment());
    } finally {
      endUse();
    }
  }

  private synchronized TensorView handOut() {
    // A move cannot have begun without the lock, and does not begin once a segment is handed out.
    int state = uses.get();
    if (state < 0 && state != MOVING) {
      throw closed();
    }
    requireContents();
    TensorView known = handedOut;
    if (known == null) {
      Arena arena = Arena.ofShared();
      guard = arena;
      known = new TensorView(type(), device == null
        ? located.view().segment().reinterpret(arena, null)
        : download(device, arena));
      handedOut = known;
    }
    return known;
  }

  private MemorySegment download(OnDevice from, Arena arena) {
    MemorySegment copy = arena.allocate(type().bytes(), ALIGNMENT);
    from.transfers().download(copy, located.view().segment());
    return copy;
  }

  private void requireContents() {
    Throwable why = lost;
    if (why != null) {
      throw new IllegalStateException("the contents are lost, since a copy on the device failed: type=" + type(), why);
    }
  }

  private IllegalStateException closed() {
    return new IllegalStateException("tensor is closed: type=" + type());
  }

  /**
   * Keeps the memory from being given back until {@link #endUse}.
   *
   * @param reader which device reads it; memory of another device comes as the host's copy
   */
  public LocatedView beginUse(DeviceId reader) {
    if (device == null || !device.id().equals(reader)) {
      return beginUseOnHost();
    }
    begin();
    return located;
  }

  /** Like {@link #beginUse}, for the host. */
  public LocatedView beginUseOnHost() {
    begin();
    boolean done = false;
    try {
      LocatedView bytes = device == null ? located : LocatedView.onHost(view());
      done = true;
      return bytes;
    } finally {
      if (!done) {
        endUse();
      }
    }
  }

  private void begin() {
    int state;
    do {
      state = settledUses();
      if (state < 0) {
        throw closed();
      }
    } while (!uses.compareAndSet(state, state + 1));
    boolean isThere = false;
    try {
      requireContents();
      isThere = true;
    } finally {
      if (!isThere) {
        endUse();
      }
    }
  }

  public void endUse() {
    if (uses.decrementAndGet() == 0 && isAbandoned) {
      closeAbandoned();
    }
  }

  /** Gives the memory back now or, where something uses it, with the end of the last use. */
  void abandon() {
    isAbandoned = true;
    closeAbandoned();
  }

  private void closeAbandoned() {
    if (retire()) {
      endSegments();
      release.run();
    }
  }

  /**
   * Keeps all of these from being given back until {@link #endUse}, or none.
   *
   * @throws IllegalStateException when one is closed
   */
  public static void holdAll(List<TensorMemory> memories) {
    int held = 0;
    try {
      for (; held < memories.size(); held++) {
        memories.get(held).begin();
      }
    } catch (IllegalStateException e) {
      memories.subList(0, held).forEach(TensorMemory::endUse);
      throw e;
    }
  }

  /**
   * Closes all of these. If a run uses one, or one is closed already, closes none. If a caller reads a segment of one
   * at this moment, closes the others; then the call may be repeated for all. If the memory of one cannot be given
   * back, closes all.
   *
   * @throws Ownership.Refused when one is closed already, or a run uses it, or a caller reads a segment of it
   */
  static void closeAll(Collection<TensorMemory> memories) {
    List<TensorMemory> retired = new ArrayList<>();
    for (TensorMemory memory : memories) {
      if (!memory.retire() && memory.uses.get() != CLOSED_WITH_OTHERS) {
        String why = memory.uses.get() == CLOSED
          ? "closed twice"
          : "a run reads it now, or a buffer of it is not released";
        retired.forEach(it -> it.uses.compareAndSet(CLOSED, 0));
        throw new Ownership.Refused("tensor cannot be closed: %s: type=%s".formatted(why, memory.type()));
      }
      retired.add(memory);
    }
    Ownership.Refused refused = null;
    Throwable failure = null;
    List<TensorMemory> closed = new ArrayList<>();
    for (TensorMemory memory : retired) {
      boolean isNew = memory.uses.get() == CLOSED;
      try {
        memory.endSegments();
      } catch (IllegalStateException e) {
        memory.uses.set(0);
        refused = new Ownership.Refused(String.valueOf(e.getMessage()), e);
        continue;
      }
      closed.add(memory);
      try {
        if (isNew) {
          memory.release.run();
        }
      } catch (RuntimeException | Error e) {
        failure = failure == null ? e : with(failure, e);
      }
    }
    int state = refused == null ? CLOSED : CLOSED_WITH_OTHERS;
    closed.forEach(it -> it.uses.set(state));
    if (refused != null) {
      throw failure == null ? refused : with(refused, failure);
    }
    switch (failure) {
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      case null, default -> {}
    }
  }

  /** Whether the memory is closed by this call: nothing uses it. */
  private boolean retire() {
    int state;
    do {
      state = settledUses();
    } while (state == 0 && !uses.compareAndSet(0, CLOSED));
    return state == 0;
  }

  @SuppressWarnings("ReferenceEquality") // an exception cannot suppress itself
  private static <T extends Throwable> T with(T failure, Throwable further) {
    if (failure != further) {
      failure.addSuppressed(further);
    }
    return failure;
  }

  private synchronized void endSegments() {
    Arena arena = guard;
    if (arena != null) {
      arena.close();
      guard = null;
      handedOut = null;
    }
  }
}
