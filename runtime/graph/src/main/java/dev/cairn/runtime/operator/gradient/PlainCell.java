package dev.cairn.runtime.operator.gradient;

import dev.cairn.runtime.graph.NodeEntry;
import java.util.ArrayList;
import java.util.List;

/** {@code h = tanh(x·w + h·r + b)}. */
final class PlainCell implements RecurrentGradients.Cell {
  private final SequenceSteps steps;
  private final GradientContext g;
  private final List<NodeEntry> sums = new ArrayList<>();

  PlainCell(SequenceSteps steps) {
    this.steps = steps;
    this.g = steps.g();
  }

  @Override
  public NodeEntry back(int step, NodeEntry state) {
    NodeEntry value = g.reshape(g.slice(steps.states(), 0, step, step + 1L, 1), g.shape(state));
    NodeEntry sum = steps.throughTanh(state, value);
    sums.addFirst(sum);
    return g.apply("MatMul", sum, steps.recurrentWeights());
  }

  @Override
  public List<NodeEntry> inputSums() {
    return sums;
  }

  @Override
  public List<NodeEntry> stateSums() {
    return sums;
  }

  @Override
  public NodeEntry recurrentWeights() {
    return g.apply("MatMul", g.transpose(steps.rows(sums), 1, 0), steps.flatStatesBefore());
  }

  @Override
  public NodeEntry firstCell() {
    return steps.zeros();
  }
}
