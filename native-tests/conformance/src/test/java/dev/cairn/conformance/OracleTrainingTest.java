package dev.cairn.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.expression.Expression;
import dev.cairn.runtime.ndarray.ArrayOptions;
import dev.cairn.runtime.ndarray.ArrayRuntime;
import dev.cairn.runtime.ndarray.NDArray;
import dev.cairn.runtime.tensorfile.SafetensorsFile;
import dev.cairn.runtime.train.Trainer;
import dev.cairn.runtime.train.TrainerOptions;
import dev.cairn.runtime.train.data.ArrayDataset;
import dev.cairn.runtime.train.data.CsvFile;
import dev.cairn.runtime.train.layer.Activation;
import dev.cairn.runtime.train.layer.BatchNorm;
import dev.cairn.runtime.train.layer.Conv;
import dev.cairn.runtime.train.layer.Dense;
import dev.cairn.runtime.train.layer.Flatten;
import dev.cairn.runtime.train.layer.Layer;
import dev.cairn.runtime.train.layer.LayerPass;
import dev.cairn.runtime.train.layer.MaxPool;
import dev.cairn.runtime.train.layer.MultiHeadAttention;
import dev.cairn.runtime.train.layer.Parameter;
import dev.cairn.runtime.train.layer.Sequential;
import dev.cairn.runtime.train.layer.TransformerEncoderLayer;
import dev.cairn.runtime.train.loss.Losses;
import dev.cairn.runtime.train.optimizer.EpsilonRule;
import dev.cairn.runtime.train.optimizer.Optimizer;
import dev.cairn.runtime.train.optimizer.Optimizers;
import dev.cairn.runtime.train.optimizer.RmsProp;
import dev.cairn.runtime.value.Tensor;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** Training against PyTorch's, from the same values over the same batches, which {@code oracle/training.py} made. */
class OracleTrainingTest {
  private static final int ITERATIONS = 100;
  /** The first ones: whatever is wrong grows with the iterations. */
  private static final int FEW = 12;
  private static final int BATCH = 32;
  private static final Map<String, Supplier<Layer>> NETWORKS = Map.of("mlp", OracleTrainingTest::mlp, "convolutional",
    OracleTrainingTest::convolutional, "transformer", Encoder::new);
  private static final Map<String, Shape> IMAGES = Map.of("mlp", Shape.of(BATCH, 64), "convolutional", Shape.of(BATCH,
    1, 8, 8), "transformer", Shape.of(BATCH, 8, 8));
  private static final Map<String, Optimizer> OPTIMIZERS = Map.of("mlp", Optimizers.sgd(0.9).rate(0.1),
    "convolutional", Optimizers.adam().rate(1e-3), "transformer", Optimizers.adamW().rate(1e-3).weightDecay(0.01));

  private static Map<String, TensorView> values = Map.of();

  @BeforeAll
  static void read() throws IOException, URISyntaxException {
    values = SafetensorsFile.read(Path.of(Objects.requireNonNull(OracleTrainingTest.class.getResource(
      "/oracle/training.safetensors")).toURI())).tensors();
  }

  private static TensorView value(String name) {
    return Objects.requireNonNull(values.get(name), name);
  }

  private static Layer mlp() {
    return Sequential.of().add("fc1", Dense.of(128)).add("relu", Activation.relu()).add("fc2", Dense.of(10));
  }

  private static Layer convolutional() {
    return Sequential.of().add("conv1", Conv.conv2d(8, 3).padding(1, 1)).add("bn1", BatchNorm.of()).add("relu1",
      Activation.relu()).add("pool1", MaxPool.window(2, 2)).add("conv2", Conv.conv2d(16, 3).padding(1, 1)).add("relu2",
        Activation.relu())
      .add("pool2", MaxPool.window(2, 2)).add("flat", Flatten.of()).add("fc", Dense.of(10));
  }

  /** One layer of an encoder over the rows of an image. */
  private static final class Encoder extends Layer {
    private final Layer layer = child("layer", new TransformerEncoderLayer(MultiHeadAttention.of(8, 2), 16, Activation
      .gelu(), 0, false));
    private final Layer fc = child("fc", Dense.of(10));

    @Override
    protected <T extends Expression<T>> T forward(LayerPass<T> pass, T x) {
      return fc.apply(pass, layer.apply(pass, x).mean(1));
    }
  }

  @TestFactory
  Stream<DynamicTest> updatesAreThoseOfPyTorch() {
    double infinite = Double.POSITIVE_INFINITY;
    Map<String, Optimizer> optimizers = Map.of("sgd", Optimizers.sgd().rate(0.1).weightDecay(0.01), "sgd-momentum",
      Optimizers.sgd(0.9).rate(0.1).weightDecay(0.01), "nag", Optimizers.nag(0.9).rate(0.1).weightDecay(0.01), "adam",
      Optimizers.adam().rate(0.05).weightDecay(0.01), "adamw", Optimizers.adamW().rate(0.05).weightDecay(0.01),
      "rmsprop", Optimizers.rmsProp().rate(0.05).weightDecay(0.01), "rmsprop-centred-momentum", Optimizer.of(
        new RmsProp(0.99, 1e-8, true, 0.9, infinite, EpsilonRule.PYTORCH)).rate(0.05),
      "adagrad", Optimizers.adagrad()
        .rate(0.05).weightDecay(0.01));
    return optimizers.entrySet().stream().map(it -> DynamicTest.dynamicTest(it.getKey(), () -> compareUpdates(it
      .getKey(), it.getValue())));
  }

  private static void compareUpdates(String name, Optimizer optimizer) {
    TensorView expected = value("optimizers/" + name);
    int elements = (int) expected.shape().extent(1);
    try (var arrays = ArrayRuntime.open(ArrayOptions.DEFAULT); var _ = arrays.scope()) {
      List<NDArray> state = new ArrayList<>(List.of(row(arrays, value("optimizers/start"), 0, elements)));
      optimizer.stateNames("w").forEach(_ -> state.add(arrays.of(new double[elements], elements)));
      for (int step = 0; step < expected.shape().extent(0); step++) {
        Map<String, NDArray> factors = new HashMap<>();
        optimizer.factors(step + 1).forEach((factor, number) -> factors.put(factor, arrays.of(new double[] {number})));
        List<NDArray> next = optimizer.update("w", state.get(0), row(arrays, value("optimizers/gradients"), step,
          elements), state.subList(1, state.size()), factors);
        state.clear();
        state.addAll(next);
        double[] actual = state.get(0).toDoubleArray();
        for (int i = 0; i < elements; i++) {
          assertThat(actual[i]).as("update %d", step).isCloseTo(expected.doubleAt((long) step * elements + i), within(
            1e-12));
        }
      }
    }
  }

  private static NDArray row(ArrayRuntime arrays, TensorView matrix, int row, int elements) {
    return arrays.of(IntStream.range(0, elements).mapToDouble(i -> matrix.doubleAt((long) row * elements + i))
      .toArray(), elements);
  }

  @TestFactory
  Stream<DynamicTest> lossesAreThoseOfPyTorch() throws IOException {
    return losses(FEW);
  }

  @Tag("long")
  @TestFactory
  Stream<DynamicTest> lossesOfManyIterationsAreThoseOfPyTorch() throws IOException {
    return losses(ITERATIONS);
  }

  private static Stream<DynamicTest> losses(int iterations) throws IOException {
    ArrayDataset digits = CsvFile.read(SharedData.require("digits/digits.csv.gz")).scaled(1.0 / 16);
    return NETWORKS.keySet().stream().sorted().flatMap(name -> Stream.of(DType.FLOAT32, DType.FLOAT64).map(
      dtype -> DynamicTest.dynamicTest(name + " " + dtype, () -> compareLosses(name, dtype, digits, iterations))));
  }

  /** N14: relative to 1e-4 in {@code float32}, and to 1e-9 in {@code float64}. */
  private static void compareLosses(String name, DType dtype, ArrayDataset digits, int iterations) {
    Layer net = Objects.requireNonNull(NETWORKS.get(name)).get();
    net.astype(dtype);
    Map<String, Parameter> parameters = net.parameters();
    parameters.putAll(net.states());
    parameters.forEach((path, parameter) -> parameter.set(converted(value(name + "/start/" + path), dtype)));
    TensorView expected = value("%s/losses/%s".formatted(name, dtype));
    double tolerance = dtype == DType.FLOAT32 ? 1e-4 : 1e-9;
    Shape image = Objects.requireNonNull(IMAGES.get(name));
    try (var trainer = Trainer.of(net, Losses.softmaxCrossEntropy(), Objects.requireNonNull(OPTIMIZERS.get(name)),
      TrainerOptions.DEFAULT)) {
      for (int i = 0; i < iterations; i++) {
        int first = i * BATCH;
        ArrayDataset batch = digits.select(IntStream.range(first, first + BATCH).map(row -> row % digits.rows())
          .toArray());
        TensorView features = converted(batch.features(), dtype);
        Tensor labels = Tensor.wrap(batch.labels().segment(), batch.labels().dtype(), BATCH);
        double loss = trainer.iterate(Tensor.wrap(features.segment(), dtype, image.extents()), labels);
        assertThat(loss).as("iteration %d", i).isCloseTo(expected.doubleAt(i), within(tolerance * Math.abs(expected
          .doubleAt(i))));
      }
    }
  }

  private static TensorView converted(TensorView view, DType dtype) {
    if (view.dtype() == dtype) {
      return view;
    }
    var type = new TensorType(dtype, view.shape());
    MemorySegment bytes = Arena.ofAuto().allocate(type.bytes(), Double.BYTES);
    for (long i = 0; i < view.elementCount(); i++) {
      bytes.setAtIndex(ValueLayout.JAVA_DOUBLE, i, view.doubleAt(i));
    }
    return new TensorView(type, bytes);
  }
}
