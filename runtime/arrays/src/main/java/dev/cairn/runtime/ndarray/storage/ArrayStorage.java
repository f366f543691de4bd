package dev.cairn.runtime.ndarray.storage;

import dev.cairn.allocator.AllocationRequest;
import dev.cairn.allocator.Block;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.Owner;
import dev.cairn.kernels.device.Stream;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.engine.queue.Variable;
import dev.cairn.runtime.ndarray.memory.ArrayDevice;
import dev.cairn.runtime.ndarray.memory.ArrayEngine;
import dev.cairn.runtime.ndarray.memory.CallSite;
import dev.cairn.runtime.ndarray.memory.HostPlace;
import dev.cairn.runtime.ndarray.memory.HostPlaces;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Bytes that arrays share: memory, an engine variable, and how many arrays hold them. The first operation that
 * writes takes memory; it goes back after all uses when the last array and the last {@code HeldArray} are closed.
 * Closing the runtime closes arrays; a {@code HeldArray} stays open. Operations reach the memory only in the order of
 * the variable.
 */
public final class ArrayStorage implements Runnable {
  private static final AtomicIntegerFieldUpdater<ArrayStorage> WRITES = AtomicIntegerFieldUpdater.newUpdater(
    ArrayStorage.class, "writes");
  private static final AtomicLongFieldUpdater<ArrayStorage> HOLDERS = AtomicLongFieldUpdater.newUpdater(
    ArrayStorage.class, "holders");

  /** One {@code HeldArray} among the holders. The bits below count arrays. */
  private static final long HELD = 1L << 32;
  /** Added to the holders when arrays end, so that their number is negative from then on. */
  private static final long DROPPED = Long.MIN_VALUE;

  private final LiveStorages live;
  private final ArrayDevice device;
  private final @Nullable HostPlace hostPlace;
  /** By which another process shares the bytes with this one. */
  private @Nullable String sharedName;
  private final Variable variable;
  private final Access access;
  /** Whether its owner sees the bytes without an array: another process, or the caller whose memory it is. */
  private boolean isForeign;
  private volatile boolean isGradient;
  /** What it asks of the allocator; names the operator or function that made it, its type, and the line if noted. */
  private final AllocationRequest request;
  /** What it may take of the limit of memory; zero without a limit. */
  private long promised;
  /** Bytes of values that the program copied into it. */
  private long copied;
  /** How many arrays hold the bytes, and {@link #HELD} for each open {@code HeldArray}. */
  private volatile long holders = 1;
  /** How many operations that write were pushed. */
  private volatile int writes;
  /** Where an array over these bytes stands for gradients; the first that is on a tape. */
  private volatile @Nullable GradientPlace place;
  private @Nullable Block block;
  private @Nullable MemorySegment memory;
  /** All of the memory as an array; any thread that reads may make it. */
  private @Nullable TensorView whole;
  /** For memory of the caller: runs when the memory is not used any more. */
  private final Runnable released;
  // Neighbours in the list of live storages, whose lock guards what is written here.
  @Nullable
  ArrayStorage before;
  @Nullable
  ArrayStorage after;
  volatile boolean isListed;

  private ArrayStorage(LiveStorages live, ArrayDevice device, @Nullable HostPlace hostPlace, AllocationRequest request,
    Access access, Runnable released) {
    this.live = live;
    this.device = device;
    this.hostPlace = hostPlace;
    this.request = request;
    this.access = access;
    this.released = released;
    this.variable = engine().engine().newVariable(request.owner().operator());
    this.memory = request.bytes() == 0 ? MemorySegment.NULL : null;
  }

  /** What arrays may do with memory. */
  public enum Access {
    READ_AND_WRITE,
    READ,
    /** It is never written. */
    CONSTANT,
    /** There is no memory. */
    NONE
  }

  /**
   * Who made an array.
   *
   * @param operation the operator or function
   * @param type the first array's type
   * @param site the line of the call, if lines are noted
   */
  public static Owner origin(String operation, Object type, @Nullable String site) {
    return new Owner(operation, site == null ? "" : site, type.toString());
  }

  /** The storages of the runtime. */
  public LiveStorages live() {
    return live;
  }

  /** The engine that orders the uses of the bytes. */
  public ArrayEngine engine() {
    return live.engine();
  }

  /** Where operations use the bytes. */
  public ArrayDevice device() {
    return device;
  }

  /** Memory of the host in which the bytes lie; null for the device's ordinary memory. */
  public @Nullable HostPlace hostPlace() {
    return hostPlace;
  }

  public Variable variable() {
    return variable;
  }

  public boolean isReadOnly() {
    return access != Access.READ_AND_WRITE;
  }

  /** Whether the bytes never change, and are known to the runtime before anything runs. */
  public boolean isConstant() {
    return access == Access.CONSTANT;
  }

  /** Whether there are no bytes, because arrays over it stand for values of a graph. */
  public boolean isSketched() {
    return access == Access.NONE;
  }

  /** Whether it holds a gradient that a backward writes. */
  public boolean isGradient() {
    return isGradient;
  }

  /** From now on it holds a gradient that a backward writes. */
  public void becomeGradient() {
    isGradient = true;
  }

  public long bytes() {
    return request.bytes();
  }

  Owner origin() {
    return request.owner();
  }

  /** Bytes of the runtime's own memory. Waits where closed arrays must give memory back first. */
  static ArrayStorage own(LiveStorages live, ArrayDevice device, @Nullable HostPlace place, AllocationRequest request) {
    long promised = place == null ? device.room().promise(request.bytes(), live.engine()) : 0;
    var storage = new ArrayStorage(live, device, place, request, Access.READ_AND_WRITE, () -> {});
    storage.promised = promised;
    return storage;
  }

  /**
   * A storage over memory of the host that another owner keeps alive.
   *
   * @param place where the memory lies; null for ordinary memory
   * @param released runs when the memory is not used any more
   */
  static ArrayStorage over(LiveStorages live, @Nullable HostPlace place, MemorySegment memory, Owner origin,
    Access access, Runnable released) {
    var storage = new ArrayStorage(live, live.host(), place, AllocationRequest.of(memory.byteSize(), origin), access,
      released);
    storage.memory = memory;
    storage.isForeign = true;
    return storage;
  }

  /** No bytes, for an array that stands for a value of a graph. */
  static ArrayStorage sketched(LiveStorages live, ArrayDevice device, Object type) {
    return new ArrayStorage(live, device, null, AllocationRequest.of(0, origin("sketch", type, null)), Access.NONE,
      () -> {});
  }

  /** Notes that an operation that writes is pushed. */
  public void countWrite() {
    WRITES.incrementAndGet(this);
  }

  /** The engine has refused such an operation. */
  public void uncountWrite() {
    WRITES.decrementAndGet(this);
  }

  public int writes() {
    return writes;
  }

  /** An array over these bytes has a place on a tape. */
  void placed(GradientPlace next) {
    GradientPlace before = place;
    if (before == null || !before.isOnTape()) {
      place = next;
    }
  }

  /** Whether an array over these bytes is on a tape. */
  public boolean isOnTape() {
    GradientPlace known = place;
    return known != null && known.isOnTape();
  }

  /** @throws IllegalStateException when there are no bytes */
  public void requireValues(String what) {
    if (isSketched()) {
      throw new IllegalStateException("the array stands for a value of a graph that is being sketched, so it has no "
        + "elements yet: operation=%s array=%s at=%s; ask for its type only".formatted(what, origin().shape(),
          CallSite.capture()));
    }
  }

  /**
   * The memory, taken now if it is not there yet. Only for an operation that writes, in its turn.
   *
   * @param stream that is given the operation, null for none: on a GPU, memory that was freed on it serves at once
   * @throws dev.cairn.allocator.OutOfMemory when there is none
   */
  MemorySegment take(@Nullable Stream stream) {
    MemorySegment there = memory;
    if (there != null) {
      return there;
    }
    HostPlace in = hostPlace;
    Block taken;
    if (in != null) {
      taken = in.allocator().allocate(request);
    } else {
      try {
        taken = stream == null || device.isHost() ? device.allocate(request) : device.allocate(request, stream);
      } catch (OutOfMemory refused) {
        throw refused.with(live.holders(device));
      }
    }
    block = taken;
    there = device.segment(taken);
    memory = there;
    return there;
  }

  /** Like {@link #take}, for values of the program, before anything uses the array. */
  public void copy(MemorySegment values) {
    take(null).copyFrom(values);
    copied = bytes();
  }

  /** Other processes share the bytes by this name. */
  void share(String name) {
    sharedName = name;
  }

  /** The name of the memory as users write it: {@code cpu}, {@code cpu_shared}, {@code cuda:0}. */
  public String placeName() {
    HostPlace in = hostPlace;
    return in == null ? device.name() : in.name();
  }

  /** Whether the bytes may be held when the runtime is closed. */
  public boolean outlivesRuntime() {
    HostPlace in = hostPlace;
    return device.isHost() && (in == null || !in.isPageLocked());
  }

  /** The name of the computed bytes for other processes. @throws IllegalStateException when they are not shared */
  public String sharedName() {
    HostPlace in = hostPlace;
    if (in == null || !in.name().equals(HostPlaces.SHARED)) {
      throw new IllegalStateException("no shared memory: array=%s place=%s; move it with to(\"cpu_shared\")".formatted(
        this, placeName()));
    }
    String known = sharedName;
    return known == null ? device.places().sharedName(memory().address()) : known;
  }

  /** Whether the bytes are seen without an array: another process shares them, or they are memory of the caller. */
  public boolean isSeenFromOutside() {
    return isForeign || hostPlace != null;
  }

  /** Whether only operations that were pushed before can still see the bytes: all arrays are closed. */
  public boolean isForgotten() {
    long now = holders;
    return now < 0 && hasNoHold(now - DROPPED) && !isSeenFromOutside();
  }

  /** For reports: operations may take memory, or give it back, meanwhile. */
  public boolean holdsMemory() {
    return block != null;
  }

  /** The memory, which an earlier operation has taken. */
  MemorySegment memory() {
    MemorySegment there = memory;
    if (there == null) {
      throw new AssertionError("read before it was written: " + this);
    }
    return there;
  }

  /** An array in the memory, at an offset in bytes. */
  TensorView view(long offset, TensorType type, MemorySegment in) {
    long length = type.bytes();
    if (offset != 0 || length != request.bytes()) {
      return new TensorView(type, in.asSlice(offset, length));
    }
    TensorView known = whole;
    if (known == null || !known.type().equals(type)) {
      known = new TensorView(type, in);
      whole = known;
    }
    return known;
  }

  /** One more array holds the bytes. @throws IllegalStateException when none did */
  public void retain() {
    add(1);
  }

  /** One array less holds the bytes; the last holder's end gives the memory back after all uses so far. */
  public void release() {
    if (HOLDERS.decrementAndGet(this) == 0) {
      drop();
    }
  }

  /** Keeps the memory until {@link #endHold}, also when the runtime closes. @throws IllegalStateException as above */
  public void hold() {
    add(HELD);
  }

  /** Ends a {@link #hold}. */
  public void endHold() {
    long left = HOLDERS.addAndGet(this, -HELD);
    if (left == 0) {
      drop();
    } else if (left < 0 && hasNoHold(left - DROPPED)) {
      // The runtime is closed and its engine with it: no operation uses the memory any more.
      delete();
    }
  }

  private static boolean hasNoHold(long holders) {
    return holders < HELD;
  }

  private void add(long more) {
    long now = holders;
    while (now > 0 && !HOLDERS.compareAndSet(this, now, now + more)) {
      now = holders;
    }
    if (now <= 0) {
      engine().require("view");
      throw Refusals.closed("view", this, null);
    }
  }

  /** Whether an array is open, and not only a {@code HeldArray}. */
  boolean isHeldByArrays() {
    return holders % HELD > 0;
  }

  /** Ends all arrays. Gives the memory back after all uses so far, or at the end of the last {@code HeldArray}. */
  public void drop() {
    long now = holders;
    if (!isListed || now < 0) {
      return;
    }
    while (!HOLDERS.compareAndSet(this, now, now + DROPPED)) {
      now = holders;
      if (now < 0) {
        return;
      }
    }
    try {
      if (hasNoHold(now)) {
        delete();
      }
    } finally {
      // Last: who closes the runtime waits until nothing is listed.
      live.remove(this);
    }
  }

  private void delete() {
    device.room().closes(promised, copied);
    try {
      if (device.isHost()) {
        engine().engine().deleteVariable(variable, this);
      } else {
        // Where the operations are that take memory, so that memory goes back before the next one of them begins.
        engine().engine().deleteBehindStreams(variable, device.place(),
          uses -> giveBack(it -> device.free(it, uses)));
      }
    } catch (IllegalStateException e) {
      // The variable is deleted all the same, but the operations that this thread held back are refused.
      throw engine().refused("close", e);
    }
  }

  /** For the engine, after all uses: gives memory of the host back. */
  @Override
  public void run() {
    HostPlace in = hostPlace;
    giveBack(in == null ? device::free : in.allocator()::free);
  }

  private void giveBack(Consumer<Block> free) {
    Block taken = block;
    memory = null;
    whole = null;
    block = null;
    try {
      if (taken != null) {
        free.accept(taken);
      }
    } finally {
      device.room().givenBack(promised, copied);
    }
    released.run();
  }

  @Override
  public String toString() {
    Owner origin = origin();
    return "%s %s%s".formatted(origin.operator(), origin.shape(), origin.tensor().isEmpty()
      ? ""
      : " at " + origin.tensor());
  }
}
