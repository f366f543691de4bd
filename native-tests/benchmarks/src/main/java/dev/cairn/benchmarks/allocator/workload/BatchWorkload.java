package dev.cairn.benchmarks.allocator.workload;

import dev.cairn.benchmarks.allocator.arena.Arena;
import org.openjdk.jmh.annotations.Benchmark;

/** Takes 1,000 times 1 KiB, then gives all back in the same order. */
public class BatchWorkload extends ArenaState {
  /** How many it takes before it gives any back. */
  public static final int BATCH = 1000;
  private static final long BYTES = 1024;

  private final long[] tokens = new long[BATCH];

  /** One operation: a chunk taken and given back; done in whole batches. */
  @Benchmark
  public void run() {
    Arena subject = arena;
    for (int done = 0; done < operations; done += BATCH) {
      for (int i = 0; i < BATCH; i++) {
        tokens[i] = subject.grant(BYTES);
      }
      for (int i = 0; i < BATCH; i++) {
        subject.release(tokens[i]);
      }
    }
  }
}
