package dev.cairn.runtime.executor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.bfc.BfcAllocator;
import dev.cairn.allocator.bfc.BfcOptions;
import dev.cairn.allocator.source.NettySubAllocator;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCatalog;
import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.cpu.team.CpuDevice;
import dev.cairn.kernels.row.StandardKernels;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.compile.CompileOptions;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.compile.Compiler;
import dev.cairn.runtime.graph.DeclaredType;
import dev.cairn.runtime.graph.Dimension;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.InvalidGraph;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.infer.InputBinding;
import dev.cairn.runtime.operator.UnsupportedOperators;
import dev.cairn.runtime.operator.ValueDependentShape;
import dev.cairn.runtime.operator.family.StandardOperators;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DynamicExecutorTest {
  private final NettySubAllocator source = new NettySubAllocator();
  private final CpuDevice device = new CpuDevice(1);
  private BfcAllocator allocator = limited(Long.MAX_VALUE);

  private BfcAllocator limited(long bytes) {
    return new BfcAllocator(source, BfcOptions.DEFAULT.withGrowth(BfcOptions.Growth.AS_REQUESTED).withLimitBytes(
      bytes));
  }

  @AfterEach
  void nothingIsHeld() {
    assertThat(allocator.stats().liveCount()).isZero();
    allocator.validate();
    allocator.close();
    device.close();
    assertThat(source.heldBytes()).isZero();
  }

  /** y = relu(x reshaped to n), z = shape(y), for x of float32[2x6] and a wanted shape n. */
  private static Graph reshaped() {
    var builder = new GraphBuilder("reshaped");
    NodeEntry x = builder.input("x", TensorType.of(DType.FLOAT32, 2, 6));
    NodeEntry n = builder.input("n", new DeclaredType(DType.INT64, List.of(new Dimension.Symbol("rank"))));
    NodeEntry doubled = builder.apply("Mul", n, builder.constant("two", TensorView.ofLongs(2)));
    NodeEntry y = builder.apply("Relu", builder.apply("Reshape", x, doubled));
    builder.output("y", y);
    builder.output("z", builder.apply("Shape", y));
    return builder.build();
  }

  private static TensorView x() {
    return TensorView.ofFloats(Shape.of(2, 6), -1, 2, -3, 4, -5, 6, -7, 8, -9, 10, -11, 12);
  }

  private DynamicExecutor executor(Graph graph) {
    var memory = new DynamicMemory(allocator, new WeightStore(allocator));
    return new DynamicExecutor(graph, StandardOperators.table(), StandardKernels.catalog(), memory, device, null);
  }

  @Test
  void aShapeThatAnInputSaysIsFoundWhenTheModelRuns() {
    Graph graph = reshaped();
    var compiler = new Compiler(StandardOperators.table(), StandardKernels.catalog(), device.defaultStream());
    assertThatThrownBy(() -> compiler.compile(graph, InputBinding.ofShapes(graph, Map.of("n", Shape.of(2))),
      CompileOptions.DEFAULT)).isInstanceOf(ValueDependentShape.class).hasMessageContaining("input=1");
    try (var executor = executor(graph)) {
      for (long[] wanted : new long[][] {{6, 2}, {2, 6}, {12}, {6, 2}}) {
        long[] half = LongStream.of(wanted).map(extent -> extent / 2).toArray();
        try (DynamicRun run = executor.run(List.of(x(), TensorView.ofLongs(half)), RunLimit.NONE)) {
          assertThat(run.output(0).shape()).isEqualTo(Shape.of(wanted));
          assertThat(run.output(0).segment().toArray(ValueLayout.JAVA_FLOAT)).containsExactly(0, 2, 0, 4, 0, 6, 0, 8, 0,
            10, 0, 12);
          assertThat(run.output(1).toLongArray()).containsExactly(wanted);
        }
        assertThat(allocator.stats().liveCount()).as("the constants").isEqualTo(1);
      }
    }
  }

  @Test
  void aShapeThatDoesNotFitNamesTheNodeAndTheNextRunIsWell() {
    try (var executor = executor(reshaped())) {
      assertThatThrownBy(() -> executor.run(List.of(x(), TensorView.ofLongs(5, 7)), RunLimit.NONE))
        .isInstanceOfSatisfying(InvalidGraph.class, it -> assertThat(it.node()).contains("Reshape"));
      assertThat(allocator.stats().liveCount()).isEqualTo(1);
      executor.run(List.of(x(), TensorView.ofLongs(1, 3)), RunLimit.NONE).close();
      assertThatThrownBy(() -> executor.run(List.of(x()), RunLimit.NONE)).isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("inputs=1 wanted=2");
    }
  }

  @Test
  void aRunThatFindsNoMemoryOrIsStoppedHoldsNothing() {
    allocator.close();
    allocator = limited(256 + 256);
    try (var executor = executor(reshaped())) {
      assertThatThrownBy(() -> executor.run(List.of(x(), TensorView.ofLongs(1, 3)), RunLimit.NONE)).isInstanceOf(
        OutOfMemory.class);
      assertThat(allocator.stats().liveCount()).isEqualTo(1);
      assertThatThrownBy(() -> executor.run(List.of(x(), TensorView.ofLongs(1, 3)), RunLimit.from(() -> true,
        Long.MAX_VALUE))).isInstanceOf(RunStopped.class);
      assertThat(allocator.stats().liveCount()).isEqualTo(1);
    }
  }

  @Test
  void whateverAKernelThrowsNamesItsNodeAndHoldsNothing() {
    Throwable[] planted = {new ArithmeticException("planted")};
    KernelRow relu = StandardKernels.catalog().rows("Relu").getFirst();
    Kernel bad = call -> sneak(planted[0]);
    var catalog = new KernelCatalog(List.of(new KernelRow("Relu", relu.twin(), relu.decides(), relu.dtypes(), bad)));
    var memory = new DynamicMemory(allocator, new WeightStore(allocator));
    var builder = new GraphBuilder("bad");
    builder.output("y", builder.apply("Relu", builder.input("x", TensorType.of(DType.FLOAT32, 2, 6))));
    try (
      var executor = new DynamicExecutor(builder.build(), StandardOperators.table(), catalog, memory, device, null)) {
      for (Throwable each : List.of(new ArithmeticException("planted"), new AssertionError("planted"))) {
        planted[0] = each;
        assertThatThrownBy(() -> executor.run(List.of(x()), RunLimit.NONE)).isInstanceOfSatisfying(StepFailed.class,
          e -> {
            assertThat(e).cause().isSameAs(each);
            assertThat(e).hasMessageContaining("operator=Relu step=0 reason=");
          });
        assertThat(allocator.stats().liveCount()).isZero();
      }
      planted[0] = new IllegalArgumentException("planted");
      assertThatThrownBy(() -> executor.run(List.of(x()), RunLimit.NONE)).isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("operator=Relu step=0 reason=planted");
    }
  }

  private static void sneak(Throwable thrown) {
    if (thrown instanceof Error e) {
      throw e;
    }
    throw (RuntimeException) thrown;
  }

  @Test
  void variablesAreRefused() {
    var builder = new GraphBuilder("assigning");
    NodeEntry w = builder.variable("w", TensorView.ofFloats(Shape.of(1), 1));
    builder.output("now", builder.assign(w, builder.apply("Add", w, w)));
    assertThatThrownBy(() -> executor(builder.build())).isInstanceOf(UnsupportedOperators.class).hasMessageContaining(
      "variables are inputs");
  }

  /** Graphs that can be planned give the same either way. */
  @Test
  void randomGraphsGiveWhatPlannedRunsGive() {
    for (int seed = 0; seed < 30; seed++) {
      Graph graph = RandomGraphs.of(seed, 3 + seed % 30);
      List<TensorView> inputs = List.of(input(seed), input(seed + 5));
      try (var executor = executor(graph); DynamicRun run = executor.run(inputs, RunLimit.NONE)) {
        assertThat(bytes(graph, run::output)).as("seed %d", seed).isEqualTo(planned(graph, inputs));
      }
    }
  }

  private List<String> planned(Graph graph, List<TensorView> inputs) {
    CompiledGraph compiled = new Compiler(StandardOperators.table(), StandardKernels.catalog(), device.defaultStream())
      .compile(graph, InputBinding.ofShapes(graph, Map.of()), CompileOptions.DEFAULT.withSimplify(false));
    try (var weights = new WeightStore(allocator).store(compiled.storage().constants());
      var executor = new StaticExecutor(compiled, weights.views(), allocator, device)) {
      executor.run(inputs);
      return bytes(graph, executor::output);
    }
  }

  static List<String> bytes(Graph graph, IntFunction<TensorView> output) {
    List<String> all = new ArrayList<>();
    for (int i = 0; i < graph.outputs().size(); i++) {
      TensorView view = output.apply(i);
      all.add(view.type() + HexFormat.of().formatHex(view.segment().toArray(ValueLayout.JAVA_BYTE)));
    }
    return all;
  }

  static TensorView input(int salt) {
    float[] values = new float[24];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) Math.sin(i * 1.7 + salt);
    }
    return TensorView.ofFloats(Shape.of(4, 6), values);
  }
}
