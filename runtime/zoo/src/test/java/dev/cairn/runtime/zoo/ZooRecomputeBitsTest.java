package dev.cairn.runtime.zoo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.allocator.OutOfMemory;
import dev.cairn.kernels.row.ProcessorKernels.Wanted;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.backend.DeviceOptions;
import dev.cairn.runtime.compile.CompileOptions;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.compile.MemoryNeed;
import dev.cairn.runtime.compile.RecomputeMode;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.Notes;
import dev.cairn.runtime.infer.InputBinding;
import dev.cairn.runtime.onnx.DeclaredOutputs;
import dev.cairn.runtime.onnx.OnnxWriter;
import dev.cairn.runtime.session.ModelCompiler;
import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.train.GraphWeights;
import dev.cairn.runtime.train.Trainer;
import dev.cairn.runtime.train.TrainerOptions;
import dev.cairn.runtime.train.loss.Losses;
import dev.cairn.runtime.train.optimizer.Optimizers;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Reference models within limits: where a mode makes an iteration of training or a run fit, every bit is as without a
 * limit.
 */
class ZooRecomputeBitsTest {
  /** Enough to find words that fit, not the cheapest. */
  private static final long WORK = 5_000_000;
  /** A limit that every plan keeps to: kernels are those of limited memory. */
  private static final long AMPLE = 1L << 40;
  private static final int TOKENS = 16;
  private static final int ITERATIONS = 2;

  @TempDir
  private Path folder = Path.of("");

  /** What is left, by name, and how it was compiled. */
  private record Left(Map<String, byte[]> values, CompiledGraph compiled) {}

  private static SessionOptions options(Wanted kernels, RecomputeMode mode, long limitBytes) {
    CompileOptions compile = CompileOptions.DEFAULT;
    return SessionOptions.DEFAULT.withThreads(1).withDevice(DeviceOptions.CPU.withKernels(kernels)).withCompile(compile
      .withRecompute(compile.recompute().withMode(mode).withWork(WORK))).withMemoryLimitBytes(limitBytes);
  }

  private static Graph model(String name, int batch) {
    return Zoo.build(name, ZooOptions.DEFAULT.withBatch(batch).withSequenceLength(TOKENS));
  }

  private static Tensor input(String name, TensorType type, int run) {
    long[] extents = type.shape().extents();
    int count = (int) type.shape().elementCount();
    if (type.dtype() == DType.FLOAT32) {
      float[] values = new float[count];
      for (int i = 0; i < count; i++) {
        values[i] = (float) Math.sin(0.37 * i + run);
      }
      return Tensor.of(values, extents);
    }
    int most = Set.of("input", "input_ids").contains(name) ? 97 : 2;
    long[] values = new long[count];
    Arrays.setAll(values, i -> (i * 7L + run) % most);
    return Tensor.of(values, extents);
  }

  private static Map<String, Tensor> inputs(Map<String, TensorType> types, int run) {
    Map<String, Tensor> inputs = new LinkedHashMap<>();
    types.forEach((name, type) -> inputs.put(name, input(name, type, run)));
    return inputs;
  }

  /** Types of inputs and of the labels: a class for each row of the first output. */
  private static Map<String, TensorType> trainingTypes(Graph graph) {
    Map<String, TensorType> types = new LinkedHashMap<>(InputBinding.ofExtent(graph, 1));
    try (ModelCompiler compiler = ModelCompiler.open(SessionOptions.DEFAULT)) {
      long[] extents = compiler.compile(graph, types, CompileOptions.DEFAULT).outputTypes().values().iterator().next()
        .shape().extents();
      types.put(Trainer.LABELS, new TensorType(DType.INT64, Shape.of(Arrays.copyOf(extents, extents.length - 1))));
    }
    return types;
  }

  private static Left trained(Graph graph, Map<String, TensorType> types, SessionOptions options) {
    Map<String, byte[]> left = new TreeMap<>();
    try (Trainer trainer = Trainer.of(graph, GraphWeights.of(graph)::contains, Losses.softmaxCrossEntropy()
      .alongLastAxis(), Optimizers.sgd(0.9), TrainerOptions.DEFAULT.withSession(options))) {
      for (int run = 0; run < ITERATIONS; run++) {
        Map<String, Tensor> batch = inputs(types, run);
        left.put("loss" + run, Double.toString(trainer.iterate(batch)).getBytes(StandardCharsets.UTF_8));
        batch.values().forEach(Tensor::close);
      }
      for (String name : trainer.variables()) {
        try (Tensor value = trainer.variable(name)) {
          left.put(name, value.toByteArray());
        }
      }
      return new Left(left, trainer.plan().compiled());
    }
  }

  private static Left ran(Session session, Map<String, TensorType> types) {
    Map<String, byte[]> left = new TreeMap<>();
    for (int run = 0; run < ITERATIONS; run++) {
      Map<String, Tensor> given = inputs(types, run);
      try (Result result = session.run(given)) {
        for (String name : result.names()) {
          left.put(name + run, result.get(name).toByteArray());
        }
      }
      given.values().forEach(Tensor::close);
    }
    return new Left(left, session.compiled().orElseThrow());
  }

  /** How a model's values come to be, with options. */
  private interface Computation {
    Left with(SessionOptions options);
  }

  /** @return by mode, the parts of the plan, in percent, within which values were computed: equal to the bit */
  private static Map<RecomputeMode, List<Integer>> kept(Computation computation, Wanted kernels,
    List<RecomputeMode> modes,
    List<Integer> percents) {
    Left once = computation.with(options(kernels, RecomputeMode.OFF, AMPLE));
    MemoryNeed need = MemoryNeed.of(once.compiled, true);
    Map<RecomputeMode, List<Integer>> kept = new TreeMap<>();
    for (RecomputeMode mode : modes) {
      for (int percent : percents) {
        long limit = need.besidePlanBytes() + need.planBytes() * percent / 100;
        Left again;
        try {
          again = computation.with(options(kernels, mode, limit));
        } catch (OutOfMemory e) {
          assertThat(e.leastLimitBytes().orElseThrow()).isGreaterThan(limit);
          continue;
        }
        assertThat(MemoryNeed.of(again.compiled, true).totalBytes()).isLessThanOrEqualTo(limit);
        assertThat(again.values.keySet()).isEqualTo(once.values.keySet());
        again.values.forEach((name, value) -> assertThat(value).as("%s %s at %d %%", mode, name, percent).isEqualTo(
          once.values.get(name)));
        kept.computeIfAbsent(mode, _ -> new ArrayList<>()).add(percent);
      }
    }
    return kept;
  }

  private static List<RecomputeMode> modes() {
    return Stream.concat(Stream.of(RecomputeMode.AUTO), RecomputeMode.upstream().stream()).toList();
  }

  @ParameterizedTest
  @CsvSource("lenet, 16, VECTOR, 90, MINCUT")
  void iterationsWithinLimitsKeepEveryBit(String name, int batch, Wanted kernels, int percent, RecomputeMode other) {
    requireSameBits(name, batch, kernels, percent, other);
  }

  @Tag("long")
  @ParameterizedTest
  @CsvSource({"mlp, 4096, ONEDNN, 85, CHEN", "lenet, 64, VECTOR, 90, MINCUT", "resnet18, 1, VECTOR, 80, AUTO"})
  void iterationsOfLargerBatchesKeepEveryBit(String name, int batch, Wanted kernels, int percent, RecomputeMode other) {
    requireSameBits(name, batch, kernels, percent, other);
  }

  private static void requireSameBits(String name, int batch, Wanted kernels, int percent, RecomputeMode other) {
    Graph graph = model(name, batch);
    Map<String, TensorType> types = trainingTypes(graph);
    List<RecomputeMode> modes = Stream.of(RecomputeMode.AUTO, other).distinct().toList();
    assertThat(kept(it -> trained(graph, types, it), kernels, modes, List.of(percent))).containsKey(RecomputeMode.AUTO);
  }

  @Test
  void hintsOnAModelBindInItsTraining() {
    Graph graph = model("mlp", 64);
    Map<String, TensorType> types = trainingTypes(graph);
    String relu = graph.nodes().stream().filter(it -> it.operator().equals("Relu")).findFirst().orElseThrow().name();
    Graph hinted = graph.withNotes(Map.of(relu, Notes.NONE.with(Notes.REPEAT, "always")));
    SessionOptions options = options(Wanted.VECTOR, RecomputeMode.AUTO, AMPLE);
    Left once = trained(graph, types, options);
    Left again = trained(hinted, types, options);
    assertThat(once.compiled.recomputed()).isEmpty();
    assertThat(again.compiled.recomputed().orElseThrow().recomputations()).containsExactly(relu + "/again1");
    assertThat(again.values).containsOnlyKeys(once.values.keySet());
    again.values.forEach((name, value) -> assertThat(value).as(name).isEqualTo(once.values.get(name)));
  }

  @Tag("soak")
  @ParameterizedTest
  @CsvSource({"mlp, 4096", "lenet, 64", "lstm_lm, 4", "resnet18, 2", "mobilenet_v2, 2"})
  void iterationsOfSmallModelsKeepEveryBit(String name, int batch) {
    Graph graph = model(name, batch);
    Map<String, TensorType> types = trainingTypes(graph);
    for (Wanted kernels : List.of(Wanted.ONEDNN, Wanted.VECTOR, Wanted.PORTABLE)) {
      kept(it -> trained(graph, types, it), kernels, modes(), List.of(90, 75, 60, 45));
    }
  }

  @Tag("soak")
  @ParameterizedTest
  @EnumSource(value = Wanted.class, names = {"VECTOR", "ONEDNN"})
  void iterationsOfResnet50KeepEveryBit(Wanted kernels) {
    Graph graph = model("resnet50", 1);
    Map<String, TensorType> types = trainingTypes(graph);
    assertThat(kept(it -> trained(graph, types, it), kernels, modes(), List.of(90, 75, 60, 45)).get(RecomputeMode.AUTO))
      .contains(90, 75, 60, 45);
  }

  /** With fewer tokens nothing fits: the gradient of the embeddings takes the whole plan. */
  @Tag("soak")
  @ParameterizedTest
  @ValueSource(strings = {"bert_base", "gpt2"})
  void iterationsOfTransformersKeepEveryBit(String name) {
    Graph graph = Zoo.build(name, ZooOptions.DEFAULT.withBatch(4).withSequenceLength(128));
    Map<String, TensorType> types = trainingTypes(graph);
    assertThat(kept(it -> trained(graph, types, it), Wanted.ONEDNN, modes(), List.of(75, 50))).containsKey(
      RecomputeMode.AUTO);
  }

  private static Left ran(Graph graph, Map<String, TensorType> types, SessionOptions options) {
    try (Session session = Session.of(graph, options)) {
      return ran(session, types);
    }
  }

  @ParameterizedTest
  @EnumSource(value = Wanted.class, names = {"VECTOR", "ONEDNN"})
  void runsWithinLimitsKeepEveryBit(Wanted kernels) {
    requireSameBitsOfRuns("lenet", kernels);
  }

  @Tag("long")
  @ParameterizedTest
  @EnumSource(value = Wanted.class, names = {"VECTOR", "ONEDNN"})
  void runsOfALargerModelKeepEveryBit(Wanted kernels) {
    requireSameBitsOfRuns("mobilenet_v2", kernels);
  }

  private static void requireSameBitsOfRuns(String name, Wanted kernels) {
    Graph graph = model(name, 1);
    Map<String, TensorType> types = InputBinding.ofExtent(graph, 1);
    kept(it -> ran(graph, types, it), kernels, List.of(RecomputeMode.AUTO), List.of(95, 80));
  }

  /** @return the parts of the weights, in percent, with which runs from a file gave the same bits */
  private static List<Integer> streamed(Path file, Map<String, TensorType> types, Wanted kernels) throws IOException {
    Left once;
    try (Session session = Session.open(file, options(kernels, RecomputeMode.AUTO, AMPLE))) {
      once = ran(session, types);
    }
    MemoryNeed need = MemoryNeed.of(once.compiled, true);
    List<Integer> kept = new ArrayList<>();
    for (int percent : List.of(90, 80, 60)) {
      long limit = need.totalBytes() - need.weightBytes() * (100 - percent) / 100;
      try (Session session = Session.open(file, options(kernels, RecomputeMode.AUTO, limit))) {
        Left streamed = ran(session, types);
        assertThat(streamed.compiled.streamed().orElseThrow().copies()).isPositive();
        assertThat(streamed.values.keySet()).isEqualTo(once.values.keySet());
        streamed.values.forEach((name, value) -> assertThat(value).as("%s at %d %%", name, percent).isEqualTo(
          once.values.get(name)));
        kept.add(percent);
      } catch (OutOfMemory e) {
        assertThat(e).hasMessageContaining("with streamed weights it needs");
      }
    }
    return kept;
  }

  private Path written(Graph graph) throws IOException {
    Path file = folder.resolve("model.onnx");
    OnnxWriter.write(graph, DeclaredOutputs.of(graph), file);
    return file;
  }

  @ParameterizedTest
  @EnumSource(value = Wanted.class, names = {"PORTABLE", "VECTOR", "ONEDNN"})
  void weightsOfAFileAreStreamedToTheBit(Wanted kernels) throws IOException {
    Graph graph = model("mlp", 4);
    assertThat(streamed(written(graph), InputBinding.ofExtent(graph, 1), kernels)).contains(90, 80);
  }

  @Tag("soak")
  @ParameterizedTest
  @CsvSource({"lstm_lm, 1", "resnet18, 1", "mobilenet_v2, 1", "resnet50, 1", "bert_base, 1", "gpt2, 1"})
  void weightsOfAllModelsAreStreamedToTheBit(String name, int batch) throws IOException {
    Graph graph = model(name, batch);
    Map<String, TensorType> types = InputBinding.ofExtent(graph, 1);
    Path file = written(graph);
    for (Wanted kernels : List.of(Wanted.ONEDNN, Wanted.VECTOR)) {
      assertThat(streamed(file, types, kernels)).contains(90);
      kept(it -> ran(graph, types, it), kernels, modes(), List.of(90, 75, 60, 45));
    }
    Files.delete(file);
  }
}
