package dev.cairn.runtime.custom;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.operator.gradient.GradientContext;
import dev.cairn.runtime.operator.gradient.GradientExpression;
import java.lang.foreign.ValueLayout;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.DoubleBinaryOperator;

/**
 * Operators on {@code float32} whose kernels note their calls by number; the call with one number can be told to fail.
 * The numbers of a gradient's calls follow that of the operator itself.
 */
public final class FaultyOperators {
  private static final String NUMBER = "number";

  /** {@code t::Add}, {@code t::Sub}, {@code t::Mul}, {@code t::Neg}, and {@code t::Fork}, whose results are copies. */
  public static final OperatorRegistry REGISTRY = OperatorRegistry.of(operator("t::Add", 2, 1, Double::sum)
    .withGradient(g -> {
      g.give(0, g.head());
      g.give(1, g.head());
    }), operator("t::Sub", 2, 1, (a, b) -> a - b).withGradient(g -> {
      g.give(0, g.head());
      g.give(1, g.apply("t::Neg", next(g, 1), g.head()));
    }), operator("t::Mul", 2, 1, (a, b) -> a * b).withGradient(g -> {
      g.give(0, g.apply("t::Mul", next(g, 1), g.head(), g.operand(1)));
      g.give(1, g.apply("t::Mul", next(g, 2), g.head(), g.operand(0)));
    }), operator("t::Neg", 1, 1, (a, _) -> -a), operator("t::Fork", 1, 2, (a, _) -> a).withGradient(
      FaultyOperators::join));

  private static final Queue<Integer> CALLS = new ConcurrentLinkedQueue<>();
  private static volatile int failing = -1;

  private FaultyOperators() {}

  /** Notes calls anew; the call with this number fails. None fails for -1. */
  public static void failAt(int number) {
    CALLS.clear();
    failing = number;
  }

  /** The numbers of the calls, in ascending order. */
  public static List<Integer> calls() {
    return CALLS.stream().sorted().toList();
  }

  /** For the call with this number. */
  public static Attributes number(int number) {
    return Attributes.NONE.with(NUMBER, number);
  }

  private static Attributes next(GradientContext g, int distance) {
    return number(g.attributes().getInt(NUMBER, -1) + distance);
  }

  private static void join(GradientContext g) {
    GradientExpression first = g.head(0);
    GradientExpression second = g.head(1);
    if (first != null && second != null) {
      g.give(0, g.apply("t::Add", next(g, 1), first, second));
    } else {
      g.give(0, Objects.requireNonNull(first == null ? second : first));
    }
  }

  private static KernelOperator operator(String name, int inputs, int results, DoubleBinaryOperator function) {
    return KernelOperator.of(name, inputs, context -> Collections.nCopies(results, context.input(0))).withResults(
      results).withKernel(call -> run(name, call, function));
  }

  private static void run(String name, KernelCall call, DoubleBinaryOperator function) {
    int number = call.attributes().getInt(NUMBER, -1);
    CALLS.add(number);
    if (number == failing) {
      throw new IllegalStateException("planted in " + name + " " + number);
    }
    TensorView left = call.input(0);
    TensorView right = call.inputCount() > 1 ? call.input(1) : left;
    for (int result = 0; result < call.outputCount(); result++) {
      for (long i = 0; i < left.elementCount(); i++) {
        call.output(result).segment().setAtIndex(ValueLayout.JAVA_FLOAT, i, (float) function.applyAsDouble(left
          .doubleAt(i), right.doubleAt(i)));
      }
    }
  }
}
