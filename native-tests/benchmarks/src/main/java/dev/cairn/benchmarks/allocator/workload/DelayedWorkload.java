package dev.cairn.benchmarks.allocator.workload;

import dev.cairn.benchmarks.allocator.arena.Arena;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Setup;

/** Returns the block of 1,000 requests ago and takes a new one, in sizes that repeat. */
public class DelayedWorkload extends ArenaState {
  private static final long[] BYTES = {256, 4096, 16384, 4096, 512, 1024, 1024};
  private static final int DELAY = 1000;

  private final long[] tokens = new long[DELAY];
  private int nextToken;
  private int nextBytes;

  /** Takes the first of them. */
  @Setup(Level.Trial)
  public void fill() {
    for (int i = 0; i < DELAY; i++) {
      tokens[i] = arena.grant(cycledBytes());
    }
  }

  /** One operation: a chunk given back and one taken. */
  @Benchmark
  public void run() {
    Arena subject = arena;
    for (int i = operations; i > 0; i--) {
      subject.release(tokens[nextToken]);
      tokens[nextToken] = subject.grant(cycledBytes());
      nextToken = nextToken == DELAY - 1 ? 0 : nextToken + 1;
    }
  }

  private long cycledBytes() {
    long bytes = BYTES[nextBytes];
    nextBytes = nextBytes == BYTES.length - 1 ? 0 : nextBytes + 1;
    return bytes;
  }
}
