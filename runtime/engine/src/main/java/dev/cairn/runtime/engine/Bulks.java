package dev.cairn.runtime.engine;

import dev.cairn.runtime.engine.queue.BulkBuffer;
import dev.cairn.runtime.engine.queue.Operation;
import dev.cairn.runtime.engine.queue.Variables;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What each thread holds back to push it as one. Thread-safe. */
final class Bulks {
  private final Variables variables;
  private final Consumer<Operation> push;
  /** One of each engine: threads use several. */
  @SuppressWarnings("ThreadLocalUsage")
  private final ThreadLocal<@Nullable BulkBuffer> buffers = new ThreadLocal<>();
  /** The number of threads that bulk. It is mostly 0, and then a push need not look for its thread's buffer. */
  private final AtomicInteger threads = new AtomicInteger();

  Bulks(Variables variables, Consumer<Operation> push) {
    this.variables = variables;
    this.push = push;
  }

  /** True when the operation is held back; if not, what was held back before is pushed now. */
  boolean hold(Operation operation) {
    BulkBuffer buffer = mine();
    if (buffer == null) {
      return false;
    }
    if (!buffer.admits(operation)) {
      flush(buffer);
      if (!buffer.admits(operation)) {
        return false;
      }
    }
    if (buffer.hold(operation)) {
      BulkBuffer.Taken taken;
      try {
        taken = buffer.take();
      } catch (OutOfMemoryError e) {
        // All stays held, this one too, and the next push tries again: to throw would say that it was not pushed.
        return true;
      }
      pushIfAny(buffer, taken);
    }
    return true;
  }

  private void pushIfAny(BulkBuffer buffer, BulkBuffer.@Nullable Taken taken) {
    if (taken == null) {
      return;
    }
    try {
      push.accept(taken.all());
    } finally {
      buffer.endHolds(taken.touched());
    }
  }

  /** This thread's; null when it does not bulk. */
  private @Nullable BulkBuffer mine() {
    return threads.get() == 0 ? null : buffers.get();
  }

  /** Pushes what this thread holds back. */
  void flush() {
    BulkBuffer buffer = mine();
    if (buffer != null) {
      flush(buffer);
    }
  }

  private void flush(BulkBuffer buffer) {
    pushIfAny(buffer, buffer.take());
  }

  /** How many operations this thread holds back at most; 0 where it holds back none. */
  int size() {
    BulkBuffer buffer = mine();
    return buffer == null ? 0 : buffer.limit();
  }

  /** Sets this thread's size, and returns the one before. */
  int size(int operations) {
    if (operations < 0) {
      throw new IllegalArgumentException("out of range: operations=" + operations);
    }
    flush();
    BulkBuffer before = buffers.get();
    if (before != null) {
      threads.decrementAndGet();
      buffers.remove();
    }
    if (operations > 1) {
      buffers.set(new BulkBuffer(operations, variables));
      threads.incrementAndGet();
    }
    return before == null ? 0 : before.limit();
  }
}
