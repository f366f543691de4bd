package dev.cairn.runtime.custom;

import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.DoubleBinaryOperator;

/** Operators on {@code float32} whose kernels count their calls; one call can be told to fail. */
public final class FaultyOperators {
  /** {@code t::Add}, {@code t::Mul}, {@code t::Sin} and {@code t::Cos}; their gradients are built of each other. */
  public static final OperatorRegistry REGISTRY = OperatorRegistry.of(operator("t::Add", 2, (a, b) -> a + b)
    .withGradient(g -> {
      g.give(0, g.head());
      g.give(1, g.head());
    }), operator("t::Mul", 2, (a, b) -> a * b).withGradient(g -> {
      g.give(0, g.apply("t::Mul", g.head(), g.operand(1)));
      g.give(1, g.apply("t::Mul", g.head(), g.operand(0)));
    }), operator("t::Sin", 1, (a, _) -> Math.sin(a)).withGradient(g -> g.give(0, g.apply("t::Mul", g.head(), g.apply(
      "t::Cos", g.operand(0))))),
    operator("t::Cos", 1, (a, _) -> Math.cos(a)).withGradient(g -> g.give(0, g.apply("t::Mul", g.head(), g.neg(g.apply(
      "t::Sin", g.operand(0)))))));

  private static final AtomicInteger CALLS = new AtomicInteger();
  private static volatile int failing = -1;

  private FaultyOperators() {}

  /** Counts anew; the call with this number, from 0, fails. None fails for -1. */
  public static void failAt(int call) {
    CALLS.set(0);
    failing = call;
  }

  /** How many calls there were. */
  public static int calls() {
    return CALLS.get();
  }

  private static KernelOperator operator(String name, int inputs, DoubleBinaryOperator function) {
    return KernelOperator.of(name, inputs, context -> List.of(context.input(0))).withKernel(call -> run(name, call,
      function));
  }

  private static void run(String name, KernelCall call, DoubleBinaryOperator function) {
    if (CALLS.getAndIncrement() == failing) {
      throw new IllegalStateException("planted in " + name);
    }
    TensorView left = call.input(0);
    TensorView right = call.inputCount() > 1 ? call.input(1) : left;
    for (long i = 0; i < call.output(0).elementCount(); i++) {
      call.output(0).segment().setAtIndex(ValueLayout.JAVA_FLOAT, i, (float) function.applyAsDouble(left.doubleAt(i),
        right.doubleAt(i)));
    }
  }
}
