package dev.cairn.gpu.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.cairn.gpu.CudaUnderTest;
import dev.cairn.gpu.SimulatedTimeline;
import dev.cairn.gpu.SimulatedTimeline.Piece;
import dev.cairn.gpu.Simulator;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.compile.CompileOptions;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.compile.FusionChoice;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.memory.MemoryPlan;
import dev.cairn.runtime.memory.analysis.ConcurrentPlanValidator;
import dev.cairn.runtime.memory.analysis.StreamSchedule;
import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.trace.RunObserver;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What runs beside what on the device, by the simulator's timeline, and whether all that must be ordered was. */
class OverlapOnCudaTest {
  private Simulator simulator;

  @BeforeEach
  void findSimulator() {
    simulator = CudaUnderTest.simulator();
  }

  @AfterEach
  void forget() {
    if (simulator != null) {
      simulator.keepTimeline(false);
    }
  }

  /**
   * However much memory the branches take; nothing fused, so that there are many steps; nothing in place, which would
   * order a reader before the next writer.
   */
  private SessionOptions launched(int streams, RunObserver.Source listeners) {
    CompileOptions compile = CompileOptions.DEFAULT.withStreams(streams).withStreamMemory(100).withInPlace(false)
      .withFusion(FusionChoice.OFF);
    return SessionOptions.DEFAULT.withThreads(2).withObservers(listeners).withCompile(compile).withDevice(CudaUnderTest
      .device().withReplay(false));
  }

  /** Runs twice and keeps the timeline of the second run, which has all its kernels and memory. */
  private SimulatedTimeline timelineOf(Session session, Map<String, Tensor> inputs) {
    session.run(inputs).close();
    simulator.keepTimeline(true);
    session.run(inputs).close();
    return simulator.timeline();
  }

  private void branchesOverlapInOrder(Graph graph, double least) {
    Map<String, Tensor> inputs = Models.inputs(graph, 3);
    RunObserver labels = ExecutedOrder.labels(simulator);
    try (var session = Session.of(graph, launched(2, _ -> labels))) {
      SimulatedTimeline timeline = timelineOf(session, inputs);
      assertThat(timeline.beside(Piece::isKernel, Piece::isKernel)).as("kernels beside kernels").isGreaterThan(1);
      assertThat((double) timeline.work() / timeline.span()).as("work over time").isGreaterThan(least);
      CompiledGraph compiled = session.compiled().orElseThrow();
      StreamSchedule executed = ExecutedOrder.of(compiled, timeline);
      assertThat(executed.streams()).isEqualTo(2);
      MemoryPlan plan = compiled.plan();
      assertThat(ConcurrentPlanValidator.validate(compiled.storage().problem(), plan, executed)).isEmpty();
    } finally {
      inputs.values().forEach(Tensor::close);
    }
  }

  @Test
  void branchesOfAnInceptionBlockRunOnTwoStreams() {
    branchesOverlapInOrder(inceptionBlock(), 1.1);
  }

  @Test
  @Tag("soak")
  void branchesOfInceptionRunOnTwoStreams() {
    branchesOverlapInOrder(Models.light("inception_v1"), 1.05);
  }

  @Test
  @Tag("long")
  void theJudgeFindsWhatWasNotWaitedFor() {
    Graph graph = inceptionBlock();
    RunObserver labels = ExecutedOrder.labels(simulator);
    Map<String, Tensor> inputs = Models.inputs(graph, 3);
    try (var session = Session.of(graph, launched(2, _ -> labels))) {
      SimulatedTimeline timeline = timelineOf(session, inputs);
      CompiledGraph compiled = session.compiled().orElseThrow();
      var withoutWaits = new SimulatedTimeline(timeline.pieces().stream().filter(it -> !it.isWait()).toList());
      assertThat(ConcurrentPlanValidator.validate(compiled.storage().problem(), compiled.plan(), ExecutedOrder.of(
        compiled, withoutWaits))).isNotEmpty();
    } finally {
      inputs.values().forEach(Tensor::close);
    }
  }

  /** Four branches over one image, as GoogLeNet has them, with few channels. */
  private static Graph inceptionBlock() {
    var builder = new GraphBuilder("inception block");
    NodeEntry x = builder.input("x", TensorType.of(DType.FLOAT32, 1, 8, 12, 12));
    NodeEntry one = convolution(builder, x, Shape.of(8, 8, 1, 1), 1);
    NodeEntry three = convolution(builder, convolution(builder, x, Shape.of(4, 8, 1, 1), 2), Shape.of(8, 4, 3, 3), 3);
    NodeEntry five = convolution(builder, convolution(builder, x, Shape.of(4, 8, 1, 1), 4), Shape.of(8, 4, 5, 5), 5);
    NodeEntry pooled = builder.apply("MaxPool", Models.window(3), x);
    builder.output("y", builder.apply("Concat", Models.axis(1), one, three, five, convolution(builder, pooled, Shape
      .of(8, 8, 1, 1), 6)));
    return builder.build();
  }

  private static NodeEntry convolution(GraphBuilder builder, NodeEntry x, Shape shape, int number) {
    NodeEntry weight = builder.constant("w" + number, Models.weights(shape, number));
    return builder.apply("Relu", builder.apply("Conv", Models.window(Math.toIntExact(shape.extent(3))), x, weight));
  }

  @Test
  @Tag("long")
  void copiesOfOneRunAreBesideKernelsOfAnother() {
    var other = new GraphBuilder("other");
    other.output("y", other.apply("Neg", other.input("x", TensorType.of(DType.FLOAT32, 3))));
    try (var small = Session.of(other.build(), launched(1, RunObserver.Source.NONE));
      Tensor three = Tensor.of(new float[] {1, 2, 3}, 3)) {
      small.run(Map.of("x", three)).close();
      // The other run begins, copies and ends while the large one's kernels are under way.
      var steps = new AtomicInteger();
      RunObserver within = new OnStep(() -> {
        if (steps.incrementAndGet() == 8) {
          small.run(Map.of("x", three)).close();
        }
      });
      try (var large = Session.of(Towers.model(1, 4), launched(1, _ -> within))) {
        Towers.run(large, 4, 0);
        simulator.keepTimeline(true);
        steps.set(0);
        Towers.run(large, 4, 1);
        SimulatedTimeline timeline = simulator.timeline();
        assertThat(steps.get()).isGreaterThan(8);
        assertThat(timeline.beside(Piece::isCopy, Piece::isKernel)).isPositive();
      }
    }
  }

  /** A long piece of work on one stream, beside it more short ones than there are events in a stream's first ring. */
  @Test
  @Tag("long")
  void marksOfManyShortOperationsBesideALongOneStandForThemselves() {
    int shorts = 80;
    int width = 40;
    var builder = new GraphBuilder("ladder");
    NodeEntry x = builder.input("x", TensorType.of(DType.FLOAT32, width, width));
    NodeEntry sum = x;
    for (int i = 0; i < 12; i++) {
      sum = builder.apply("Tanh", builder.apply("MatMul", sum, x));
    }
    NodeEntry rung = builder.apply("Neg", x);
    for (int i = 0; i < shorts; i++) {
      sum = builder.apply("Add", sum, rung);
      rung = builder.apply("Tanh", rung);
    }
    builder.output("y", sum);
    Graph graph = builder.build();
    Map<String, Tensor> inputs = Models.inputs(graph, 9);
    SessionOptions two = launched(2, RunObserver.Source.NONE);
    try (var cpu = Session.of(graph, SessionOptions.DEFAULT.withThreads(1));
      var gpu = Session.of(graph, two);
      Result expected = cpu.run(inputs)) {
      float[] wanted = expected.get("y").toFloatArray();
      for (int run = 0; run < 3; run++) {
        try (Result actual = gpu.run(inputs)) {
          float[] got = actual.get("y").toFloatArray();
          for (int i = 0; i < wanted.length; i++) {
            assertThat(got[i]).as("element %d in run %d", i, run).isCloseTo(wanted[i], within(2e-3f));
          }
        }
      }
      assertThat(gpu.compiled().orElseThrow().schedule().events()).isGreaterThan(64);
    } finally {
      inputs.values().forEach(Tensor::close);
    }
  }

  /** Does something when a step begins. */
  private record OnStep(Runnable work) implements RunObserver {
    @Override
    public void admitted() {}

    @Override
    public void stepBegan(int step, int stream) {
      work.run();
    }

    @Override
    public void stepEnded(int step, int stream) {}

    @Override
    public void ended(boolean failed) {}
  }
}
