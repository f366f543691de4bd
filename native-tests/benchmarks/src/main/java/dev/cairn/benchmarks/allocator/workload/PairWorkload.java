package dev.cairn.benchmarks.allocator.workload;

import dev.cairn.benchmarks.allocator.arena.Arena;
import org.openjdk.jmh.annotations.Benchmark;

/** Takes 1 KiB and gives it back at once. */
public class PairWorkload extends ArenaState {
  static final long BYTES = 1024;

  /** One operation: both calls. */
  @Benchmark
  public void run() {
    Arena subject = arena;
    for (int i = operations; i > 0; i--) {
      subject.release(subject.grant(BYTES));
    }
  }
}
