package dev.cairn.runtime.ndarray;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.runtime.autograd.Autograd;
import dev.cairn.runtime.engine.EngineOptions.Kind;
import dev.cairn.runtime.engine.queue.Footprint;
import dev.cairn.runtime.engine.queue.Operation;
import dev.cairn.runtime.ndarray.call.PushWaits;
import dev.cairn.runtime.ndarray.memory.CopyWaits;
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
    arrays.engine().engine().waitForAll();
    var gate = new Gate();
    int workers = kind == Kind.POOLED ? 3 : 1;
    for (int i = 0; i < workers && !isNaive(); i++) {
      arrays.engine().engine().push(Operation.of("gate", Footprint.NONE, gate::pass));
    }
    for (int round = 0; round < ROUNDS; round++) {
      try (ArrayScope _ = arrays.scope()) {
        x.matmul(w).add(1);
      }
    }
    gate.open();
    arrays.engine().engine().waitForAll();
    assertThat(arrays.stats().memory().peakBytesInUse()).isLessThanOrEqualTo(4L * Math.max(2, workers) * BLOCK_BYTES);
  }

  /** Each batch is values of the program, which take memory in the call; the workers begin when the program waits. */
  @Test
  void aTrainingHoldsAFewBatches() {
    int batch = 64;
    int inputs = 256;
    float[] values = new float[batch * inputs];
    NDArray w = arrays.zeros(DType.FLOAT32, inputs, 128).attachGradient();
    NDArray v = arrays.zeros(DType.FLOAT32, 128, 10).attachGradient();
    arrays.engine().engine().waitForAll();
    var gate = new Gate();
    CopyWaits.before(arrays.devices().host(), gate::open);
    PushWaits.before(arrays.invoker(), gate::open);
    for (int i = 0; i < (kind == Kind.POOLED ? 3 : 1) && !isNaive(); i++) {
      arrays.engine().engine().push(Operation.of("gate", Footprint.NONE, gate::pass));
    }
    for (int round = 0; round < 1_500; round++) {
      try (ArrayScope _ = arrays.scope()) {
        NDArray x = arrays.of(values, batch, inputs);
        NDArray loss;
        try (var _ = Autograd.record()) {
          loss = x.matmul(w).relu().matmul(v).pow(2).mean();
        }
        loss.backward();
        w.subi(w.gradient().mul(0.1));
        v.subi(v.gradient().mul(0.1));
      }
    }
    gate.open();
    arrays.engine().engine().waitForAll();
    assertThat(arrays.stats().memory().peakBytesInUse()).isLessThanOrEqualTo(4L << 20);
  }
}
