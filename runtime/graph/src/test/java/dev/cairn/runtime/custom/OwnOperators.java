package dev.cairn.runtime.custom;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.expression.Expression;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.operator.MemoryTraits;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Operators as users write them. */
final class OwnOperators {
  static final TensorType ROW = TensorType.of(DType.FLOAT32, 4);
  static final KernelOperator SQUARE = unary("my::Square", OwnOperators::square).withMemory(
    MemoryTraits.FIRST_IN_PLACE);
  /** {@link #SQUARE} with its gradient, {@code 2x}. */
  static final KernelOperator SMOOTH = unary("my::Smooth", OwnOperators::square).withGradient(g -> g.give(0, g.head()
    .mul(g.operand(0).add(g.operand(0)))));
  static final CompositeOperator MISH = CompositeOperator.of("my::Mish", 1, OwnOperators::mish);

  private OwnOperators() {}

  static KernelOperator unary(String name, dev.cairn.kernels.catalog.Kernel kernel) {
    return KernelOperator.of(name, 1, context -> List.of(context.input(0))).withKernel(kernel);
  }

  static void square(KernelCall call) {
    for (long i = 0; i < call.output(0).elementCount(); i++) {
      float x = (float) call.input(0).doubleAt(i);
      put(call.output(0), i, x * x);
    }
  }

  static void put(TensorView view, long index, float value) {
    view.segment().setAtIndex(ValueLayout.JAVA_FLOAT_UNALIGNED, index, value);
  }

  /** The square, and a count of its calls. */
  static KernelOperator counted(AtomicInteger calls) {
    return unary("my::Square", call -> {
      calls.incrementAndGet();
      square(call);
    });
  }

  static <T extends Expression<T>> List<T> mish(List<@Nullable T> inputs, Attributes attributes) {
    T x = Objects.requireNonNull(inputs.get(0));
    return List.of(x.mul(x.exp().add(1).log().tanh()));
  }

  /** {@code y = f(Relu(x))} of one row. */
  static Graph over(String operator) {
    return over(operator, ROW);
  }

  static Graph over(String operator, TensorType type) {
    var graph = new GraphBuilder("own");
    NodeEntry x = graph.input("x", type);
    graph.output("y", graph.apply("Relu", graph.within("head").apply(operator, graph.apply("Relu", x))));
    return graph.build();
  }
}
