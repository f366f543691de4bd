package dev.cairn.benchmarks.allocator.workload;

import dev.cairn.benchmarks.allocator.arena.NothingCall;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Calls a native function that does nearly nothing: what every call to ONNX Runtime costs on top. */
@State(Scope.Benchmark)
public class NothingWorkload {
  /** How many operations one invocation does. */
  @Param("1")
  public int operations = 1;

  private final NothingCall nothing = new NothingCall();

  /** One operation: a call. */
  @Benchmark
  public long run() {
    long sum = 0;
    for (int i = operations; i > 0; i--) {
      sum += nothing.call(i);
    }
    return sum;
  }
}
