package dev.cairn.benchmarks.allocator.workload;

import dev.cairn.benchmarks.allocator.arena.Arena;
import java.util.concurrent.locks.ReentrantLock;
import org.openjdk.jmh.annotations.Benchmark;

/** Like {@link PairWorkload}, but each call behind one lock: what threads do with an allocator that has no answer. */
public class OneLockWorkload extends ArenaState {
  private final ReentrantLock lock = new ReentrantLock();

  /** One operation: both calls. */
  @Benchmark
  public void run() {
    Arena subject = arena;
    for (int i = operations; i > 0; i--) {
      release(subject, granted(subject));
    }
  }

  private long granted(Arena subject) {
    lock.lock();
    try {
      return subject.grant(PairWorkload.BYTES);
    } finally {
      lock.unlock();
    }
  }

  private void release(Arena subject, long token) {
    lock.lock();
    try {
      subject.release(token);
    } finally {
      lock.unlock();
    }
  }
}
