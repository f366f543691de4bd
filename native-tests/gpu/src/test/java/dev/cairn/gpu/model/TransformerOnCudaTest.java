package dev.cairn.gpu.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.cairn.gpu.CudaUnderTest;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.train.Trainer;
import dev.cairn.runtime.train.TrainerOptions;
import dev.cairn.runtime.train.layer.Activation;
import dev.cairn.runtime.train.layer.Dense;
import dev.cairn.runtime.train.layer.Flatten;
import dev.cairn.runtime.train.layer.MultiHeadAttention;
import dev.cairn.runtime.train.layer.Sequential;
import dev.cairn.runtime.train.layer.TransformerEncoderLayer;
import dev.cairn.runtime.train.loss.Losses;
import dev.cairn.runtime.train.optimizer.Optimizers;
import dev.cairn.runtime.value.Tensor;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Attention learns on a GPU as it does on the processor. */
@Tag("long")
class TransformerOnCudaTest {
  private static final int ROWS = 4;
  private static final int LENGTH = 5;
  private static final int WIDTH = 8;

  private static List<Double> losses(SessionOptions session) {
    List<Double> losses = new ArrayList<>();
    try (var trainer = Trainer.of(
      Sequential.of(new TransformerEncoderLayer(MultiHeadAttention.of(WIDTH, 2).causal(), 16,
        Activation.relu(), 0.1, false), Flatten.of(), Dense.of(3)),
      Losses.softmaxCrossEntropy(), Optimizers.adamW().rate(
        1e-2),
      TrainerOptions.DEFAULT.withSession(session).withSeed(3))) {
      for (int i = 0; i < 12; i++) {
        float[] x = new float[ROWS * LENGTH * WIDTH];
        for (int k = 0; k < x.length; k++) {
          x[k] = (float) Math.sin(k * k);
        }
        try (Tensor data = Tensor.of(x, ROWS, LENGTH, WIDTH);
          Tensor labels = Tensor.of(new long[] {0, 1, 2, 1},
            ROWS)) {
          losses.add(trainer.iterate(data, labels));
        }
      }
    }
    return losses;
  }

  @Test
  void iterationsAreThoseOfTheProcessor() {
    SessionOptions one = SessionOptions.DEFAULT.withThreads(1);
    List<Double> device = losses(one.withDevice(CudaUnderTest.device()));
    List<Double> host = losses(one);
    assertThat(host.getLast()).isLessThan(host.getFirst() / 2);
    for (int i = 0; i < host.size(); i++) {
      assertThat(device.get(i)).as("iteration %d", i).isCloseTo(host.get(i), within(1e-4 * Math.max(1, host.get(i))));
    }
  }
}
