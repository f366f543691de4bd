package dev.cairn.runtime.autograd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.runtime.autograd.TapedProgram.Operation;
import dev.cairn.runtime.autograd.TapedProgram.Outcome;
import dev.cairn.runtime.autograd.TapedProgram.Step;
import dev.cairn.runtime.autograd.TapedProgram.Value;
import dev.cairn.runtime.custom.FaultyOperators;
import dev.cairn.runtime.engine.failure.OperationFailed;
import dev.cairn.runtime.ndarray.ArrayContract;
import dev.cairn.runtime.ndarray.ArrayOptions;
import dev.cairn.runtime.ndarray.ArrayRuntime;
import dev.cairn.runtime.ndarray.ArrayStats;
import dev.cairn.runtime.ndarray.NDArray;
import dev.cairn.runtime.pass.gradient.GradientRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * T-11, issue 22: each call of {@link FaultyOperators} in random programs on the tape fails in turn, forward and
 * backward; Cairn's own calls between them pass the failure on. Nothing hangs. What depends on the call throws its
 * failure, each time, and no kernel reads it; all else has the serial model's values. Nothing is left, and the same
 * runtime goes on.
 */
class TapedFaultsTest extends ArrayContract {
  @Override
  protected ArrayOptions options() {
    ArrayOptions options = super.options().withOperators(FaultyOperators.REGISTRY);
    return options.withEngine(options.engine().withCaptureSites(true));
  }

  @Test
  void eachCallOfSomeProgramsFailsInTurn() {
    eachCallFailsInTurn(0, 6);
  }

  @Test
  @Tag("long")
  void eachCallOfAHundredProgramsFailsInTurn() {
    eachCallFailsInTurn(0, 100);
  }

  private void eachCallFailsInTurn(int from, int to) {
    for (int seed = from; seed < to; seed++) {
      TapedProgram program = TapedProgram.random(seed);
      Outcome right = program.outcome(-1);
      assertThat(right.calls()).hasSizeGreaterThan(2);
      run(program, null, right);
      for (Operation failing : right.calls()) {
        run(program, failing, program.outcome(failing.number()));
      }
      run(program, null, right);
    }
  }

  @Test
  void aRuntimeWhoseFailureNobodyReadsClosesWithNothingHeld() {
    for (int seed = 0; seed < 3; seed++) {
      TapedProgram program = TapedProgram.random(seed);
      List<Operation> all = program.outcome(-1).calls();
      for (Operation failing : List.of(all.getFirst(), all.getLast())) {
        ArrayRuntime closed;
        try (var own = ArrayRuntime.open(options())) {
          closed = own;
          FaultyOperators.failAt(failing.number());
          calls(program, leaves(own, program));
        }
        assertThat(closed.stats().storages()).as("seed=%d failing=%s", seed, failing).isZero();
        assertThat(closed.stats().memory().bytesInUse()).as("seed=%d failing=%s", seed, failing).isZero();
      }
    }
  }

  private void run(TapedProgram program, @Nullable Operation failing, Outcome expected) {
    ArrayStats before = arrays.stats();
    FaultyOperators.failAt(failing == null ? -1 : failing.number());
    try (var _ = arrays.scope()) {
      List<NDArray> values = leaves(arrays, program);
      OperationFailed thrown = calls(program, values);
      if (failing != null && isNaive()) {
        requireNames(Objects.requireNonNull(thrown, "no call threw"), failing);
        checkBefore(values, failing, expected);
      } else {
        assertThat(thrown).isNull();
        checkAll(values, failing, expected);
        assertThat(FaultyOperators.calls()).isEqualTo(expected.calls().stream().map(Operation::number).sorted()
          .toList());
      }
    }
    // Every failure has been reported.
    arrays.waitAll();
    ArrayStats after = arrays.stats();
    assertThat(after.storages()).isEqualTo(before.storages());
    assertThat(after.memory().liveCount()).isEqualTo(before.memory().liveCount());
  }

  /** With gradients of both kinds. */
  private static List<NDArray> leaves(ArrayRuntime runtime, TapedProgram program) {
    List<NDArray> leaves = new ArrayList<>();
    for (float[] leaf : program.leaves()) {
      leaves.add(runtime.of(leaf, leaf.length).attachGradient(leaves.isEmpty()
        ? GradientRequest.ADD
        : GradientRequest.WRITE));
    }
    return leaves;
  }

  /**
   * Makes the program's calls and those of its gradient.
   *
   * @param values takes the results
   * @return what a call threw, where the engine runs everything in it
   */
  private static @Nullable OperationFailed calls(TapedProgram program, List<NDArray> values) {
    try (var _ = Autograd.record()) {
      for (int i = 0; i < program.steps().size(); i++) {
        Step step = program.steps().get(i);
        Attributes number = FaultyOperators.number(TapedProgram.number(i));
        NDArray left = values.get(step.left());
        NDArray right = values.get(step.right());
        switch (step.kind()) {
          case ADD -> values.add(add(left, number, right));
          case SUB -> values.add(sub(left, number, right));
          case MUL -> values.add(mul(left, number, right));
          case FORK -> values.addAll(fork(left, number));
          case PLUS -> values.add(left.add(right));
          case NEGATE -> values.add(left.neg());
          case VIEW -> values.add(left.reshape(left.shape().extents()));
        }
      }
    } catch (OperationFailed e) {
      return e;
    }
    try {
      backward(values.getLast());
      return null;
    } catch (OperationFailed e) {
      return e;
    }
  }

  // Failures name these methods.

  private static NDArray add(NDArray left, Attributes number, NDArray right) {
    return left.call("t::Add", number, right);
  }

  private static NDArray sub(NDArray left, Attributes number, NDArray right) {
    return left.call("t::Sub", number, right);
  }

  private static NDArray mul(NDArray left, Attributes number, NDArray right) {
    return left.call("t::Mul", number, right);
  }

  private static List<NDArray> fork(NDArray value, Attributes number) {
    return value.apply("t::Fork", number, 2, List.of(value));
  }

  private static void backward(NDArray y) {
    y.backward();
  }

  private static void requireNames(OperationFailed failure, Operation failing) {
    assertThat(failure.operation()).isEqualTo(failing.operator());
    assertThat(failure.site()).contains("TapedFaultsTest." + failing.caller() + "(TapedFaultsTest.java:");
    assertThat(failure).hasMessageContaining("planted in %s %d", failing.operator(), failing.number())
      .hasMessageContaining(failure.site());
  }

  private static void checkAll(List<NDArray> values, @Nullable Operation failing, Outcome expected) {
    assertThat(values).hasSameSizeAs(expected.values());
    int failures = 0;
    for (int i = 0; i < values.size(); i++) {
      failures += check(values.get(i), expected.values().get(i), failing);
    }
    for (int i = 0; i < expected.gradients().size(); i++) {
      Value gradient = expected.gradients().get(i);
      assertThat(values.get(i).isGradientFresh()).isEqualTo(gradient != null);
      if (gradient != null) {
        failures += check(values.get(i).gradient(), gradient, failing);
      }
    }
    assertThat(failures > 0).isEqualTo(failing != null);
  }

  /** @return 1 for an array that has failed, else 0 */
  private static int check(NDArray array, Value expected, @Nullable Operation failing) {
    if (!expected.isFailed() || failing == null) {
      assertThat(unsigned(array.toFloatArray())).as("failing=%s", failing).containsExactly(unsigned(expected
        .elements()));
      return 0;
    }
    for (int i = 0; i < 2; i++) {
      var failure = catchThrowableOfType(OperationFailed.class, array::toFloatArray);
      assertThat(failure).as("failing=%s", failing).isNotNull();
      requireNames(failure, failing);
    }
    return 1;
  }

  /** Where the failure has ended the calls: what was complete before has its value, and other gradients are zeros. */
  private static void checkBefore(List<NDArray> values, Operation failing, Outcome expected) {
    for (int i = 0; i < values.size(); i++) {
      assertThat(expected.values().get(i).isFailed()).isFalse();
      check(values.get(i), expected.values().get(i), failing);
    }
    for (int i = 0; i < expected.gradients().size(); i++) {
      Value gradient = expected.gradients().get(i);
      float[] found = values.get(i).gradient().toFloatArray();
      if (gradient != null && values.get(i).isGradientFresh()) {
        assertThat(gradient.isFailed()).isFalse();
        assertThat(unsigned(found)).as("failing=%s", failing).containsExactly(unsigned(gradient.elements()));
      } else {
        assertThat(found).as("failing=%s", failing).containsOnly(0);
      }
    }
  }

  /** With zeros of one sign: added to zeros, the others vanish. */
  private static float[] unsigned(float[] elements) {
    float[] same = new float[elements.length];
    for (int i = 0; i < same.length; i++) {
      same[i] = elements[i] + 0f;
    }
    return same;
  }
}
