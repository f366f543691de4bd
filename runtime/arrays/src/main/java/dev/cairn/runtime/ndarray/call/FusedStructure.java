package dev.cairn.runtime.ndarray.call;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.PointwiseProgram;
import dev.cairn.kernels.attribute.PointwiseSlots;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.invoke.Dispatch;
import dev.cairn.runtime.invoke.OperatorUse;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What fused calls have in common with those of the next round of a loop: kernels and types of the steps, and which
 * step reads what. Two are equal if one fused kernel serves both.
 */
final class FusedStructure {
  /** In place of an operand that is omitted. */
  static final int ABSENT = Integer.MIN_VALUE;

  private final Dispatch.Compute[] steps;
  private final int[] operands;
  private final int[] results;
  private final int[] updates;
  private final int hash;

  /**
   * The arrays become the structure's.
   *
   * @param steps how each step would run alone
   * @param operands of all steps, one after the other: an input's number, {@code ~n} for the value of step n, or {@link
   *   #ABSENT}
   * @param results steps whose values are written to memory
   * @param updates pairs of an input and a result that lie in the same memory
   */
  FusedStructure(Dispatch.Compute[] steps, int[] operands, int[] results, int[] updates) {
    this.steps = steps;
    this.operands = operands;
    this.results = results;
    this.updates = updates;
    int kernels = 0;
    for (Dispatch.Compute step : steps) {
      kernels = 31 * kernels + System.identityHashCode(step);
    }
    this.hash = 31 * (31 * (31 * kernels + Arrays.hashCode(operands)) + Arrays.hashCode(results)) + Arrays.hashCode(
      updates);
  }

  /** The fused operator for these steps. */
  OperatorUse use() {
    var program = new PointwiseProgram(programSteps(), Arrays.stream(results).boxed().toList());
    Attributes attributes = program.attributes();
    if (updates.length > 0) {
      attributes = attributes.with(PointwiseSlots.UPDATES, new AttributeValue.Ints(Arrays.stream(updates).asLongStream()
        .boxed().toList()));
    }
    return OperatorUse.of(PointwiseProgram.OPERATOR, attributes, results.length, inputTypes(program.inputCount()));
  }

  private List<PointwiseProgram.Step> programSteps() {
    List<PointwiseProgram.Step> all = new ArrayList<>();
    int at = 0;
    for (Dispatch.Compute step : steps) {
      List<PointwiseProgram.Operand> read = new ArrayList<>();
      for (int i = 0; i < step.signature().inputs().size(); i++) {
        int operand = operands[at++];
        read.add(operand == ABSENT
          ? new PointwiseProgram.Absent()
          : operand < 0 ? new PointwiseProgram.Value(~operand) : new PointwiseProgram.Input(operand));
      }
      all.add(new PointwiseProgram.Step(step.row().operator(), step.signature().attributes(), step.results().get(0)
        .dtype(), read));
    }
    return all;
  }

  private @Nullable TensorType[] inputTypes(int count) {
    @Nullable
    TensorType[] types = new TensorType[count];
    int at = 0;
    for (Dispatch.Compute step : steps) {
      for (int i = 0; i < step.signature().inputs().size(); i++) {
        int operand = operands[at++];
        if (operand >= 0) {
          types[operand] = step.signature().input(i);
        }
      }
    }
    return types;
  }

  /** A dispatch table gives equal calls the same answer, so that answers are compared by identity. */
  @SuppressWarnings("ReferenceEquality")
  private boolean hasStepsOf(FusedStructure that) {
    if (steps.length != that.steps.length) {
      return false;
    }
    for (int i = 0; i < steps.length; i++) {
      if (steps[i] != that.steps[i]) {
        return false;
      }
    }
    return true;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof FusedStructure that && hash == that.hash && hasStepsOf(that) && Arrays.equals(operands,
      that.operands) && Arrays.equals(results, that.results) && Arrays.equals(updates, that.updates);
  }

  @Override
  public int hashCode() {
    return hash;
  }
}
