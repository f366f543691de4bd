package dev.cairn.kernels.onednn;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Owns handles of oneDNN: whatever is created in it is destroyed when it is closed, the last one first. Not
 * thread-safe.
 */
final class NativeScope implements AutoCloseable {
  private static final String CREATE = "_create";

  /** More than the addresses and numbers of any call take. */
  private static final long ROOM_BYTES = 4096;
  /** Arguments that are handed over by address, during one call. */
  private static final ThreadLocal<MemorySegment> ROOM = ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(
    ROOM_BYTES, Long.BYTES));

  private final OneDnnCalls calls;
  private final Deque<Owned> owned;

  private record Owned(String destroyer, long handle) {}

  NativeScope(OneDnnCalls calls) {
    this(calls, new ArrayDeque<>());
  }

  private NativeScope(OneDnnCalls calls, Deque<Owned> owned) {
    this.calls = calls;
    this.owned = owned;
  }

  /** A view of this scope that creates handles through other calls: those for another number of threads. */
  NativeScope with(OneDnnCalls other) {
    return new NativeScope(other, owned);
  }

  OneDnnCalls calls() {
    return calls;
  }

  /**
   * Calls a function that creates something.
   *
   * @param kind what is created: {@code dnnl_<kind>_destroy} destroys it
   * @param function whose first argument is where the handle is written
   * @param arguments the others; a {@code long[]} is handed over by address
   */
  long create(String kind, String function, Object... arguments) {
    MemorySegment answer = ROOM.get();
    SegmentAllocator room = SegmentAllocator.slicingAllocator(answer.asSlice(Long.BYTES));
    Object[] all = new Object[arguments.length + 1];
    all[0] = answer.address();
    for (int i = 0; i < arguments.length; i++) {
      all[i + 1] = arguments[i] instanceof long[] values
        ? (Object) room.allocateFrom(JAVA_LONG, values).address()
        : arguments[i];
    }
    calls.call(function, all);
    long handle = answer.get(JAVA_LONG, 0);
    owned.push(new Owned("dnnl_" + kind + "_destroy", handle));
    return handle;
  }

  /** Like {@link #create(String, String, Object...)} with {@code dnnl_<kind>_create}. */
  long createNew(String kind, Object... arguments) {
    return create(kind, "dnnl_" + kind + CREATE, arguments);
  }

  /** The object that was created last is destroyed first. A failure is thrown when all has been tried. */
  @Override
  public void close() {
    RuntimeException failure = null;
    while (!owned.isEmpty()) {
      Owned last = owned.pop();
      try {
        calls.call(last.destroyer(), last.handle());
      } catch (OneDnnFailure e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
