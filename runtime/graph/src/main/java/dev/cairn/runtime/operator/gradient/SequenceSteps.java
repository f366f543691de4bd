package dev.cairn.runtime.operator.gradient;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.graph.NodeEntry;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One direction of a recurrent operator, in the order of its steps: operands, the states that it computed, and the head
 * gradients of them.
 */
final class SequenceSteps {
  private static final int BIAS = 3;
  private static final int FIRST_STATE = 5;
  private static final int FIRST_CELL = 6;

  private final GradientContext g;
  private final int gates;
  private final int direction;
  private final boolean isReverse;
  private final int count;
  private final long batch;
  private final long hidden;

  SequenceSteps(GradientContext g, int gates, int direction, boolean isReverse) {
    this.g = g;
    this.gates = gates;
    this.direction = direction;
    this.isReverse = isReverse;
    this.count = Math.toIntExact(g.operandShape(0).extent(0));
    this.batch = g.operandShape(0).extent(1);
    this.hidden = g.operandShape(2).extent(2);
  }

  GradientContext g() {
    return g;
  }

  int count() {
    return count;
  }

  static NodeEntry joined(GradientContext g, int axis, List<NodeEntry> parts) {
    return parts.size() == 1
      ? parts.getFirst()
      : g.apply("Concat", Attributes.NONE.with("axis", axis), parts.toArray(NodeEntry[]::new));
  }

  /** An entry whose first axis is time, turned round where this direction is. */
  NodeEntry inTime(NodeEntry entry) {
    return isReverse ? g.slice(entry, 0, -1, Long.MIN_VALUE, -1) : entry;
  }

  /** One direction of an operand or result whose directions are its axis {@code axis}, without that axis. */
  private NodeEntry mine(NodeEntry entry, int axis) {
    Shape shape = g.shape(entry);
    NodeEntry part = shape.extent(axis) == 1 ? entry : g.slice(entry, axis, direction, direction + 1L, 1);
    long[] extents = new long[shape.rank() - 1];
    for (int i = 0; i < extents.length; i++) {
      extents[i] = shape.extent(i < axis ? i : i + 1);
    }
    return g.reshape(part, Shape.of(extents));
  }

  NodeEntry weights() {
    return mine(g.operand(1), 0);
  }

  /** {@code gates·hidden x hidden}. */
  NodeEntry recurrentWeights() {
    return mine(g.operand(2), 0);
  }

  /** Those of one gate. */
  NodeEntry recurrentWeights(int gate) {
    return g.slice(recurrentWeights(), 0, gate * hidden, (gate + 1) * hidden, 1);
  }

  /** The biases of the inputs' sums, or of the states'; null without biases. */
  @Nullable
  NodeEntry bias(boolean ofStates) {
    if (!g.hasOperand(BIAS)) {
      return null;
    }
    long from = ofStates ? gates * hidden : 0;
    return g.slice(mine(g.operand(BIAS), 0), 0, from, from + gates * hidden, 1);
  }

  /** The inputs of all steps, {@code steps·batch x inputs}. */
  NodeEntry flatInputs() {
    return g.reshape(inTime(g.operand(0)), Shape.of(count * batch, g.operandShape(0).extent(2)));
  }

  /** Sums of all steps, {@code steps·batch x gates·hidden}: inputs times weights, and their bias. */
  NodeEntry inputSums() {
    return plus(g.apply("MatMul", flatInputs(), g.transpose(weights(), 1, 0)), bias(false));
  }

  /** Hidden states after each step, {@code steps x batch x hidden}. */
  NodeEntry states() {
    return inTime(mine(g.result(0), 1));
  }

  /** Hidden states before each step, {@code steps·batch x hidden}. */
  NodeEntry flatStatesBefore() {
    NodeEntry first = g.reshape(first(FIRST_STATE), Shape.of(1, batch, hidden));
    NodeEntry all = count == 1 ? first : joined(g, 0, List.of(first, g.slice(states(), 0, 0, count - 1L, 1)));
    return g.reshape(all, Shape.of(count * batch, hidden));
  }

  private NodeEntry first(int operand) {
    return g.hasOperand(operand) ? mine(g.operand(operand), 0) : zeros();
  }

  NodeEntry firstCell() {
    return first(FIRST_CELL);
  }

  NodeEntry zeros() {
    return g.filled(stateType(), 0);
  }

  private TensorType stateType() {
    return new TensorType(g.operandType(0).dtype(), Shape.of(batch, hidden));
  }

  /** One gate of all steps, of sums. */
  NodeEntry gate(NodeEntry sums, int gate) {
    return g.slice(sums, 1, gate * hidden, (gate + 1) * hidden, 1);
  }

  /** One step of what all steps have, {@code batch x ...}. */
  NodeEntry step(NodeEntry all, int step) {
    return g.slice(all, 0, step * batch, (step + 1) * batch, 1);
  }

  /** All steps below each other. */
  NodeEntry rows(List<NodeEntry> steps) {
    return joined(g, 0, steps);
  }

  Shape sumsShape() {
    return Shape.of(gates * hidden);
  }

  /** The head gradient of a step's hidden state among the first result; null where there is none. */
  @Nullable
  NodeEntry head(int step) {
    NodeEntry all = g.head(0);
    if (all == null) {
      return null;
    }
    int at = isReverse ? count - 1 - step : step;
    return g.reshape(mine(g.slice(all, 0, at, at + 1L, 1), 1), stateType().shape());
  }

  /** The head gradient of the last hidden state, or zeros. */
  NodeEntry lastState() {
    return last(1);
  }

  NodeEntry lastCell() {
    return last(2);
  }

  private NodeEntry last(int result) {
    NodeEntry head = result < g.results() ? g.head(result) : null;
    return head == null ? zeros() : mine(head, 0);
  }

  NodeEntry plus(@Nullable NodeEntry left, @Nullable NodeEntry right) {
    if (left == null || right == null) {
      return Objects.requireNonNull(left == null ? right : left);
    }
    return g.add(left, right);
  }

  /** {@code s·(1 - s)} times a gradient: through a sigmoid. */
  NodeEntry throughSigmoid(NodeEntry gradient, NodeEntry value) {
    return g.mul(gradient, g.mul(value, g.oneMinus(value)));
  }

  /** {@code 1 - t²} times a gradient: through a hyperbolic tangent. */
  NodeEntry throughTanh(NodeEntry gradient, NodeEntry value) {
    return g.mul(gradient, g.oneMinus(g.square(value)));
  }
}
