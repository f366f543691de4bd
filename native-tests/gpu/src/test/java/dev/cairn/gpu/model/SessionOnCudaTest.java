package dev.cairn.gpu.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.cairn.allocator.MemorySpace;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.gpu.CudaUnderTest;
import dev.cairn.gpu.Simulator;
import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.cuda.load.CudaUnavailable;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.backend.DeviceOptions;
import dev.cairn.runtime.compile.CompileOptions;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.compile.FusionChoice;
import dev.cairn.runtime.graph.DeclaredType;
import dev.cairn.runtime.graph.Dimension;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.operator.UnsupportedOperators;
import dev.cairn.runtime.resource.RandomState;
import dev.cairn.runtime.session.RunOptions;
import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class SessionOnCudaTest {
  private static final SessionOptions CPU = SessionOptions.DEFAULT.withThreads(1).withCompile(CompileOptions.DEFAULT
    .withFusion(FusionChoice.ON));

  private static SessionOptions cuda() {
    return CPU.withDevice(CudaUnderTest.device());
  }

  private static SessionOptions launched() {
    return CPU.withDevice(CudaUnderTest.device().withReplay(false));
  }

  /** Nothing fused, which one device may do and the other may not. */
  private static SessionOptions plain(SessionOptions options) {
    return options.withCompile(options.compile().withFusion(FusionChoice.OFF));
  }

  private static float[] onCpu(Graph graph, int batch, int salt) {
    try (var session = Session.of(graph, CPU)) {
      return Towers.run(session, batch, salt);
    }
  }

  private static void assertClose(float[] actual, float[] expected) {
    assertThat(actual).hasSameSizeAs(expected);
    for (int i = 0; i < expected.length; i++) {
      assertThat(actual[i]).as("element " + i).isCloseTo(expected[i], within(1e-5f));
    }
  }

  @Test
  void plansAndResultsAreThoseOfTheProcessor() {
    Graph graph = Towers.model(2, 3);
    try (var cpu = Session.of(graph, plain(CPU)); var gpu = Session.of(graph, plain(cuda()))) {
      assertClose(Towers.run(gpu, 5, 1), Towers.run(cpu, 5, 1));
      CompiledGraph there = gpu.compiled().orElseThrow();
      CompiledGraph here = cpu.compiled().orElseThrow();
      // On the processor the plan has no bytes for results: kernels write them where the caller reads.
      assertThat(there.plan().peakBytes()).isGreaterThan(here.plan().peakBytes());
      assertThat(there.storage().steps().toString()).isEqualTo(here.storage().steps().toString());
      assertThat(gpu.device()).startsWith("cuda:0");
    }
  }

  @Test
  void theSameMemoryIsHeldAsOnTheProcessorAndTheInputBesides() {
    Graph graph = Towers.model(2, 3);
    try (var cpu = Session.of(graph, plain(CPU)); var gpu = Session.of(graph, plain(cuda()))) {
      Towers.run(cpu, 64, 1);
      Towers.run(gpu, 64, 1);
      // The results are closed in both sessions. The device's plan has bytes for them, and the processor's plan has
      // none.
      long inputBytes = 64L * Towers.WIDTH * Float.BYTES;
      long planBytes = poolBytes(gpu) - poolBytes(cpu);
      assertThat(gpu.memoryStats().bytesInUse()).isEqualTo(cpu.memoryStats().bytesInUse() + inputBytes + planBytes);
    }
  }

  private static long poolBytes(Session session) {
    return session.compiled().orElseThrow().plan().pools().stream().mapToLong(it -> (it.bytes() + 255) / 256 * 256)
      .sum();
  }

  @Test
  void repeatedRunsEqualLaunchedOnesAlsoAfterAnotherShapeAndBack() {
    Graph graph = Towers.model(3, 2);
    try (var replayed = Session.of(graph, cuda()); var launched = Session.of(graph, launched())) {
      for (int run = 0; run < 10; run++) {
        int batch = run == 4 || run == 5 || run == 6 ? 9 : 4;
        assertThat(Towers.run(replayed, batch, run)).isEqualTo(Towers.run(launched, batch, run));
      }
    }
  }

  @Test
  @Tag("long")
  void oneSetOfPoolsServesAllSmallerShapes() {
    Graph graph = Towers.model(3, 2);
    Map<String, Shape> largest = Map.of("x", Shape.of(16, Towers.WIDTH));
    try (var replayed = Session.of(graph, cuda().withLargestShapes(largest));
      var launched = Session.of(graph, launched().withLargestShapes(largest))) {
      for (int run = 0; run < 24; run++) {
        int batch = new int[] {16, 3, 7, 1}[run % 4];
        assertThat(Towers.run(replayed, batch, run)).isEqualTo(Towers.run(launched, batch, run));
      }
      assertClose(Towers.run(replayed, 7, 3), onCpu(graph, 7, 3));
    }
  }

  @Test
  @Tag("long")
  void severalStreamsMeetOnlyWhereTheScheduleSays() {
    Graph graph = Towers.model(3, 4);
    for (int streams = 2; streams <= 3; streams++) {
      try (var replayed = Session.of(graph, cuda().withStreams(streams));
        var launched = Session.of(graph, launched().withStreams(streams))) {
        float[] expected = onCpu(graph, 33, 2);
        for (int run = 0; run < 4; run++) {
          assertClose(Towers.run(launched, 33, 2), expected);
          assertClose(Towers.run(replayed, 33, 2), expected);
        }
        assertThat(launched.compiled().orElseThrow().schedule().events()).isPositive();
      }
    }
  }

  @Test
  void aRunAfterTheFirstTakesNothingFromTheDeviceAndWaitsOnce() {
    Simulator simulator = CudaUnderTest.simulator();
    List<String> takers = List.of("cuMemAlloc_v2", "cuMemAllocHost_v2", "cuModuleLoadData", "cuStreamCreate",
      "cuGraphInstantiateWithFlags");
    for (int streams = 1; streams <= 2; streams++) {
      try (var session = Session.of(Towers.model(2, 3), launched().withStreams(streams))) {
        Towers.run(session, 6, 0);
        Towers.run(session, 6, 0);
        List<Long> before = takers.stream().map(simulator::calls).toList();
        long waits = simulator.calls("cuStreamSynchronize");
        long contextWaits = simulator.calls("cuCtxSynchronize");
        Towers.run(session, 6, 1);
        assertThat(takers.stream().map(simulator::calls).toList()).isEqualTo(before);
        assertThat(simulator.calls("cuStreamSynchronize") - waits).isEqualTo(1);
        assertThat(simulator.calls("cuCtxSynchronize")).isEqualTo(contextWaits);
      }
    }
  }

  @Test
  void aRepeatedRunIsOneLaunchOfOneGraph() {
    Simulator simulator = CudaUnderTest.simulator();
    for (int streams = 1; streams <= 2; streams++) {
      try (var session = Session.of(Towers.model(2, 3), cuda().withStreams(streams))) {
        Towers.run(session, 6, 0);
        Towers.run(session, 6, 0);
        long kernels = simulator.calls("cuLaunchKernel");
        long graphs = simulator.calls("cuGraphLaunch");
        long waits = simulator.calls("cuStreamSynchronize");
        Towers.run(session, 6, 1);
        assertThat(simulator.calls("cuGraphLaunch") - graphs).isEqualTo(1);
        assertThat(simulator.calls("cuLaunchKernel")).isEqualTo(kernels);
        assertThat(simulator.calls("cuStreamSynchronize") - waits).isEqualTo(1);
      }
    }
  }

  @Test
  void whatCannotBeRecordedIsLaunched() {
    Simulator simulator = CudaUnderTest.simulator();
    Graph graph = Towers.model(2, 2);
    try (var session = Session.of(graph, cuda())) {
      float[] first = Towers.run(session, 6, 0);
      simulator.fail("cuGraphInstantiateWithFlags", 1, 801);
      long graphs = simulator.calls("cuGraphLaunch");
      for (int run = 0; run < 3; run++) {
        assertThat(Towers.run(session, 6, 0)).isEqualTo(first);
      }
      assertThat(simulator.calls("cuGraphLaunch")).isEqualTo(graphs);
    }
  }

  @Test
  void nothingIsLeftOnTheDeviceWhenASessionIsClosed() {
    Simulator simulator = CudaUnderTest.simulator();
    String before = simulator.leaks();
    Result result;
    try (var session = Session.of(Towers.model(2, 2), cuda()); Tensor x = Towers.input(3, 0)) {
      Towers.run(session, 4, 0);
      result = session.run(Map.of("x", x));
    }
    assertThat(simulator.leaks()).isEqualTo(before);
    assertThat(result.get("y").toFloatArray()).hasSize(3 * Towers.WIDTH);
    result.close();
  }

  @Test
  @Tag("long")
  void manyThreadsRunOneSession() throws Exception {
    Graph graph = Towers.model(2, 2);
    float[] expected = onCpu(graph, 8, 5);
    try (var session = Session.of(graph, cuda().withMaxConcurrentRuns(3));
      var threads = Executors.newFixedThreadPool(4)) {
      List<Callable<float[]>> runs = new ArrayList<>();
      for (int i = 0; i < 24; i++) {
        runs.add(() -> Towers.run(session, 8, 5));
      }
      for (Future<float[]> run : threads.invokeAll(runs)) {
        assertClose(run.get(), expected);
      }
    }
  }

  @Test
  @Tag("long")
  void variablesLiveOnTheDevice() {
    var builder = new GraphBuilder("counter");
    NodeEntry x = builder.input("x", TensorType.of(DType.FLOAT32, 3));
    NodeEntry total = builder.variable("total", TensorView.ofFloats(Shape.of(3), 1, 2, 3));
    builder.output("now", builder.assign(total, builder.apply("Add", total, x)));
    builder.output("before", total);
    try (var session = Session.of(builder.build(), cuda()); Tensor x1 = Tensor.of(new float[] {1, 1, 1}, 3)) {
      for (int run = 1; run <= 4; run++) {
        try (Result result = session.run(Map.of("x", x1))) {
          assertThat(result.get("before").toFloatArray()).containsExactly(run, run + 1, run + 2);
          assertThat(result.get("now").toFloatArray()).containsExactly(run + 1, run + 2, run + 3);
        }
      }
      try (Tensor variable = session.variable("total"); Tensor other = Tensor.of(new float[] {7, 8, 9}, 3)) {
        assertThat(variable.toFloatArray()).containsExactly(5, 6, 7);
        session.setVariable("total", other);
      }
      try (Result result = session.run(Map.of("x", x1))) {
        assertThat(result.get("now").toFloatArray()).containsExactly(8, 9, 10);
      }
    }
  }

  @Test
  @Tag("long")
  void outputsMayBeInputsAndConstants() {
    var builder = new GraphBuilder("through");
    NodeEntry x = builder.input("x", TensorType.of(DType.FLOAT32, 2, 3));
    builder.output("same", x);
    builder.output("flat", builder.apply("Reshape", x, builder.constant("shape", TensorView.ofLongs(6))));
    builder.output("constant", builder.constant("c", TensorView.ofFloats(Shape.of(2), 4, 5)));
    builder.output("negative", builder.apply("Neg", x));
    try (var session = Session.of(builder.build(), cuda())) {
      for (int run = 0; run < 3; run++) {
        float[] values = {run, 1, 2, 3, 4, 5};
        try (Tensor given = Tensor.of(values, 2, 3); Result result = session.run(Map.of("x", given))) {
          assertThat(result.get("same").toFloatArray()).isEqualTo(values);
          assertThat(result.get("flat").toFloatArray()).isEqualTo(values);
          assertThat(result.get("constant").toFloatArray()).containsExactly(4, 5);
          assertThat(result.get("negative").toFloatArray()[5]).isEqualTo(-5);
        }
      }
    }
  }

  @Test
  @Tag("long")
  void tooLittleMemoryIsReportedAsTheDevices() {
    Graph graph = Towers.model(3, 3);
    long bytes;
    try (var session = Session.of(graph, cuda())) {
      Towers.run(session, 512, 0);
      bytes = session.memoryStats().bytesInUse();
    }
    try (var session = Session.of(graph, cuda().withMemoryLimitBytes(bytes * 9 / 10))) {
      assertThatThrownBy(() -> Towers.run(session, 512, 0)).isInstanceOf(OutOfMemory.class)
        .hasMessageContaining("limit");
      assertClose(Towers.run(session, 2, 0), onCpu(graph, 2, 0));
      assertThat(MemorySpace.device(0).isHostAccessible()).isFalse();
    }
  }

  @Test
  @Tag("long")
  void plansForTheValuesThatDecideShapes() {
    var builder = new GraphBuilder("reshaped");
    NodeEntry x = builder.input("x", TensorType.of(DType.FLOAT32, 12));
    NodeEntry n = builder.input("n", TensorType.of(DType.INT64, 2));
    builder.output("y", builder.apply("Neg", builder.apply("Reshape", x, n)));
    try (var session = Session.of(builder.build(), cuda())) {
      for (long rows : new long[] {3, 2, 3}) {
        try (Result result = session.run(Map.of("x", Tensor.of(new float[12], 12), "n", Tensor.of(new long[] {rows, 12
          / rows}, 2)))) {
          assertThat(result.get("y").shape()).isEqualTo(Shape.of(rows, 12 / rows));
        }
        assertThat(session.compiled()).isPresent();
      }
      assertThat(session.device()).startsWith("cuda:0");
    }
  }

  /** kept = the positive elements of sin(2x), doubled; total counts them over all runs. */
  private static Graph unplanned() {
    var builder = new GraphBuilder("unplanned");
    NodeEntry x = builder.input("x", TensorType.of(DType.FLOAT32, 40));
    NodeEntry total = builder.variable("total", TensorView.ofLongs(0));
    NodeEntry sines = builder.apply("Sin", builder.apply("Add", x, x));
    NodeEntry places = builder.apply("Reshape", builder.apply("NonZero", builder.apply("Relu", sines)), builder
      .constant("flat", TensorView.ofLongs(-1)));
    NodeEntry kept = builder.apply("Gather", sines, places);
    builder.output("kept", builder.apply("Add", kept, kept));
    builder.assign(total, builder.apply("Add", total, builder.apply("Shape", places)));
    return builder.build();
  }

  @Test
  @Tag("long")
  void aModelWithoutAPlanRunsItsPartsHereAndTheNodesBetweenOnTheProcessor() {
    Graph graph = unplanned();
    try (var cpu = Session.of(graph, CPU); var gpu = Session.of(graph, cuda())) {
      for (int run = 0; run < 3; run++) {
        float[] values = new float[40];
        for (int i = 0; i < values.length; i++) {
          values[i] = (float) Math.sin(i * (run + 1));
        }
        try (Tensor x = Tensor.of(values, 40);
          Result wanted = cpu.run(Map.of("x", x));
          Result given = gpu.run(Map.of("x", x), RunOptions.DEFAULT.withResultsOnDevice("kept"))) {
          assertThat(given.get("kept").isOnDevice()).isTrue();
          assertClose(given.get("kept").toFloatArray(), wanted.get("kept").toFloatArray());
        }
        assertThat(gpu.variable("total").toLongArray()).isEqualTo(cpu.variable("total").toLongArray());
      }
      assertThat(gpu.compiledParts()).hasSize(2);
      assertThat(gpu.unplannedReason()).isEqualTo(cpu.unplannedReason()).isPresent();
      assertThat(gpu.device()).startsWith("cuda:0");
    }
    var automatic = DeviceOptions.AUTO.withSearch(cuda().device().search().orElseThrow());
    try (var session = Session.of(graph, CPU.withDevice(automatic))) {
      assertThat(session.isHost()).isTrue();
    }
  }

  /** W-4: uniform numbers have the processor's bits. */
  @Test
  @Tag("long")
  void randomNumbersOfASessionAreDrawnHere() {
    Attributes shape = Attributes.NONE.with("shape", new AttributeValue.Ints(List.of(3L, 5L)));
    var builder = new GraphBuilder("random");
    NodeEntry x = builder.input("x", TensorType.of(DType.FLOAT32, 7));
    builder.output("uniform", builder.apply("RandomUniform", shape));
    builder.output("normal", builder.apply("RandomNormal", shape));
    builder.output("like", builder.apply("RandomUniformLike", x));
    Graph graph = builder.build();
    try (var cpu = Session.of(graph, CPU.withRandom(new RandomState(9)));
      var gpu = Session.of(graph, cuda().withRandom(new RandomState(9)));
      Tensor zeros = Tensor.of(new float[7], 7)) {
      for (int run = 0; run < 3; run++) {
        try (Result wanted = cpu.run(Map.of("x", zeros)); Result given = gpu.run(Map.of("x", zeros))) {
          for (String name : List.of("uniform", "like")) {
            assertThat(given.get(name).toFloatArray()).as(name).isEqualTo(wanted.get(name).toFloatArray());
          }
          assertClose(given.get("normal").toFloatArray(), wanted.get("normal").toFloatArray());
        }
      }
    }
  }

  @Test
  void everyNodeWithoutAKernelIsNamedAtOnce() {
    var builder = new GraphBuilder("lacking");
    NodeEntry x = builder.input("x", TensorType.of(DType.FLOAT32, 2, 3));
    NodeEntry axis = builder.input("axis", TensorType.of(DType.INT64));
    NodeEntry first = builder.apply("CumSum", x, axis);
    builder.output("y", builder.apply("CumSum", builder.apply("Neg", first), axis));
    Graph graph = builder.build();
    SessionOptions options = cuda();
    assertThatThrownBy(() -> Session.of(graph, options)).isInstanceOfSatisfying(UnsupportedOperators.class,
      failure -> {
        assertThat(failure.gaps()).hasSize(2).allMatch(gap -> gap.operator().equals("CumSum"));
        assertThat(failure.gaps().getFirst().reason()).contains("unless input 1 is a constant");
      });
    var automatic = DeviceOptions.AUTO.withSearch(options.device().search().orElseThrow());
    try (var session = Session.of(graph, CPU.withDevice(automatic))) {
      assertThat(session.device()).doesNotContain("cuda");
      assertThat(session.deviceReason()).isEqualTo("the GPU lacks kernels");
    }
  }

  /** The open falls back, not the first run, which could not change the device any more. */
  @Test
  void autoFallsBackAtOpenWhereShapesAreOpen() {
    var automatic = DeviceOptions.AUTO.withSearch(cuda().device().search().orElseThrow());
    Dimension open = new Dimension.Symbol("n");
    DeclaredType type = new DeclaredType(DType.FLOAT32, List.of(open, new Dimension.Fixed(3)));
    var lacking = new GraphBuilder("lacking");
    lacking.output("y", lacking.apply("CumSum", lacking.input("x", type), lacking.input("axis", TensorType.of(
      DType.INT64))));
    var unplannable = new GraphBuilder("unplannable");
    unplannable.output("y", unplannable.apply("Reshape", unplannable.input("x", type), unplannable.input("n",
      TensorType.of(DType.INT64, 2))));
    for (Graph graph : List.of(lacking.build(), unplannable.build())) {
      try (var session = Session.of(graph, CPU.withDevice(automatic))) {
        assertThat(session.deviceReason()).as(graph.name()).isEqualTo("the GPU lacks kernels");
      }
    }
    var whole = new GraphBuilder("whole");
    whole.output("y", whole.apply("Neg", whole.input("x", type)));
    // Neither sample extent fits the model: the first run decides.
    var odd = new GraphBuilder("odd");
    odd.output("y", odd.apply("Add", odd.input("x", new DeclaredType(DType.FLOAT32, List.of(open))), odd.input("z",
      TensorType.of(DType.FLOAT32, 7))));
    for (Graph graph : List.of(whole.build(), odd.build())) {
      try (var session = Session.of(graph, CPU.withDevice(automatic))) {
        assertThat(session.isHost()).as(graph.name()).isFalse();
      }
    }
  }

  @Test
  void aGpuThatIsNamedAndNotThereIsAFailure() {
    DeviceOptions none = DeviceOptions.cuda(99).withSearch(CudaUnderTest.device().search().orElseThrow());
    Graph graph = Towers.model(1, 1);
    assertThatThrownBy(() -> Session.of(graph, CPU.withDevice(none))).isInstanceOfSatisfying(
      CudaUnavailable.class, it -> {
        assertThat(it.reason()).isEqualTo(CudaUnavailable.Reason.NO_DEVICE);
        assertThat(it.facts()).containsEntry("device", "cuda:99");
      });
  }
}
