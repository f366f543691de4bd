package dev.cairn.runtime.engine;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A place for a worker group that is made when it is first asked for. Thread-safe. */
final class LazyGroup {
  private final String name;
  private final int threads;
  private final Supplier<ReadyQueue> queues;
  private final long spinNanos;
  private volatile @Nullable WorkerGroup group;

  private LazyGroup(String name, int threads, Supplier<ReadyQueue> queues, long spinNanos) {
    this.name = name;
    this.threads = threads;
    this.queues = queues;
    this.spinNanos = spinNanos;
  }

  /** Serves what was pushed first, first. */
  static LazyGroup inOrder(String name, int threads, long spinNanos) {
    return new LazyGroup(name, threads, () -> ReadyQueue.inOrder(threads == 1), spinNanos);
  }

  /** Serves the highest priority first. */
  static LazyGroup byPriority(String name, int threads, long spinNanos) {
    return new LazyGroup(name, threads, ReadyQueue::byPriority, spinNanos);
  }

  WorkerGroup get(BlockRunner runner) {
    WorkerGroup there = group;
    return there != null ? there : make(runner);
  }

  private synchronized WorkerGroup make(BlockRunner runner) {
    WorkerGroup there = group;
    if (there == null) {
      there = new WorkerGroup(name, threads, queues.get(), runner, IdlePolicy.spinning(spinNanos), Worker::start);
      group = there;
    }
    return there;
  }

  /** Null before it was asked for, and after a stop. */
  @Nullable
  WorkerGroup made() {
    return group;
  }

  /** Hurries the group; does nothing before it is made. */
  void hurry() {
    WorkerGroup there = group;
    if (there != null) {
      there.hurry();
    }
  }

  synchronized void stop() {
    WorkerGroup there = group;
    if (there != null) {
      there.stop();
      group = null;
    }
  }
}
