package dev.cairn.gpu.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.gpu.CudaUnderTest;
import dev.cairn.gpu.Simulator;
import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.runtime.backend.DeviceOptions;
import dev.cairn.runtime.backend.DeviceOptions.Convolutions;
import dev.cairn.runtime.compile.CompileOptions;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.compile.FusionChoice;
import dev.cairn.runtime.compile.Precision;
import dev.cairn.runtime.graph.DeclaredType;
import dev.cairn.runtime.graph.Dimension;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A model of convolutions in a session that may take cuDNN. */
@Tag("long")
class CudnnSessionTest {
  private static final SessionOptions PLAIN = SessionOptions.DEFAULT.withThreads(1).withCompile(CompileOptions.DEFAULT
    .withFusion(FusionChoice.ON));

  private static SessionOptions with(Convolutions convolutions) {
    return PLAIN.withDevice(CudaUnderTest.deviceWithCudnn().withConvolutions(convolutions));
  }

  /** {@code x} of [batch, 3, 12, 10]: 3×3, a residual of 1×1, four groups by two, unequal paddings. */
  private static Graph model() {
    var builder = new GraphBuilder("convolutions");
    NodeEntry x = builder.input("x", new DeclaredType(DType.FLOAT32, List.of(new Dimension.Symbol("batch"),
      new Dimension.Fixed(3), new Dimension.Fixed(12), new Dimension.Fixed(10))));
    NodeEntry first = convolution(builder, "first", x, Shape.of(8, 3, 3, 3), Models.window(3));
    NodeEntry same = convolution(builder, "same", first, Shape.of(8, 8, 1, 1), Attributes.NONE);
    NodeEntry sum = builder.apply("Relu", builder.apply("Add", first, same));
    NodeEntry groups = convolution(builder, "groups", sum, Shape.of(12, 2, 3, 3), Attributes.NONE.with("group", 4).with(
      "strides", AttributeValue.Ints.of(2, 2)));
    NodeEntry unequal = convolution(builder, "unequal", groups, Shape.of(5, 12, 2, 2), Attributes.NONE.with("pads",
      AttributeValue.Ints.of(0, 0, 1, 1)));
    builder.output("y", unequal);
    return builder.build();
  }

  private static NodeEntry convolution(GraphBuilder builder, String name, NodeEntry x, Shape weights,
    Attributes attributes) {
    return builder.apply("Conv", attributes, x, builder.constant(name + ".w", Models.weights(weights, name.length())),
      builder.constant(name + ".b", Models.weights(Shape.of(weights.extent(0)), 3)));
  }

  private static float[] run(Session session, int batch, int salt) {
    float[] values = new float[batch * 3 * 12 * 10];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) Math.cos(i * 0.7 + salt);
    }
    try (Tensor x = Tensor.of(values, batch, 3, 12, 10); Result result = session.run(Map.of("x", x))) {
      return result.get("y").toFloatArray();
    }
  }

  private static void assertClose(float[] actual, float[] expected) {
    assertThat(actual).hasSameSizeAs(expected);
    for (int i = 0; i < expected.length; i++) {
      assertThat(Math.abs(actual[i] - expected[i])).as("element %d", i).isLessThan(2e-4f);
    }
  }

  private static long measured(Session session) {
    return session.compiled().orElseThrow().kernels().stream().filter(it -> it.twin() == KernelRow.Twin.MEASURED)
      .count();
  }

  @Test
  void resultsAreThoseOfTheProcessorWhoeverConvolves() {
    Graph graph = model();
    try (var cpu = Session.of(graph, PLAIN)) {
      for (Convolutions choice : Convolutions.values()) {
        try (var gpu = Session.of(graph, with(choice))) {
          assertClose(run(gpu, 2, 1), run(cpu, 2, 1));
          assertThat(measured(gpu)).as(choice.name()).isEqualTo(choice == Convolutions.OWN ? 0 : 3);
        }
      }
    }
  }

  @Test
  void repeatedRunsEqualLaunchedOnesAlsoAfterAnotherShapeAndBack() {
    Graph graph = model();
    DeviceOptions device = CudaUnderTest.deviceWithCudnn().withConvolutions(Convolutions.CUDNN);
    try (var replayed = Session.of(graph, PLAIN.withDevice(device));
      var launched = Session.of(graph, PLAIN.withDevice(
        device.withReplay(false)))) {
      for (int run = 0; run < 9; run++) {
        int batch = run == 4 || run == 5 ? 3 : 1;
        assertThat(run(replayed, batch, run)).isEqualTo(run(launched, batch, run));
      }
    }
  }

  @Test
  void aRunAfterTheFirstTakesNothingFromTheDeviceAndRepeatsTheConvolutions() {
    Simulator simulator = CudaUnderTest.simulator();
    List<String> takers = List.of("cuMemAlloc", "cuMemAllocHost", "cuModuleLoadData", "cuStreamCreate");
    try (var session = Session.of(model(), with(Convolutions.CUDNN))) {
      run(session, 1, 0);
      List<Long> before = takers.stream().map(simulator::calls).toList();
      run(session, 1, 1);
      long convolved = simulator.calls("cudnnConvolutionForward");
      for (int run = 0; run < 3; run++) {
        run(session, 1, run);
      }
      assertThat(takers.stream().map(simulator::calls).toList()).isEqualTo(before);
      assertThat(simulator.calls("cudnnConvolutionForward")).as("a graph holds them").isEqualTo(convolved);
    }
    assertThat(simulator.leaks()).isEmpty();
  }

  /** Times differ from try to try; what was chosen does not. */
  @Test
  void thePlanIsTheSameHoweverOftenAModelIsOpened() {
    Simulator simulator = CudaUnderTest.simulator();
    Graph graph = model();
    for (Convolutions choice : Convolutions.values()) {
      String plan = plan(graph, choice);
      long events = simulator.calls("cuEventElapsedTime");
      for (int again = 0; again < 2; again++) {
        assertThat(plan(graph, choice)).as(choice.name()).isEqualTo(plan);
      }
      assertThat(simulator.calls("cuEventElapsedTime")).as("nothing is timed again").isEqualTo(events);
    }
  }

  private static String plan(Graph graph, Convolutions choice) {
    try (var session = Session.of(graph, with(choice))) {
      run(session, 2, 0);
      CompiledGraph compiled = session.compiled().orElseThrow();
      return compiled.storage().problem() + "\n" + compiled.plan();
    }
  }

  @Test
  void whoseOwnKernelsAreWantedAndWhoHasNoConvolutionsNeverLooksForCudnn() {
    Simulator simulator = CudaUnderTest.simulator();
    SessionOptions measured = with(Convolutions.MEASURED);
    long created = simulator.calls("cudnnCreate");
    try (var own = Session.of(model(), with(Convolutions.OWN)); var other = Session.of(Towers.model(2, 2), measured)) {
      run(own, 1, 0);
      Towers.run(other, 3, 0);
    }
    assertThat(simulator.calls("cudnnCreate")).isEqualTo(created);
  }

  @Test
  void whereThereIsNoneThePlanIsThatOfOurOwnKernels() {
    CudaUnderTest.simulator();
    Graph graph = model();
    String own = plan(graph, Convolutions.OWN);
    try (var session = Session.of(graph, PLAIN.withDevice(CudaUnderTest.device()))) {
      run(session, 2, 0);
      CompiledGraph compiled = session.compiled().orElseThrow();
      assertThat(compiled.storage().problem() + "\n" + compiled.plan()).isEqualTo(own);
      assertThat(measured(session)).isZero();
    }
  }

  /** How much scratch memory cuDNN wants for a smaller shape, the plan for the largest could not know. */
  @Test
  void onePlanForAllShapesDoesWithoutIt() {
    Graph graph = model();
    SessionOptions largest = with(Convolutions.MEASURED).withLargestShapes(Map.of("x", Shape.of(4, 3, 12, 10)));
    try (var cpu = Session.of(graph, PLAIN); var gpu = Session.of(graph, largest)) {
      assertClose(run(gpu, 4, 1), run(cpu, 4, 1));
      assertClose(run(gpu, 3, 2), run(cpu, 3, 2));
      assertThat(measured(gpu)).isZero();
    }
  }

  @Test
  void inHalfPrecisionItConvolvesAsWell() {
    CompileOptions half = PLAIN.compile().withPrecision(Precision.FLOAT16);
    Graph graph = model();
    try (var cpu = Session.of(graph, PLAIN); var gpu = Session.of(graph, with(Convolutions.CUDNN).withCompile(half))) {
      float[] expected = run(cpu, 2, 1);
      float[] actual = run(gpu, 2, 1);
      float largest = 0;
      for (float value : expected) {
        largest = Math.max(largest, Math.abs(value));
      }
      for (int i = 0; i < expected.length; i++) {
        assertThat(Math.abs(actual[i] - expected[i])).as("element %d", i).isLessThan(8 * 0x1p-11f * Math.max(1,
          largest));
      }
      assertThat(measured(gpu)).isEqualTo(3);
    }
  }
}
