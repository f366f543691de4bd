package dev.cairn.runtime.engine;

import dev.cairn.runtime.engine.queue.BulkBuffer;
import dev.cairn.runtime.engine.queue.BulkFusion;
import dev.cairn.runtime.engine.queue.Operation;
import dev.cairn.runtime.engine.queue.Variable;
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

  /** True when the operation is held back; if not, what was held back before is pushed now, or may come later. */
  boolean hold(Operation operation) {
    BulkBuffer buffer = mine();
    if (buffer == null) {
      return false;
    }
    if (!buffer.admits(operation)) {
      if (buffer.mayOvertake(operation)) {
        return false;
      }
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
      taken.all().forEach(push);
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

  /** Before a delete of the variable: pushes what this thread holds back, unless the delete may come after that. */
  void flushBeforeDelete(Variable variable) {
    BulkBuffer buffer = mine();
    if (buffer != null && !buffer.mayDeleteLater(variable)) {
      flush(buffer);
    }
  }

  /** Sets this thread's size, and returns the one before. */
  int size(int operations, @Nullable BulkFusion fusion) {
    if (operations < 0) {
      throw new IllegalArgumentException("out of range: operations=" + operations);
    }
    BulkBuffer before = suspend();
    if (operations > 1) {
      resume(new BulkBuffer(operations, variables, fusion));
    }
    return before == null ? 0 : before.limit();
  }

  /** From now on this thread holds nothing back. Returns what {@link #resume} takes; null where it held none back. */
  @Nullable
  BulkBuffer suspend() {
    flush();
    BulkBuffer before = mine();
    if (before != null) {
      threads.decrementAndGet();
      buffers.remove();
    }
    return before;
  }

  /** This thread, which holds nothing back, does so in this buffer from now on. */
  void resume(BulkBuffer buffer) {
    buffers.set(buffer);
    threads.incrementAndGet();
  }
}
