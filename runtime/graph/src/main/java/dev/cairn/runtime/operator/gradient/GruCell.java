package dev.cairn.runtime.operator.gradient;

import dev.cairn.kernels.attribute.RecurrentForm;
import dev.cairn.runtime.graph.NodeEntry;
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
  private final NodeEntry before;
  private final NodeEntry update;
  private final NodeEntry reset;
  private final NodeEntry candidate;
  /** With {@code linear_before_reset}, the states' sums of the candidate; else what the candidate reads of them. */
  private final NodeEntry linear;
  private final List<NodeEntry> inputSums = new ArrayList<>();
  private final List<NodeEntry> stateSums = new ArrayList<>();

  GruCell(SequenceSteps steps) {
    this.steps = steps;
    this.g = steps.g();
    this.isLinearFirst = RecurrentForm.of(g.attributes()).isLinearFirst();
    this.before = steps.flatStatesBefore();
    NodeEntry ofInputs = steps.inputSums();
    NodeEntry ofStates = steps.plus(g.apply("MatMul", before, g.transpose(steps.recurrentWeights(), 1, 0)), steps.bias(
      true));
    this.update = g.apply("Sigmoid", g.add(steps.gate(ofInputs, 0), steps.gate(ofStates, 0)));
    this.reset = g.apply("Sigmoid", g.add(steps.gate(ofInputs, 1), steps.gate(ofStates, 1)));
    this.linear = isLinearFirst ? steps.gate(ofStates, 2) : g.mul(reset, before);
    NodeEntry rest = isLinearFirst ? g.mul(reset, linear) : resetSum();
    this.candidate = g.apply("Tanh", g.add(steps.gate(ofInputs, 2), rest));
  }

  /** The states' sum of the candidate, of states that were reset. */
  private NodeEntry resetSum() {
    NodeEntry sum = g.apply("MatMul", linear, g.transpose(steps.recurrentWeights(2), 1, 0));
    NodeEntry bias = steps.bias(true);
    return bias == null ? sum : g.add(sum, lastThird(bias));
  }

  private NodeEntry lastThird(NodeEntry bias) {
    long hidden = g.shape(bias).extent(0) / 3;
    return g.slice(bias, 0, 2 * hidden, 3 * hidden, 1);
  }

  @Override
  public NodeEntry back(int step, NodeEntry state) {
    NodeEntry z = steps.step(update, step);
    NodeEntry r = steps.step(reset, step);
    NodeEntry n = steps.step(candidate, step);
    NodeEntry old = steps.step(before, step);
    NodeEntry ofCandidate = steps.throughTanh(g.mul(state, g.oneMinus(z)), n);
    NodeEntry ofUpdate = steps.throughSigmoid(g.mul(state, g.sub(old, n)), z);
    NodeEntry kept = g.mul(state, z);
    if (isLinearFirst) {
      NodeEntry ofReset = steps.throughSigmoid(g.mul(ofCandidate, steps.step(linear, step)), r);
      inputSums.addFirst(SequenceSteps.joined(g, 1, List.of(ofUpdate, ofReset, ofCandidate)));
      NodeEntry sum = SequenceSteps.joined(g, 1, List.of(ofUpdate, ofReset, g.mul(ofCandidate, r)));
      stateSums.addFirst(sum);
      return g.add(kept, g.apply("MatMul", sum, steps.recurrentWeights()));
    }
    NodeEntry ofLinear = g.apply("MatMul", ofCandidate, steps.recurrentWeights(2));
    NodeEntry ofReset = steps.throughSigmoid(g.mul(ofLinear, old), r);
    inputSums.addFirst(SequenceSteps.joined(g, 1, List.of(ofUpdate, ofReset, ofCandidate)));
    NodeEntry through = g.add(g.apply("MatMul", ofUpdate, steps.recurrentWeights(0)), g.apply("MatMul", ofReset, steps
      .recurrentWeights(1)));
    return g.add(g.add(kept, g.mul(ofLinear, r)), through);
  }

  @Override
  public List<NodeEntry> inputSums() {
    return inputSums;
  }

  @Override
  public List<NodeEntry> stateSums() {
    return isLinearFirst ? stateSums : inputSums;
  }

  @Override
  public NodeEntry recurrentWeights() {
    NodeEntry sums = steps.rows(stateSums());
    if (isLinearFirst) {
      return g.apply("MatMul", g.transpose(sums, 1, 0), before);
    }
    List<NodeEntry> parts = new ArrayList<>();
    for (int gate = 0; gate < 3; gate++) {
      parts.add(g.apply("MatMul", g.transpose(steps.gate(sums, gate), 1, 0), gate < 2 ? before : linear));
    }
    return SequenceSteps.joined(g, 0, parts);
  }

  @Override
  public NodeEntry firstCell() {
    return steps.zeros();
  }
}
