package dev.cairn.runtime.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.custom.KernelOperator;
import dev.cairn.runtime.custom.OperatorRegistry;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.operator.UnsupportedOperators;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.train.loss.Losses;
import dev.cairn.runtime.train.optimizer.Optimizers;
import dev.cairn.runtime.value.Tensor;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Training through operators of users. */
class TrainerOperatorsTest {
  private static final KernelOperator PLAIN = KernelOperator.of("my::Square", 1, context -> List.of(context.input(0)))
    .withKernel(TrainerOperatorsTest::square);
  private static final KernelOperator SQUARE = PLAIN.withGradient(g -> g.give(0, g.head().mul(g.operand(0).add(g
    .operand(0)))));

  private static void square(KernelCall call) {
    for (long i = 0; i < call.output(0).elementCount(); i++) {
      float x = (float) call.input(0).doubleAt(i);
      call.output(0).segment().setAtIndex(ValueLayout.JAVA_FLOAT, i, x * x);
    }
  }

  /** {@code y = (x·scale)²}. */
  private static Trainer trainer(KernelOperator square) {
    var builder = new GraphBuilder("squares");
    NodeEntry x = builder.input("x", TensorType.of(DType.FLOAT32, 2, 1));
    NodeEntry scale = builder.constant("scale", TensorView.ofFloats(Shape.of(1, 1), 3));
    builder.output("y", builder.apply("my::Square", builder.apply("MatMul", x, scale)));
    Graph graph = builder.build();
    return Trainer.of(graph, "scale"::equals, Losses.l2(), Optimizers.sgd().rate(0.002), TrainerOptions.DEFAULT
      .withSession(SessionOptions.DEFAULT.withOperators(OperatorRegistry.of(square))));
  }

  @Test
  void aGradientOfTheUserTrains() {
    try (Trainer trainer = trainer(SQUARE);
      Tensor given = Tensor.of(new float[] {1, 2}, 2, 1);
      Tensor wanted = Tensor.of(new float[] {16, 64}, 2, 1)) {
      double first = trainer.iterate(given, wanted);
      double last = first;
      for (int i = 0; i < 100; i++) {
        last = trainer.iterate(given, wanted);
      }
      assertThat(first).isGreaterThan(1);
      assertThat(last).isCloseTo(0, within(1e-6));
    }
  }

  @Test
  void withoutAGradientTheOperatorIsNamed() {
    try (Trainer trainer = trainer(PLAIN);
      Tensor given = Tensor.of(new float[] {1, 2}, 2, 1);
      Tensor wanted = Tensor.of(new float[] {16, 64}, 2, 1)) {
      assertThatThrownBy(() -> trainer.iterate(given, wanted)).isInstanceOfSatisfying(
        UnsupportedOperators.class, it -> assertThat(it.gaps()).extracting(UnsupportedOperators.Gap::operator)
          .containsExactly("my::Square"));
    }
  }
}
