package dev.cairn.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ai.onnxruntime.OrtException;
import dev.cairn.benchmarks.harness.PythonScript;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.graph.PartialType;
import dev.cairn.runtime.onnx.DeclaredOutputs;
import dev.cairn.runtime.onnx.OnnxWriter;
import dev.cairn.runtime.session.ModelFiles;
import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.tensorfile.SafetensorsFile;
import dev.cairn.runtime.train.Trainer;
import dev.cairn.runtime.train.TrainerOptions;
import dev.cairn.runtime.train.layer.Layer;
import dev.cairn.runtime.train.layer.StateDict;
import dev.cairn.runtime.train.loss.Losses;
import dev.cairn.runtime.train.optimizer.Optimizers;
import dev.cairn.runtime.value.Tensor;
import dev.cairn.runtime.zoo.Zoo;
import dev.cairn.runtime.zoo.ZooOptions;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** Trained models in other runtimes: a fine-tuned ONNX file in ONNX Runtime, state dicts from PyTorch and back. */
class TrainedModelsTest {
  @TempDir
  private Path folder;

  @Test
  void aFineTunedModelIsTheSameInOnnxRuntime() throws IOException, OrtException {
    tune("lenet", Shape.of(4, 1, 28, 28));
  }

  @Test
  @Tag("soak")
  void aFineTunedResnetIsTheSameInOnnxRuntime() throws IOException, OrtException {
    tune("resnet18", Shape.of(2, 3, 224, 224));
  }

  /** Only what the pattern chooses has changed, and both runtimes give the same outputs for the written file. */
  private void tune(String name, Shape shape) throws IOException, OrtException {
    Path imported = folder.resolve("imported.onnx");
    Path tuned = folder.resolve("tuned.onnx");
    write(Zoo.build(name, ZooOptions.DEFAULT.withSymbolicBatch()), imported);
    Graph before = ModelFiles.read(imported);
    try (Arena arena = Arena.ofShared()) {
      TensorView images = new SeededValues(1, arena).floats(shape, -1, 1);
      long[] labels = new long[(int) shape.extent(0)];
      labels[0] = 3;
      Graph after;
      try (var trainer = Trainer.of(before, it -> it.startsWith("fc"), Losses.softmaxCrossEntropy(), Optimizers.adam()
        .rate(0.01), TrainerOptions.DEFAULT)) {
        double first = trainer.iterate(given(images), Tensor.of(labels, labels.length));
        for (int i = 0; i < 4; i++) {
          trainer.iterate(given(images), Tensor.of(labels, labels.length));
        }
        assertThat(trainer.iterate(given(images), Tensor.of(labels, labels.length))).isLessThan(first);
        after = trainer.toGraph();
      }
      requireOnlyChanged(before, after, "fc");
      write(after, tuned);
      TensorView expected;
      try (Oracle oracle = Oracle.open(tuned)) {
        expected = oracle.run(Map.of("input", images)).values().iterator().next();
      }
      requireEqual(outputs(after, "input", images), expected, 1e-5);
      requireEqual(outputs(ModelFiles.read(tuned), "input", images), expected, 1e-5);
    }
  }

  private static void write(Graph graph, Path file) throws IOException {
    OnnxWriter.write(graph, DeclaredOutputs.of(graph), file);
  }

  private static Tensor given(TensorView view) {
    return Tensor.wrap(view.segment(), view.dtype(), view.shape().extents());
  }

  private static void requireOnlyChanged(Graph before, Graph after, String prefix) {
    Map<String, TensorView> old = constants(before);
    List<String> changed = new ArrayList<>();
    constants(after).forEach((name, value) -> {
      if (value.segment().mismatch(Objects.requireNonNull(old.get(name), name).segment()) >= 0) {
        changed.add(name);
      }
    });
    assertThat(changed).isNotEmpty().allMatch(it -> it.startsWith(prefix));
  }

  private static Map<String, TensorView> constants(Graph graph) {
    Map<String, TensorView> constants = new LinkedHashMap<>();
    for (Node node : graph.nodes()) {
      if (node.kind() instanceof NodeKind.Constant(TensorView value)) {
        constants.put(node.name(), value);
      }
    }
    return constants;
  }

  private static List<Double> outputs(Graph graph, String input, TensorView images) {
    try (Session session = Session.of(graph, SessionOptions.DEFAULT);
      var result = session.run(Map.of(input, given(images)))) {
      TensorView view = result.get(result.names().iterator().next()).view();
      List<Double> numbers = new ArrayList<>();
      for (long i = 0; i < view.elementCount(); i++) {
        numbers.add(view.doubleAt(i));
      }
      return numbers;
    }
  }

  /** @param tolerance for numbers up to 1; larger with the largest number */
  private static void requireEqual(List<Double> actual, TensorView expected, double tolerance) {
    assertThat(actual).hasSize((int) expected.elementCount());
    double scale = actual.stream().mapToDouble(Math::abs).reduce(1, Math::max);
    for (int i = 0; i < actual.size(); i++) {
      assertThat(actual.get(i)).as("element %d of magnitudes up to %f", i, scale).isCloseTo(expected.doubleAt(i),
        within(tolerance * scale));
    }
  }

  /** {@code oracle/resnet18.py} made the logits, from the same values. */
  @Test
  void aStateDictOfTorchvisionsResnet18GivesItsLogits() throws IOException, URISyntaxException {
    compareResnet18();
  }

  /** @return the state dict as Cairn writes it */
  private Path compareResnet18() throws IOException, URISyntaxException {
    SafetensorsFile oracle = SafetensorsFile.read(Path.of(Objects.requireNonNull(TrainedModelsTest.class.getResource(
      "/oracle/resnet18.safetensors")).toURI()));
    Map<String, TensorView> state = new LinkedHashMap<>();
    JsonMapper.shared().readTree(Objects.requireNonNull(oracle.metadata().get("shapes"))).properties().forEach(it -> {
      List<Long> extents = new ArrayList<>();
      it.getValue().forEach(extent -> extents.add(extent.asLong()));
      Shape shape = Shape.of(extents.stream().mapToLong(Long::longValue).toArray());
      state.put(it.getKey(),
        it.getKey().endsWith("num_batches_tracked")
          ? TensorView.ofLongs(0).reshaped(shape)
          : value(
            it.getKey(), shape));
    });
    assertThat(state).hasSize(122).containsKeys("layer2.0.downsample.1.running_var",
      "layer4.1.bn2.num_batches_tracked");
    Layer net = Zoo.network("resnet18");
    StateDict.load(net, state);
    TensorView images = uniform("images", Shape.of(2, 3, 64, 64), -1, 1);
    Graph graph = net.graph(PartialType.of(images.type()));
    requireEqual(outputs(graph, graph.inputs().getFirst().name(), images), Objects.requireNonNull(oracle.tensors().get(
      "logits")), 1e-4);
    Path file = folder.resolve("resnet18.safetensors");
    StateDict.save(net, file);
    Map<String, TensorView> written = SafetensorsFile.read(file).tensors();
    state.keySet().removeIf(it -> it.endsWith("num_batches_tracked"));
    assertThat(written.keySet()).containsExactlyInAnyOrderElementsOf(state.keySet());
    written.forEach((name, value) -> {
      TensorView wanted = Objects.requireNonNull(state.get(name));
      assertThat(value.type()).as(name).isEqualTo(wanted.type());
      assertThat(value.segment().mismatch(wanted.segment())).as(name).isEqualTo(-1);
    });
    return file;
  }

  /** PyTorch itself loads what Cairn has written, strictly. */
  @Test
  @Tag("soak")
  void pytorchLoadsTheStateDictOfAResnet18() throws IOException, URISyntaxException {
    Path file = compareResnet18();
    Path script = SharedData.ofProject("native-tests/conformance/oracle/resnet18.py");
    var python = new PythonScript(System.getenv().getOrDefault("CAIRN_PYTHON", "/usr/bin/python3"), script);
    Optional<String> answer = python.line(file.toString());
    assumeTrue(answer.isPresent(), "no PyTorch");
    assertThat(answer).contains("same");
  }

  /**
   * A value as the script makes it: weights keep the scale; factors and variances lie around 1, all others around 0.
   */
  private static TensorView value(String name, Shape shape) {
    if (shape.rank() > 1) {
      double bound = Math.sqrt(6.0 / ((double) shape.elementCount() / shape.extent(0)));
      return uniform(name, shape, -bound, bound);
    }
    return name.endsWith("weight") || name.endsWith("running_var")
      ? uniform(name, shape, 0.75, 1.25)
      : uniform(name, shape, -0.1, 0.1);
  }

  private static TensorView uniform(String name, Shape shape, double low, double high) {
    var crc = new CRC32();
    crc.update(name.getBytes(StandardCharsets.UTF_8));
    var random = new SplittableRandom(crc.getValue());
    var type = new TensorType(DType.FLOAT32, shape);
    var bytes = Arena.ofAuto().allocate(type.bytes(), Double.BYTES);
    for (long i = 0; i < shape.elementCount(); i++) {
      bytes.setAtIndex(ValueLayout.JAVA_FLOAT, i, (float) (low + (high - low) * ((random.nextLong() >>> 40)
        * 0x1p-24)));
    }
    return new TensorView(type, bytes);
  }
}
