package dev.cairn.runtime.engine;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What each thread holds back to push it as one. Thread-safe. */
final class Bulks {
  private final OperationRunner runner;
  private final Variables variables;
  private final Consumer<Operation> push;
  /** One of each engine: threads use several. */
  @SuppressWarnings("ThreadLocalUsage")
  private final ThreadLocal<@Nullable BulkBuffer> buffers = new ThreadLocal<>();
  /** Where no thread bulks, which is the usual case, a push need not look for its thread's buffer. */
  private final AtomicInteger threads = new AtomicInteger();
  /** The buffer used last: as a rule one thread bulks, and is spared the search. */
  private volatile @Nullable BulkBuffer recent;

  Bulks(OperationRunner runner, Variables variables, Consumer<Operation> push) {
    this.runner = runner;
    this.variables = variables;
    this.push = push;
  }

  /** True when the operation is held back; if not, what was held back before is pushed now. */
  boolean hold(Operation operation) {
    if (threads.get() == 0) {
      return false;
    }
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
    buffer.hold(operation);
    if (buffer.isFull()) {
      flush(buffer);
    }
    return true;
  }

  private @Nullable BulkBuffer mine() {
    BulkBuffer last = recent;
    if (last != null && last.isMine()) {
      return last;
    }
    BulkBuffer buffer = buffers.get();
    if (buffer != null) {
      recent = buffer;
    }
    return buffer;
  }

  /** Pushes what this thread holds back. */
  void flush() {
    if (threads.get() != 0) {
      BulkBuffer buffer = mine();
      if (buffer != null) {
        flush(buffer);
      }
    }
  }

  private void flush(BulkBuffer buffer) {
    if (!buffer.isEmpty()) {
      push.accept(buffer.take(runner));
    }
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
      recent = null;
    }
    if (operations > 1) {
      buffers.set(new BulkBuffer(operations, variables));
      threads.incrementAndGet();
    }
    return before == null ? 0 : before.limit();
  }
}
