package dev.cairn.runtime.operator.gradient;

import java.util.ArrayList;
import java.util.List;

/** {@code h = tanh(x·w + h·r + b)}. */
final class PlainCell implements RecurrentGradients.Cell {
  private final SequenceSteps steps;
  private final List<GradientExpression> sums = new ArrayList<>();

  PlainCell(SequenceSteps steps) {
    this.steps = steps;
  }

  @Override
  public GradientExpression back(int step, GradientExpression state) {
    GradientExpression value = steps.states().slice(0, step, step + 1L, 1).reshape(state.shape());
    GradientExpression sum = steps.throughTanh(state, value);
    sums.addFirst(sum);
    return sum.matmul(steps.recurrentWeights());
  }

  @Override
  public List<GradientExpression> inputSums() {
    return sums;
  }

  @Override
  public GradientExpression recurrentWeights() {
    return steps.rows(sums).transpose(1, 0).matmul(steps.flatStatesBefore());
  }

  @Override
  public GradientExpression firstCell() {
    return steps.zeros();
  }
}
