package dev.cairn.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.allocator.AllocationRequest;
import dev.cairn.allocator.Block;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.SharedCounter;
import dev.cairn.allocator.bfc.BfcAllocator;
import dev.cairn.allocator.bfc.BfcOptions;
import dev.cairn.allocator.source.CudaSubAllocator;
import dev.cairn.kernels.cuda.CudaFunction;
import dev.cairn.kernels.cuda.CudaStream;
import dev.cairn.kernels.cuda.LaunchShape;
import dev.cairn.runtime.executor.StreamFrontier;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Memory that is freed while a stream still uses it is not given to others before the stream has passed. */
class StreamFrontierTest extends OnCuda {
  private static final long LIMIT_BYTES = 1 << 20;
  /** Some milliseconds of the simulator, some tens of a GPU. */
  private static final int SLOW_ROUNDS = CudaUnderTest.isReal() ? 20_000_000 : 1_000_000;

  @Test
  void freedMemoryWaitsForTheStreamsThatUseIt() {
    CudaStream second = device.newStream("second");
    CudaFunction slow = kernel("""
      extern "C" __global__ void slow(int* out, int rounds) {
        unsigned value = threadIdx.x;
        for (int i = 0; i < rounds; i++) { value = value * 1664525u + 1013904223u; }
        out[threadIdx.x] = (int) value;
      }
      """, "slow");
    SharedCounter clock = new SharedCounter();
    try (CudaSubAllocator source = CudaSubAllocator.of(0);
      BfcAllocator allocator = new BfcAllocator(source, BfcOptions.DEFAULT.withLimitBytes(LIMIT_BYTES).withClock(
        clock))) {
      StreamFrontier frontier = new StreamFrontier(allocator, clock, List.of(stream, second));
      int refused = 0;
      for (int round = 0; round < 5; round++) {
        AllocationRequest safe = AllocationRequest.of(LIMIT_BYTES).withFreedBefore(clock.next());
        Block block = allocator.allocate(LIMIT_BYTES);
        slow.launch(second, LaunchShape.of(1, 64), arguments(block.address(), SLOW_ROUNDS));
        allocator.free(block);
        frontier.mark();
        long mark = 2L * round + 1;
        boolean passedAtOnce = false;
        try {
          frontier.advance();
          allocator.free(allocator.allocate(safe));
          assertThat(second.hasPassed(mark)).isTrue();
          passedAtOnce = true;
        } catch (OutOfMemory e) {
          assertThat(e.reason()).isEqualTo(OutOfMemory.Reason.TIME_HELD);
          refused++;
        }
        second.synchronize();
        stream.synchronize();
        frontier.advance();
        if (!passedAtOnce) {
          allocator.free(allocator.allocate(safe));
        }
        // The last free was of memory that nobody used: it is safe as soon as the idle streams are marked again.
        frontier.mark();
        stream.synchronize();
        second.synchronize();
        frontier.advance();
      }
      assertThat(refused).isPositive();
    }
  }
}
