package dev.cairn.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.train.Trainer;
import dev.cairn.runtime.train.TrainerOptions;
import dev.cairn.runtime.train.checkpoint.Checkpoint;
import dev.cairn.runtime.train.layer.Activation;
import dev.cairn.runtime.train.layer.Dense;
import dev.cairn.runtime.train.layer.Sequential;
import dev.cairn.runtime.train.loss.Losses;
import dev.cairn.runtime.train.optimizer.Optimizers;
import dev.cairn.runtime.value.Tensor;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Iterations on a device on which each request for memory and each launch fails in turn. Nothing hangs; the allocator
 * asks again after a refusal, and the next iteration after {@code restore} has the bits of an unbroken training.
 */
@Tag("long")
class TrainingFaultsOnCudaTest {
  private static final int OUT_OF_MEMORY = 2;
  private static final int UNKNOWN = 999;
  private static final int BATCH = 3;

  private Simulator simulator;

  @BeforeEach
  void findSimulator() {
    simulator = CudaUnderTest.simulator();
  }

  private static Trainer trainer() {
    return Trainer.of(Sequential.of(Dense.of(6), Activation.tanh(), Dense.of(2)), Losses.l2(), Optimizers.adam(),
      TrainerOptions.DEFAULT.withSession(SessionOptions.DEFAULT.withThreads(1).withDevice(CudaUnderTest.device())));
  }

  private static double iterate(Trainer trainer, int number) {
    float[] x = new float[4 * BATCH];
    float[] y = new float[2 * BATCH];
    for (int i = 0; i < x.length; i++) {
      x[i] = (float) Math.sin(7 * number + i);
      y[i % y.length] += x[i];
    }
    try (Tensor data = Tensor.of(x, BATCH, 4); Tensor labels = Tensor.of(y, BATCH, 2)) {
      return trainer.iterate(data, labels);
    }
  }

  /** Iterations 2 and 3 after a checkpoint of two; where the fault is at a request that opens the trainer, all four. */
  private static double train(Trainer trainer, Checkpoint start) {
    trainer.restore(start);
    iterate(trainer, 2);
    return iterate(trainer, 3);
  }

  /** @return how many of the faults ended an iteration */
  private int failInTurn(String call, int code, int most) {
    try (Trainer unbroken = trainer()) {
      iterate(unbroken, 0);
      iterate(unbroken, 1);
      Checkpoint start = unbroken.checkpoint();
      iterate(unbroken, 2);
      double expected = iterate(unbroken, 3);
      Map<String, TensorView> values = unbroken.checkpoint().tensors();
      long before = simulator.calls(call);
      try (Trainer counted = trainer()) {
        assertThat(train(counted, start)).isEqualTo(expected);
      }
      int turns = (int) Math.min(most, simulator.calls(call) - before);
      assertThat(turns).as(call).isPositive();
      int failures = 0;
      for (int turn = 1; turn <= turns; turn++) {
        try (Trainer broken = trainer()) {
          simulator.fail(call, turn, code);
          failures += fails(broken, start) ? 1 : 0;
          simulator.clear(call);
          assertThat(train(broken, start)).as("call=%s turn=%d", call, turn).isEqualTo(expected);
          broken.checkpoint().tensors().forEach((name, value) -> assertThat(value.segment().mismatch(Objects
            .requireNonNull(values.get(name)).segment())).as(name).isEqualTo(-1));
        }
      }
      return failures;
    }
  }

  private static boolean fails(Trainer trainer, Checkpoint start) {
    try {
      train(trainer, start);
      return false;
    } catch (RuntimeException e) {
      return true;
    }
  }

  @Test
  void anIterationSurvivesARefusedRequestForMemory() {
    assertThat(failInTurn("cuMemAlloc", OUT_OF_MEMORY, 4)).as("asked again").isZero();
    assertThat(failInTurn("cuMemAllocHost", OUT_OF_MEMORY, 4)).as("asked again").isZero();
  }

  @Test
  @Tag("soak")
  void everyLaunchFailsInTurn() {
    assertThat(failInTurn("cuLaunchKernel", UNKNOWN, Integer.MAX_VALUE)).isPositive();
    assertThat(failInTurn("cuGraphLaunch", UNKNOWN, Integer.MAX_VALUE)).isPositive();
  }
}
