package dev.cairn.runtime.operator.gradient;

import java.util.ArrayList;
import java.util.List;

/** Gates i, o, f and g: {@code c = f·c + i·g}, {@code h = o·tanh c}. */
final class LstmCell implements RecurrentGradients.Cell {
  private final SequenceSteps steps;
  private final List<GradientExpression> gates = new ArrayList<>();
  /** The cells before the first step, and after each. */
  private final List<GradientExpression> cells = new ArrayList<>();
  private final GradientExpression statesBefore;
  private final List<GradientExpression> sums = new ArrayList<>();
  private GradientExpression cell;

  LstmCell(SequenceSteps steps) {
    this.steps = steps;
    this.statesBefore = steps.flatStatesBefore();
    GradientExpression recurrent = steps.plus(statesBefore.matmul(steps.recurrentWeights().transpose(1, 0)), steps
      .bias(true));
    GradientExpression all = steps.inputSums().add(recurrent);
    for (int gate = 0; gate < 4; gate++) {
      GradientExpression part = steps.gate(all, gate);
      gates.add(gate < 3 ? part.sigmoid() : part.tanh());
    }
    cells.add(steps.firstCell());
    for (int step = 0; step < steps.count(); step++) {
      cells.add(gate(2, step).mul(cells.getLast()).add(gate(0, step).mul(gate(3, step))));
    }
    this.cell = steps.lastCell();
  }

  private GradientExpression gate(int gate, int step) {
    return steps.step(gates.get(gate), step);
  }

  @Override
  public GradientExpression back(int step, GradientExpression state) {
    GradientExpression tanh = cells.get(step + 1).tanh();
    GradientExpression output = gate(1, step);
    GradientExpression ofCell = cell.add(steps.throughTanh(state.mul(output), tanh));
    GradientExpression sum = SequenceSteps.joined(1, List.of(steps.throughSigmoid(ofCell.mul(gate(3, step)), gate(0,
      step)), steps.throughSigmoid(state.mul(tanh), output), steps.throughSigmoid(ofCell.mul(cells.get(step)),
        gate(2, step)),
      steps.throughTanh(ofCell.mul(gate(0, step)), gate(3, step))));
    sums.addFirst(sum);
    cell = ofCell.mul(gate(2, step));
    return sum.matmul(steps.recurrentWeights());
  }

  @Override
  public List<GradientExpression> inputSums() {
    return sums;
  }

  @Override
  public GradientExpression recurrentWeights() {
    return steps.rows(sums).transpose(1, 0).matmul(statesBefore);
  }

  @Override
  public GradientExpression firstCell() {
    return cell;
  }
}
