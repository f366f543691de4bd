package dev.cairn.gpu.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.gpu.CudaUnderTest;
import dev.cairn.gpu.Simulator;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.compile.CompileOptions;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.compile.FusionChoice;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.infer.InputBinding;
import dev.cairn.runtime.memory.Buffer;
import dev.cairn.runtime.memory.MemoryPlan;
import dev.cairn.runtime.memory.Pool;
import dev.cairn.runtime.memory.analysis.Place;
import dev.cairn.runtime.session.ModelCompiler;
import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import dev.cairn.runtime.zoo.Zoo;
import dev.cairn.runtime.zoo.ZooOptions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Real architectures give on CUDA what they give on the processor, from the same plans in as much memory. The smallest
 * ones are run in every build; all of them by {@code -Psoak}, or those of {@code -Dcairn.soak.models=NAME,...}.
 */
class ModelsOnCudaTest {
  /**
   * The largest error, as a part of the largest output: rounding errors of one layer go into the next ones, as many as
   * in a sum of 4,096 terms.
   */
  private static final double LARGEST_ERROR = 4096 * 0x1p-24;
  private static final List<String> TAKERS = List.of("cuMemAlloc_v2", "cuMemAllocHost_v2", "cuMemHostAlloc",
    "cuMemCreate", "cuModuleLoadData", "cuStreamCreate");

  /** Fused as on the device, but for epilogues. */
  private static final SessionOptions CPU = SessionOptions.DEFAULT.withThreads(2).withCompile(CompileOptions.DEFAULT
    .withFusion(FusionChoice.ON));

  private static SessionOptions cuda(int streams) {
    return SessionOptions.DEFAULT.withThreads(2).withStreams(streams).withDevice(CudaUnderTest.device());
  }

  /** Launched, recorded and repeated. */
  private static void check(String name, Graph graph, int streams) {
    Map<String, Tensor> inputs = Models.inputs(graph, 11);
    SessionOptions options = cuda(streams);
    try (var cpu = Session.of(graph, CPU.withStreams(streams));
      var gpu = Session.of(graph, options);
      Result expected = cpu.run(inputs)) {
      for (int run = 0; run < 3; run++) {
        List<Long> taken = taken();
        try (Result actual = gpu.run(inputs)) {
          assertThat(actual.names()).isEqualTo(expected.names());
          for (String output : expected.names()) {
            Models.assertClose("%s of %s in run %d".formatted(output, name, run), expected.get(output), actual.get(
              output), LARGEST_ERROR);
          }
        }
        if (run > 0) {
          assertThat(taken()).as("taken from the driver in run " + run).isEqualTo(taken);
        }
      }
      assertSameMemory(gpu, cpu, inputs, expected);
    } finally {
      inputs.values().forEach(Tensor::close);
    }
    assertSamePlan(graph, streams);
  }

  /** How often the driver was asked for what a run may not ask for; nothing on a GPU, which doesn't count. */
  private static List<Long> taken() {
    Optional<Simulator> simulator = CudaUnderTest.isReal() ? Optional.empty() : Optional.of(CudaUnderTest.simulator());
    return simulator.map(it -> TAKERS.stream().map(it::calls).toList()).orElse(List.of());
  }

  /**
   * But for the scratch memory of kernels, which is a buffer of its own, and may make another order the smaller one,
   * for what either device fuses, and for outputs, which the processor's kernels write where the caller reads.
   */
  private static void assertSamePlan(Graph graph, int streams) {
    SessionOptions cuda = cuda(streams);
    CompileOptions plain = cuda.compile().withFusion(FusionChoice.OFF).withReorder(false);
    Map<String, TensorType> types = InputBinding.ofShapes(graph, Map.of());
    try (var there = ModelCompiler.open(cuda); var here = ModelCompiler.open(SessionOptions.DEFAULT)) {
      assertThat(values(there.compile(graph, types, plain))).isEqualTo(values(here.compile(graph, types, plain)));
    }
  }

  private static List<String> values(CompiledGraph graph) {
    Set<Integer> scratch = graph.storage().workspaces().stream().flatMap(Optional::stream).map(Place.Planned::buffer)
      .collect(Collectors.toSet());
    List<Buffer> buffers = graph.storage().problem().buffers();
    return IntStream.range(0, buffers.size()).filter(i -> !scratch.contains(i)).mapToObj(buffers::get)
      .filter(buffer -> !buffer.output())
      .map(buffer -> "%s %d".formatted(buffer.name(), buffer.bytes())).sorted().toList();
  }

  /** What is held is weights, pools and, on the device, the inputs; the processor's results are not closed yet. */
  private static void assertSameMemory(Session gpu, Session cpu, Map<String, Tensor> inputs, Result open) {
    long inputBytes = inputs.values().stream().mapToLong(it -> up(it.view().type().bytes())).sum();
    long resultBytes = open.names().stream().mapToLong(name -> up(open.get(name).view().type().bytes())).sum();
    long pools = poolBytes(gpu) - poolBytes(cpu);
    assertThat(gpu.memoryStats().bytesInUse()).isEqualTo(cpu.memoryStats().bytesInUse() - resultBytes
      + pools + inputBytes);
  }

  private static long poolBytes(Session session) {
    MemoryPlan plan = session.compiled().orElseThrow().plan();
    return plan.pools().stream().mapToLong(Pool::bytes).map(ModelsOnCudaTest::up).sum();
  }

  private static long up(long bytes) {
    return (bytes + 255) / 256 * 256;
  }

  private static Graph reference(String name) {
    return Zoo.build(name, ZooOptions.DEFAULT.withSequenceLength(8));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void aPerceptron(int streams) {
    check("mlp", reference("mlp"), streams);
  }

  @Test
  void repeatedRunsEqualLaunchedOnesAlsoAfterAnotherShapeAndBack() {
    Graph graph = Zoo.build("mlp", ZooOptions.DEFAULT.withSymbolicBatch());
    SessionOptions replayed = cuda(2);
    try (var repeating = Session.of(graph, replayed);
      var launching = Session.of(graph, replayed.withDevice(replayed.device().withReplay(false)))) {
      for (int run = 0; run < 10; run++) {
        Graph sized = Zoo.build("mlp", ZooOptions.DEFAULT.withBatch(run >= 4 && run < 7 ? 3 : 2));
        Map<String, Tensor> inputs = Models.inputs(sized, run);
        assertThat(outputs(repeating, inputs)).as("run " + run).isEqualTo(outputs(launching, inputs));
        inputs.values().forEach(Tensor::close);
      }
    }
  }

  private static List<String> outputs(Session session, Map<String, Tensor> inputs) {
    List<String> outputs = new ArrayList<>();
    try (Result result = session.run(inputs)) {
      result.names().forEach(name -> outputs.add(name + Arrays.toString(result.get(name).toFloatArray())));
    }
    return outputs;
  }

  private static List<String> references() {
    return Zoo.names();
  }

  private static void requireWanted(String name) {
    String wanted = System.getProperty("cairn.soak.models", name);
    Assumptions.assumeTrue(List.of(wanted.split(",")).contains(name), "skipped: not among cairn.soak.models");
  }

  @ParameterizedTest
  @Tag("soak")
  @MethodSource("references")
  void everyReferenceModel(String name) {
    requireWanted(name);
    check(name, reference(name), 2);
  }

  @ParameterizedTest
  @Tag("soak")
  @ValueSource(strings = {"bvlc_alexnet", "densenet121", "inception_v1", "inception_v2", "resnet50", "shufflenet",
    "squeezenet", "vgg19", "zfnet512"})
  void everyLightModel(String name) {
    requireWanted("light_" + name);
    check(name, Models.light(name), 2);
  }
}
