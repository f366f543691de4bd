package dev.cairn.runtime.ndarray;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.runtime.engine.EngineOptions.Kind;
import dev.cairn.runtime.engine.queue.Footprint;
import dev.cairn.runtime.engine.queue.Operation;
import dev.cairn.testing.Gate;
import org.junit.jupiter.api.Test;

/**
 * Arrays hold the memory of what runs, and not of what a program has pushed: calls that are ready run in the order in
 * which they were pushed, so each closed array gives its memory back before later calls take some.
 */
class MemoryFollowsExecutionTest extends ArrayContract {
  private static final int ROUNDS = 2_000;
  private static final int SIDE = 64;
  private static final long BLOCK_BYTES = SIDE * SIDE * Float.BYTES;

  /** The calls of all rounds are pushed before the first one runs. */
  @Test
  void aLoopOfAnyLengthHoldsAFewBlocks() {
    NDArray x = arrays.zeros(DType.FLOAT32, SIDE, SIDE);
    NDArray w = arrays.zeros(DType.FLOAT32, SIDE, SIDE);
    arrays.engine().waitForAll();
    var gate = new Gate();
    int workers = kind == Kind.POOLED ? 3 : 1;
    for (int i = 0; i < workers && !isNaive(); i++) {
      arrays.engine().push(Operation.of("gate", Footprint.NONE, gate::pass));
    }
    for (int round = 0; round < ROUNDS; round++) {
      try (ArrayScope _ = arrays.scope()) {
        x.matmul(w).add(1);
      }
    }
    gate.open();
    arrays.engine().waitForAll();
    assertThat(arrays.stats().memory().peakBytesInUse()).isLessThanOrEqualTo(4L * Math.max(2, workers) * BLOCK_BYTES);
  }
}
