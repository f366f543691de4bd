package dev.cairn.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.allocator.bfc.BfcAllocator;
import dev.cairn.allocator.bfc.BfcOptions;
import dev.cairn.allocator.source.NettySubAllocator;
import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.catalog.family.StandardKernels;
import dev.cairn.kernels.cpu.CpuDevice;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.executor.DynamicExecutor;
import dev.cairn.runtime.executor.DynamicMemory;
import dev.cairn.runtime.executor.DynamicRun;
import dev.cairn.runtime.executor.RunLimit;
import dev.cairn.runtime.executor.VariableStore;
import dev.cairn.runtime.executor.WeightStore;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.memory.PlanValidator;
import dev.cairn.runtime.operator.family.StandardOperators;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Models that are planned in parts, since values decide shapes. */
class PartsTest {
  private static final SessionOptions OPTIONS = SessionOptions.DEFAULT.withThreads(1);

  private final NettySubAllocator source = new NettySubAllocator();

  @AfterEach
  void nothingIsHeld() {
    assertThat(source.heldBytes()).isZero();
  }

  /** kept = the rows of relu(x) whose sum is positive, times two, and their squares. */
  private static Graph detector() {
    var builder = new GraphBuilder("detector");
    NodeEntry x = builder.input("x", TensorType.of(DType.FLOAT32, 64, 32));
    NodeEntry trunk = x;
    for (int i = 0; i < 6; i++) {
      trunk = builder.apply(i % 2 == 0 ? "Sin" : "Transpose", trunk);
    }
    NodeEntry score = builder.apply("ReduceSum", Attributes.of(Map.of("keepdims", new AttributeValue.Int(0))), x,
      builder.constant("last", TensorView
        .ofLongs(1)));
    NodeEntry chosen = builder.apply("Reshape", builder.apply("NonZero", builder.apply("Relu", score)), builder
      .constant("flat", TensorView.ofLongs(-1)));
    NodeEntry kept = builder.apply("Gather", builder.apply("Reshape", trunk, builder.constant("rows", TensorView
      .ofLongs(64, -1))), chosen);
    NodeEntry twice = builder.apply("Add", kept, kept);
    builder.output("kept", twice);
    builder.output("squares", builder.apply("ReduceSum", builder.apply("Mul", twice, twice)));
    return builder.build();
  }

  /** Rows of which the first ones are positive. */
  private static Tensor rows(int positive) {
    float[] values = new float[64 * 32];
    for (int i = 0; i < values.length; i++) {
      values[i] = i / 32 < positive ? 1 + i % 5 : -1;
    }
    return Tensor.of(values, 64, 32);
  }

  private static void runs(Session session, int positive) {
    try (Tensor x = rows(positive); Result result = session.run(Map.of("x", x))) {
      assertThat(result.get("kept").shape()).isEqualTo(Shape.of(positive, 32));
    }
  }

  @Test
  void aDetectorRunsInPlansButForTheNodeThatCounts() {
    try (var session = Session.of(detector(), OPTIONS, source)) {
      runs(session, 5);
      List<CompiledGraph> parts = session.compiledParts();
      assertThat(parts).hasSize(2).allSatisfy(it -> PlanValidator.requireValid(it.storage().problem(), it.plan()));
      assertThat(session.compiled()).isEmpty();
      assertThat(session.unplannedReason()).hasValueSatisfying(it -> assertThat(it).contains("NonZero"));
      long steps = parts.stream().mapToLong(it -> it.storage().steps().size()).sum();
      assertThat(steps).as("all but NonZero, and what passes make one step of").isGreaterThanOrEqualTo(7);
    }
  }

  @Test
  void anotherCountNeedsNoNewPlacement() {
    try (var session = Session.of(detector(), OPTIONS, source)) {
      runs(session, 40);
      List<CompiledGraph> first = session.compiledParts();
      long held = source.heldBytes();
      runs(session, 7);
      List<CompiledGraph> second = session.compiledParts();
      assertThat(second.getFirst()).isSameAs(first.getFirst());
      assertThat(second.getLast()).isNotSameAs(first.getLast());
      assertThat(second.getLast().plan().placements()).isEqualTo(first.getLast().plan().placements());
      assertThat(second.getLast().plan().pools()).isEqualTo(first.getLast().plan().pools());
      assertThat(source.heldBytes()).isEqualTo(held);
      runs(session, 40);
      assertThat(session.compiledParts()).isEqualTo(first);
    }
  }

  @Test
  void whereTypesChangeWithEachRunTheRestRunsNodeByNode() {
    try (var session = Session.of(detector(), OPTIONS, source)) {
      for (int positive = 1; positive <= ShapeValues.MOST_PLANS; positive++) {
        runs(session, positive);
        assertThat(session.compiledParts()).hasSize(2);
      }
      runs(session, 60);
      assertThat(session.compiledParts()).hasSize(1);
      runs(session, 3);
      assertThat(session.compiledParts()).hasSize(1);
    }
  }

  @Test
  void everyRandomGraphGivesTheBitsOfRunningNodeByNode() {
    int planned = 0;
    for (int seed = 0; seed < 120; seed++) {
      Graph graph = new RandomValueShapes(seed, 3 + seed % 12).graph();
      var random = new SplittableRandom(seed);
      try (var reference = new Reference(graph); var session = Session.of(graph, OPTIONS, source)) {
        for (int run = 0; run < 3; run++) {
          Map<String, Tensor> inputs = Map.of("x", list(random), "y", list(random));
          try (Result result = session.run(inputs); DynamicRun wanted = reference.run(inputs)) {
            for (int i = 0; i < graph.outputs().size(); i++) {
              TensorView given = result.get(graph.outputs().get(i).name()).view();
              assertThat(given.type()).as("seed=%d output=%d", seed, i).isEqualTo(wanted.output(i).type());
              assertThat(given.segment().toArray(ValueLayout.JAVA_BYTE)).as("seed=%d output=%d", seed, i).isEqualTo(
                wanted.output(i).segment().toArray(ValueLayout.JAVA_BYTE));
            }
          }
          inputs.values().forEach(Tensor::close);
        }
        planned += session.unplannedReason().isPresent() ? session.compiledParts().size() : 0;
      }
    }
    assertThat(planned).isGreaterThan(100);
  }

  private static Tensor list(SplittableRandom random) {
    float[] values = new float[17 + random.nextInt(6)];
    for (int i = 0; i < values.length; i++) {
      values[i] = random.nextInt(-3, 4);
    }
    return Tensor.of(values, values.length);
  }

  /** A graph node by node. */
  private static final class Reference implements AutoCloseable {
    private final CpuDevice device = new CpuDevice(1);
    private final BfcAllocator allocator = new BfcAllocator(new NettySubAllocator(), BfcOptions.DEFAULT);
    private final VariableStore variables = new VariableStore(allocator);
    private final DynamicExecutor executor;
    private final Graph graph;

    Reference(Graph graph) {
      this.graph = graph;
      executor = new DynamicExecutor(graph, StandardOperators.table(), StandardKernels.catalog(), new DynamicMemory(
        allocator, new WeightStore(allocator), variables), device);
    }

    DynamicRun run(Map<String, Tensor> inputs) {
      return executor.run(
        graph.inputs().stream().map(it -> Objects.requireNonNull(inputs.get(it.name())).view()).toList(),
        RunLimit.NONE);
    }

    @Override
    public void close() {
      executor.close();
      variables.close();
      allocator.close();
      device.close();
    }
  }
}
