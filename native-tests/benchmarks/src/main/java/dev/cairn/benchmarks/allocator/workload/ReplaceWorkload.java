package dev.cairn.benchmarks.allocator.workload;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/** Gives one of many live chunks back and takes another. */
public class ReplaceWorkload extends ArenaState {
  /** How many are live. */
  @Param("1000")
  public int live = 1000;

  private LiveChunks chunks = new LiveChunks(0);

  /** Takes all of them. */
  @Setup(Level.Trial)
  public void fill() {
    chunks = new LiveChunks(live);
    chunks.fill(arena);
  }

  /** One operation: a chunk given back and one taken. */
  @Benchmark
  public void run() {
    chunks.replace(arena, operations);
  }
}
