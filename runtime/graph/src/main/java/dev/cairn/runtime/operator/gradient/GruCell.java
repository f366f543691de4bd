package dev.cairn.runtime.operator.gradient;

import dev.cairn.kernels.attribute.RecurrentForm;
import java.util.ArrayList;
import java.util.List;

/**
 * Gates z and r, and the candidate n: {@code h = (1 - z)·n + z·h}. The candidate reads {@code r·h}; or, with {@code
 * linear_before_reset}, r times the sum of the states.
 */
final class GruCell implements RecurrentGradients.Cell {
  private final SequenceSteps steps;
  private final GradientContext g;
  private final boolean isLinearFirst;
  private final GradientExpression before;
  private final GradientExpression update;
  private final GradientExpression reset;
  private final GradientExpression candidate;
  /** With {@code linear_before_reset}, the candidate's sums of the states; else the reset states, which it sums. */
  private final GradientExpression linear;
  private final List<GradientExpression> inputSums = new ArrayList<>();
  private final List<GradientExpression> stateSums = new ArrayList<>();

  GruCell(SequenceSteps steps) {
    this.steps = steps;
    this.g = steps.g();
    this.isLinearFirst = RecurrentForm.of(g.attributes()).isLinearFirst();
    this.before = steps.flatStatesBefore();
    GradientExpression ofInputs = steps.inputSums();
    GradientExpression ofStates = steps.plus(before.matmul(steps.recurrentWeights().transpose(1, 0)), steps.bias(
      true));
    this.update = steps.gate(ofInputs, 0).add(steps.gate(ofStates, 0)).sigmoid();
    this.reset = steps.gate(ofInputs, 1).add(steps.gate(ofStates, 1)).sigmoid();
    this.linear = isLinearFirst ? steps.gate(ofStates, 2) : reset.mul(before);
    GradientExpression rest = isLinearFirst ? reset.mul(linear) : resetSum();
    this.candidate = steps.gate(ofInputs, 2).add(rest).tanh();
  }

  /** The candidate's sum of the reset states. */
  private GradientExpression resetSum() {
    GradientExpression weights = steps.recurrentWeights(2);
    GradientExpression sum = linear.matmul(weights.transpose(1, 0));
    GradientExpression bias = steps.bias(true);
    long hidden = weights.shape().extent(0);
    return bias == null ? sum : sum.add(bias.slice(0, 2 * hidden, 3 * hidden, 1));
  }

  @Override
  public GradientExpression back(int step, GradientExpression state) {
    GradientExpression z = steps.step(update, step);
    GradientExpression r = steps.step(reset, step);
    GradientExpression n = steps.step(candidate, step);
    GradientExpression old = steps.step(before, step);
    GradientExpression ofCandidate = steps.throughTanh(state.mul(z.oneMinus()), n);
    GradientExpression ofUpdate = steps.throughSigmoid(state.mul(old.sub(n)), z);
    GradientExpression kept = state.mul(z);
    if (isLinearFirst) {
      GradientExpression ofReset = steps.throughSigmoid(ofCandidate.mul(steps.step(linear, step)), r);
      inputSums.addFirst(SequenceSteps.joined(1, List.of(ofUpdate, ofReset, ofCandidate)));
      GradientExpression sum = SequenceSteps.joined(1, List.of(ofUpdate, ofReset, ofCandidate.mul(r)));
      stateSums.addFirst(sum);
      return kept.add(sum.matmul(steps.recurrentWeights()));
    }
    GradientExpression ofLinear = ofCandidate.matmul(steps.recurrentWeights(2));
    GradientExpression ofReset = steps.throughSigmoid(ofLinear.mul(old), r);
    inputSums.addFirst(SequenceSteps.joined(1, List.of(ofUpdate, ofReset, ofCandidate)));
    GradientExpression through = ofUpdate.matmul(steps.recurrentWeights(0)).add(ofReset.matmul(steps
      .recurrentWeights(1)));
    return kept.add(ofLinear.mul(r)).add(through);
  }

  @Override
  public List<GradientExpression> inputSums() {
    return inputSums;
  }

  @Override
  public List<GradientExpression> stateSums() {
    return isLinearFirst ? stateSums : inputSums;
  }

  @Override
  public GradientExpression recurrentWeights() {
    GradientExpression sums = steps.rows(stateSums());
    if (isLinearFirst) {
      return sums.transpose(1, 0).matmul(before);
    }
    List<GradientExpression> parts = new ArrayList<>();
    for (int gate = 0; gate < 3; gate++) {
      parts.add(steps.gate(sums, gate).transpose(1, 0).matmul(gate < 2 ? before : linear));
    }
    return SequenceSteps.joined(0, parts);
  }

  @Override
  public GradientExpression firstCell() {
    return steps.zeros();
  }
}
