package dev.cairn.benchmarks.training;

import dev.cairn.benchmarks.harness.Figure;
import dev.cairn.benchmarks.harness.Goal;
import dev.cairn.benchmarks.harness.MarkdownTable;
import dev.cairn.benchmarks.harness.Places;
import dev.cairn.benchmarks.harness.Section;
import dev.cairn.kernels.cuda.load.CudaSearch;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.runtime.backend.DeviceOptions;
import dev.cairn.runtime.ndarray.ArrayOptions;
import dev.cairn.runtime.ndarray.ArrayRuntime;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.symbol.PartialType;
import dev.cairn.runtime.train.Trainer;
import dev.cairn.runtime.train.TrainerOptions;
import dev.cairn.runtime.train.data.ArrayDataset;
import dev.cairn.runtime.train.initializer.Initializers;
import dev.cairn.runtime.train.layer.Dropout;
import dev.cairn.runtime.train.layer.Layer;
import dev.cairn.runtime.train.layer.LayerArrays;
import dev.cairn.runtime.train.loss.Losses;
import dev.cairn.runtime.train.optimizer.Optimizers;
import dev.cairn.runtime.zoo.Zoo;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** N15: losses and dropout on the simulated GPU beside the processor's. */
final class DeviceTable {
  private static final int SEED = 1;
  private static final int BATCH = 8;
  private static final int ITERATIONS = 20;
  private static final int SIDE = 28;
  private static final int ELEMENTS = 10_007;
  private static final Goal RELATIVE = Goal.atMost(1e-4);
  private static final String TEXT = """
    `lenet` on the digits, %d iterations with batches of %d, SGD 0.1 with momentum 0.9, on the processor and on the
    simulated GPU from the same first values: how far the losses are from each other, relative, at most. And a dropout
    of 0.3 of %,d elements from the same seed: elements of other bits.""".formatted(ITERATIONS, BATCH, ELEMENTS);

  private DeviceTable() {}

  /**
   * Empty where the simulator is not built.
   *
   * @param digits rows of 64 numbers
   */
  static Optional<Section> section(ArrayDataset digits, Places places, boolean quick) {
    Path folder = places.root().resolve("native-tests/simulator/target/lib");
    if (!Files.exists(folder.resolve("libcuda.so.1"))) {
      return Optional.empty();
    }
    DeviceOptions simulator = DeviceOptions.simulated(folder, CudaSearch.of(System.getenv())).withRequired(true);
    int iterations = quick ? 2 : ITERATIONS;
    System.err.println("convergence      lenet on the simulator");
    double[] expected = losses(digits, DeviceOptions.CPU, iterations);
    double[] actual = losses(digits, simulator, iterations);
    double most = 0;
    for (int i = 0; i < iterations; i++) {
      most = Math.max(most, Math.abs(actual[i] - expected[i]) / Math.abs(expected[i]));
    }
    int others = others(dropped(DeviceOptions.CPU), dropped(simulator));
    var table = new MarkdownTable("", "simulated GPU beside the processor", "goal").row("losses of `lenet`", "%.1e"
      .formatted(most), RELATIVE.toString()).row("elements dropped or kept otherwise", Integer.toString(others), "<=0");
    return Optional.of(new Section("On another device", TEXT, table, List.of(Figure.judged("simulator-losses", most, 9,
      RELATIVE), Figure.judged("simulator-dropout", others, 0, Goal.atMost(0)))));
  }

  private static double[] losses(ArrayDataset digits, DeviceOptions device, int iterations) {
    Layer net = Zoo.classifier("lenet", 10);
    net.initialize(Initializers.xavier(), SEED, PartialType.of(DType.FLOAT32, 1, 1, SIDE, SIDE));
    var rows = new ConsecutiveRows(digits.asImages().resized(SIDE, SIDE), BATCH, DType.FLOAT32);
    double[] losses = new double[iterations];
    try (Trainer trainer = Trainer.of(net, Losses.softmaxCrossEntropy(), Optimizers.sgd(0.9).rate(0.1),
      TrainerOptions.DEFAULT.withSession(SessionOptions.DEFAULT.withDevice(device)))) {
      for (int i = 0; i < iterations; i++) {
        losses[i] = rows.iterate(trainer, i);
      }
    }
    return losses;
  }

  private static float[] dropped(DeviceOptions device) {
    try (var arrays = ArrayRuntime.open(ArrayOptions.DEFAULT.withDevice(device).withSeed(SEED));
      var _ = arrays.scope();
      LayerArrays dropout = LayerArrays.of(Dropout.of(0.3), arrays)) {
      return dropout.apply(true, arrays.ones(DType.FLOAT32, ELEMENTS)).toFloatArray();
    }
  }

  private static int others(float[] expected, float[] actual) {
    int others = 0;
    for (int i = 0; i < ELEMENTS; i++) {
      others += Float.floatToRawIntBits(expected[i]) == Float.floatToRawIntBits(actual[i]) ? 0 : 1;
    }
    return others;
  }
}
