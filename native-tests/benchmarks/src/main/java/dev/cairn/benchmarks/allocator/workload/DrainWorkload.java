package dev.cairn.benchmarks.allocator.workload;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/** Gives many live chunks back, which random replacement has mixed before. */
public class DrainWorkload extends ArenaState {
  /** How many are replaced before; as many are live as there are operations. */
  @Param("1000")
  public int replaced = 1000;

  private LiveChunks chunks = new LiveChunks(0);

  /** Takes all of them, and mixes them; not timed. */
  @Setup(Level.Invocation)
  public void fill() {
    chunks = new LiveChunks(operations);
    chunks.fill(arena);
    chunks.replace(arena, replaced);
  }

  /** One operation: a chunk given back. */
  @Benchmark
  public void run() {
    chunks.drain(arena);
  }
}
