package dev.cairn.runtime.operator.gradient;

import dev.cairn.runtime.graph.NodeEntry;
import java.util.ArrayList;
import java.util.List;

/** Gates i, o, f and g: {@code c = f·c + i·g}, {@code h = o·tanh c}. */
final class LstmCell implements RecurrentGradients.Cell {
  private final SequenceSteps steps;
  private final GradientContext g;
  private final List<NodeEntry> gates = new ArrayList<>();
  /** The cells before the first step, and after each. */
  private final List<NodeEntry> cells = new ArrayList<>();
  private final NodeEntry statesBefore;
  private final List<NodeEntry> sums = new ArrayList<>();
  private NodeEntry cell;

  LstmCell(SequenceSteps steps) {
    this.steps = steps;
    this.g = steps.g();
    this.statesBefore = steps.flatStatesBefore();
    NodeEntry recurrent = steps.plus(g.apply("MatMul", statesBefore, g.transpose(steps.recurrentWeights(), 1, 0)), steps
      .bias(true));
    NodeEntry all = g.add(steps.inputSums(), recurrent);
    for (int gate = 0; gate < 4; gate++) {
      gates.add(g.apply(gate < 3 ? "Sigmoid" : "Tanh", steps.gate(all, gate)));
    }
    cells.add(steps.firstCell());
    for (int step = 0; step < steps.count(); step++) {
      cells.add(g.add(g.mul(gate(2, step), cells.getLast()), g.mul(gate(0, step), gate(3, step))));
    }
    this.cell = steps.lastCell();
  }

  private NodeEntry gate(int gate, int step) {
    return steps.step(gates.get(gate), step);
  }

  @Override
  public NodeEntry back(int step, NodeEntry state) {
    NodeEntry tanh = g.apply("Tanh", cells.get(step + 1));
    NodeEntry output = gate(1, step);
    NodeEntry ofCell = g.add(cell, steps.throughTanh(g.mul(state, output), tanh));
    NodeEntry sum = SequenceSteps.joined(g, 1, List.of(steps.throughSigmoid(g.mul(ofCell, gate(3, step)), gate(0,
      step)), steps.throughSigmoid(g.mul(state, tanh), output), steps.throughSigmoid(g.mul(ofCell, cells.get(step)),
        gate(2, step)),
      steps.throughTanh(g.mul(ofCell, gate(0, step)), gate(3, step))));
    sums.addFirst(sum);
    cell = g.mul(ofCell, gate(2, step));
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
    return g.apply("MatMul", g.transpose(steps.rows(sums), 1, 0), statesBefore);
  }

  @Override
  public NodeEntry firstCell() {
    return cell;
  }
}
