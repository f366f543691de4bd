package dev.cairn.runtime.custom;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.executor.StepFailed;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.InvalidGraph;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.operator.MemoryTraits;
import dev.cairn.runtime.operator.UnsupportedOperators;
import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class KernelOperatorTest {
  private static SessionOptions with(CustomOperator... operators) {
    return SessionOptions.DEFAULT.withThreads(1).withOperators(OperatorRegistry.of(operators));
  }

  private static float[] run(Session session, float... values) {
    try (Tensor x = Tensor.of(values, values.length); Result result = session.run(Map.of("x", x))) {
      return result.get("y").toFloatArray();
    }
  }

  @Test
  void aPlanHasItAndMayRunItInPlace() {
    try (Session session = Session.of(OwnOperators.over("my::Square"), with(OwnOperators.SQUARE))) {
      assertThat(run(session, -1, 2, 3, 4)).containsExactly(0, 4, 9, 16);
      assertThat(session.compiled().orElseThrow().storage().problem().buffers()).isEmpty();
    }
    KernelOperator apart = OwnOperators.SQUARE.withMemory(MemoryTraits.NONE);
    try (Session session = Session.of(OwnOperators.over("my::Square"), with(apart))) {
      assertThat(run(session, -1, 2, 3, 4)).containsExactly(0, 4, 9, 16);
      assertThat(session.compiled().orElseThrow().storage().problem().buffers()).isNotEmpty();
    }
  }

  @Test
  void itRunsNodeByNodeWhereShapesDependOnValues() {
    var graph = new GraphBuilder("values");
    NodeEntry x = graph.input("x", OwnOperators.ROW);
    NodeEntry kept = graph.variable("kept", TensorView.ofFloats(OwnOperators.ROW.shape(), 0, 1, 0, 1));
    NodeEntry positions = graph.apply("Squeeze", graph.apply("NonZero", kept), graph.constant("axis", TensorView
      .ofLongs(0)));
    graph.output("y", graph.apply("my::Square", graph.apply("Gather", x, positions)));
    try (Session session = Session.of(graph.build(), with(OwnOperators.SQUARE))) {
      assertThat(run(session, 1, 2, 3, 4)).containsExactly(4, 16);
      assertThat(session.unplannedReason()).isNotEmpty();
    }
  }

  @Test
  void scratchMemoryIsPlanned() {
    KernelOperator reversed = OwnOperators.unary("my::Reverse", call -> {}).withKernel(call -> {
      call.workspace().asSlice(0, 16).copyFrom(call.input(0).segment());
      for (int i = 0; i < 4; i++) {
        OwnOperators.put(call.output(0), i, call.workspace().getAtIndex(ValueLayout.JAVA_FLOAT, 3 - i));
      }
    }, signature -> signature.input(0).bytes());
    try (Session session = Session.of(OwnOperators.over("my::Reverse"), with(reversed))) {
      assertThat(run(session, 1, 2, 3, 4)).containsExactly(4, 3, 2, 1);
    }
    KernelOperator negative = OwnOperators.unary("my::Less", call -> {}).withKernel(call -> {}, signature -> -1);
    InvalidGraph fault = catchThrowableOfType(InvalidGraph.class, () -> Session.of(OwnOperators.over("my::Less"), with(
      negative)));
    assertThat(fault.node()).isEqualTo("head/my::Less");
  }

  @Test
  void severalResultsOptionalInputsAndAttributes() {
    KernelOperator split = KernelOperator.of("my::Halves", 1, context -> {
      TensorType half = TensorType.of(DType.FLOAT32, context.shape(0).extent(0) / 2);
      return List.of(half, half);
    }).withResults(2).withInputs(1, 2).withKernel(call -> {
      float scale = call.has(1) ? (float) call.input(1).doubleAt(0) : call.attributes().getFloat("scale", 1);
      for (int i = 0; i < 4; i++) {
        OwnOperators.put(call.output(i / 2), i % 2, scale * (float) call.input(0).doubleAt(i));
      }
    });
    var graph = new GraphBuilder("halves");
    NodeEntry x = graph.input("x", OwnOperators.ROW);
    List<NodeEntry> halves = graph.applyForAll("my::Halves", Attributes.NONE.with("scale", 3), 2, x);
    graph.output("y", graph.apply("Sub", halves.get(1), halves.get(0)));
    try (Session session = Session.of(graph.build(), with(split))) {
      assertThat(run(session, 1, 2, 3, 5)).containsExactly(6, 9);
    }
    assertThatThrownBy(() -> Session.of(OwnOperators.over("my::Halves"), with(split)))
      .isInstanceOf(InvalidGraph.class).hasMessageContaining("operator=my::Halves results=2");
  }

  @Test
  void pureUsesAreMergedAndFoldedOthersAreNot() {
    var calls = new AtomicInteger();
    KernelOperator pure = OwnOperators.counted(calls);
    assertThat(callsOf(pure, calls)).isEqualTo(List.of(1, 1));
    assertThat(callsOf(pure.withoutPurity(), calls)).isEqualTo(List.of(3, 6));
  }

  /** Calls after the first and the second run of a graph with two equal uses and a constant one. */
  private static List<Integer> callsOf(KernelOperator operator, AtomicInteger calls) {
    var graph = new GraphBuilder("pure");
    NodeEntry x = graph.input("x", OwnOperators.ROW);
    NodeEntry two = graph.apply("Add", graph.apply("my::Square", x), graph.apply("my::Square", x));
    NodeEntry weight = graph.constant("w", TensorView.ofFloats(OwnOperators.ROW.shape(), 1, 2, 3, 4));
    graph.output("y", graph.apply("Add", two, graph.apply("my::Square", weight)));
    try (Session session = Session.of(graph.build(), with(operator))) {
      calls.set(0);
      assertThat(run(session, 1, 1, 1, 1)).containsExactly(3, 6, 11, 18);
      int first = calls.get();
      run(session, 1, 1, 1, 1);
      return List.of(first, calls.get() - (first == 1 ? 1 : 0));
    }
  }

  @Test
  void aFailingKernelNamesItsNodeAndLosesNothing() {
    var fails = new AtomicBoolean();
    KernelOperator fragile = OwnOperators.unary("my::Fragile", call -> {
      if (fails.get()) {
        throw new IllegalStateException("no luck");
      }
      OwnOperators.square(call);
    });
    var graph = new GraphBuilder("counter");
    NodeEntry x = graph.input("x", OwnOperators.ROW);
    NodeEntry sum = graph.variable("sum", TensorView.ofFloats(OwnOperators.ROW.shape(), 0, 0, 0, 0));
    graph.output("y", graph.assign(sum, graph.apply("Add", sum, graph.within("head").apply("my::Fragile", x))));
    try (Session session = Session.of(graph.build(), with(fragile))) {
      assertThat(run(session, 1, 2, 3, 4)).containsExactly(1, 4, 9, 16);
      long used = session.memoryStats().bytesInUse();
      fails.set(true);
      StepFailed failure = catchThrowableOfType(StepFailed.class, () -> run(session, 1, 2, 3, 4));
      assertThat(failure.node()).isEqualTo("head/my::Fragile");
      assertThat(failure.operator()).isEqualTo("my::Fragile");
      assertThat(failure).hasCauseInstanceOf(IllegalStateException.class).hasMessageContaining("no luck");
      assertThat(session.memoryStats().bytesInUse()).isEqualTo(used);
      fails.set(false);
      assertThat(run(session, 1, 1, 1, 1)).containsExactly(2, 5, 10, 17);
    }
  }

  @Test
  void argumentErrorsAndErrorsOfTheJvmAreTypedTheSame() {
    for (Throwable thrown : List.of(new IllegalArgumentException("odd"), new StackOverflowError())) {
      KernelOperator broken = OwnOperators.unary("my::Broken", call -> {
        throw sneaky(thrown);
      });
      try (Session session = Session.of(OwnOperators.over("my::Broken"), with(broken))) {
        assertThat(catchThrowableOfType(StepFailed.class, () -> run(session, 1, 2, 3, 4))).hasCause(thrown);
      }
    }
  }

  @SuppressWarnings("unchecked")
  private static <T extends Throwable> RuntimeException sneaky(Throwable thrown) throws T {
    throw (T) thrown;
  }

  @Test
  void aKernelThatFailsWhileConstantsAreComputedNamesItsNode() {
    KernelOperator broken = OwnOperators.unary("my::Broken", call -> {
      throw new IllegalStateException("no luck");
    });
    var graph = new GraphBuilder("constant");
    graph.output("y", graph.apply("my::Broken", graph.constant("w", TensorView.ofFloats(OwnOperators.ROW.shape(), 1, 2,
      3, 4))));
    assertThat(catchThrowableOfType(InvalidGraph.class, () -> Session.of(graph.build(), with(broken))).node())
      .isEqualTo("my::Broken");
  }

  @Test
  void inputsCannotBeWritten() {
    KernelOperator writer = OwnOperators.unary("my::Writer", call -> OwnOperators.put(call.input(0), 0, 7));
    try (Session session = Session.of(OwnOperators.over("my::Writer"), with(writer))) {
      assertThatThrownBy(() -> run(session, 1, 2, 3, 4)).isInstanceOf(StepFailed.class).hasMessageContaining(
        "read-only");
    }
  }

  @Test
  void badTypeRulesNameTheNode() {
    KernelOperator several = KernelOperator.of("my::Several", 1, context -> List.of(context.input(0), context.input(0)))
      .withKernel(call -> {});
    KernelOperator broken = KernelOperator.of("my::Rule", 1, context -> {
      throw new IllegalStateException("no rule");
    }).withKernel(call -> {});
    KernelOperator alias = KernelOperator.of("my::View", 1, context -> List.of(TensorType.of(DType.FLOAT32, 2)))
      .withMemory(MemoryTraits.ALIAS);
    for (KernelOperator operator : List.of(several, broken, alias)) {
      InvalidGraph fault = catchThrowableOfType(InvalidGraph.class, () -> Session.of(OwnOperators.over(operator.name()),
        with(operator)));
      assertThat(fault.node()).isEqualTo("head/" + operator.name());
    }
  }

  @Test
  void anAliasNeedsNoKernel() {
    KernelOperator pairs = KernelOperator.of("my::Pairs", 1, context -> List.of(TensorType.of(DType.FLOAT32, 2, 2)))
      .withMemory(MemoryTraits.ALIAS);
    try (Session session = Session.of(OwnOperators.over("my::Pairs"), with(pairs))) {
      assertThat(run(session, 1, 2, 3, 4)).containsExactly(1, 2, 3, 4);
    }
  }

  @Test
  void anOperatorWithoutKernelOrWithoutRowIsAGap() {
    KernelOperator none = KernelOperator.of("my::None", 1, context -> List.of(context.input(0)));
    Graph graph = OwnOperators.over("my::None");
    assertThatThrownBy(() -> Session.of(graph, with(none))).isInstanceOfSatisfying(UnsupportedOperators.class,
      it -> assertThat(it.gaps()).extracting(UnsupportedOperators.Gap::node).containsExactly("head/my::None"));
    assertThatThrownBy(() -> Session.of(graph, SessionOptions.DEFAULT)).isInstanceOfSatisfying(InvalidGraph.class,
      it -> assertThat(it.node()).isEqualTo("head/my::None"));
  }
}
