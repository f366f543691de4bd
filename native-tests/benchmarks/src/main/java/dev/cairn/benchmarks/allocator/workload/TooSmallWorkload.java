package dev.cairn.benchmarks.allocator.workload;

import dev.cairn.benchmarks.allocator.arena.Arena;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/** Takes chunks while the bin that is looked at first is full of free ones that are too small. */
public class TooSmallWorkload extends ArenaState {
  /** How many of them are too small. */
  @Param("1000")
  public int isolated = 1000;
  /** How many chunks are taken before they are given back. */
  @Param("300")
  public int batch = 300;

  private long[] tokens = {};

  /** Makes the small ones: each between two that stay. */
  @Setup(Level.Trial)
  public void fill() {
    tokens = new long[batch];
    IsolatedChunks.make(arena, isolated);
  }

  /** One operation: a chunk taken and given back; done in whole batches. */
  @Benchmark
  public void run() {
    Arena subject = arena;
    for (int done = 0; done < operations; done += batch) {
      for (int i = 0; i < batch; i++) {
        tokens[i] = subject.grant(IsolatedChunks.WANTED_BYTES);
      }
      for (int i = 0; i < batch; i++) {
        subject.release(tokens[i]);
      }
    }
  }
}
