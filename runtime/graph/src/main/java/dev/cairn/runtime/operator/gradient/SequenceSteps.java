package dev.cairn.runtime.operator.gradient;

import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One direction of a recurrent operator, in the order of its steps: operands, the states that it computed, and the head
 * gradients of them.
 */
final class SequenceSteps {
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

  static GradientExpression joined(int axis, List<GradientExpression> parts) {
    return parts.size() == 1
      ? parts.getFirst()
      : parts.getFirst().concat(axis, parts.subList(1, parts.size()));
  }

  /** An entry whose first axis is time. In the direction that runs backwards it is reversed. */
  GradientExpression inTime(GradientExpression entry) {
    return isReverse ? entry.slice(0, -1, Long.MIN_VALUE, -1) : entry;
  }

  /** One direction of an operand or result whose directions are its axis {@code axis}, without that axis. */
  private GradientExpression mine(GradientExpression entry, int axis) {
    Shape shape = entry.shape();
    GradientExpression part = shape.extent(axis) == 1 ? entry : entry.slice(axis, direction, direction + 1L, 1);
    return part.reshape(shape.without(axis));
  }

  GradientExpression weights() {
    return mine(g.operand(1), 0);
  }

  /** {@code gates·hidden x hidden}. */
  GradientExpression recurrentWeights() {
    return mine(g.operand(2), 0);
  }

  /** The recurrent weights of one gate. */
  GradientExpression recurrentWeights(int gate) {
    return recurrentWeights().slice(0, gate * hidden, (gate + 1) * hidden, 1);
  }

  /** The biases of the inputs' sums, or of the states'; null without biases. */
  @Nullable
  GradientExpression bias(boolean ofStates) {
    if (!g.hasOperand(RecurrentGradients.BIAS)) {
      return null;
    }
    long from = ofStates ? gates * hidden : 0;
    return mine(g.operand(RecurrentGradients.BIAS), 0).slice(0, from, from + gates * hidden, 1);
  }

  /** The inputs of all steps, {@code steps·batch x inputs}. */
  GradientExpression flatInputs() {
    return inTime(g.operand(0)).reshape(Shape.of(count * batch, g.operandShape(0).extent(2)));
  }

  /** Sums of all steps, {@code steps·batch x gates·hidden}: inputs times weights, and their bias. */
  GradientExpression inputSums() {
    return plus(flatInputs().matmul(weights().transpose(1, 0)), bias(false));
  }

  /** Hidden states after each step, {@code steps x batch x hidden}. */
  GradientExpression states() {
    return inTime(mine(g.result(0), 1));
  }

  /** Hidden states before each step, {@code steps·batch x hidden}. */
  GradientExpression flatStatesBefore() {
    GradientExpression first = first(RecurrentGradients.FIRST_STATE).reshape(Shape.of(1, batch, hidden));
    GradientExpression all = count == 1 ? first : joined(0, List.of(first, states().slice(0, 0, count - 1L, 1)));
    return all.reshape(Shape.of(count * batch, hidden));
  }

  private GradientExpression first(int operand) {
    return g.hasOperand(operand) ? mine(g.operand(operand), 0) : zeros();
  }

  GradientExpression firstCell() {
    return first(RecurrentGradients.FIRST_CELL);
  }

  GradientExpression zeros() {
    return g.filled(stateType(), 0);
  }

  private TensorType stateType() {
    return new TensorType(g.operandType(0).dtype(), Shape.of(batch, hidden));
  }

  /** One gate of the sums of all steps. */
  GradientExpression gate(GradientExpression sums, int gate) {
    return sums.slice(1, gate * hidden, (gate + 1) * hidden, 1);
  }

  /** One step of what all steps have, {@code batch x ...}. */
  GradientExpression step(GradientExpression all, int step) {
    return all.slice(0, step * batch, (step + 1) * batch, 1);
  }

  /** All steps below each other. */
  GradientExpression rows(List<GradientExpression> steps) {
    return joined(0, steps);
  }

  Shape sumsShape() {
    return Shape.of(gates * hidden);
  }

  /** The head gradient of a step's hidden state among the first result; null where there is none. */
  @Nullable
  GradientExpression head(int step) {
    GradientExpression all = g.head(0);
    if (all == null) {
      return null;
    }
    int at = isReverse ? count - 1 - step : step;
    return mine(all.slice(0, at, at + 1L, 1), 1).reshape(stateType().shape());
  }

  /** The head gradient of the last hidden state, or zeros. */
  GradientExpression lastState() {
    return last(1);
  }

  GradientExpression lastCell() {
    return last(2);
  }

  private GradientExpression last(int result) {
    GradientExpression head = result < g.results() ? g.head(result) : null;
    return head == null ? zeros() : mine(head, 0);
  }

  GradientExpression plus(@Nullable GradientExpression left, @Nullable GradientExpression right) {
    if (left == null || right == null) {
      return Objects.requireNonNull(left == null ? right : left);
    }
    return left.add(right);
  }

  /** {@code s·(1 - s)} times a gradient: through a sigmoid. */
  GradientExpression throughSigmoid(GradientExpression gradient, GradientExpression value) {
    return gradient.mul(value.mul(value.oneMinus()));
  }

  /** {@code 1 - t²} times a gradient: through a hyperbolic tangent. */
  GradientExpression throughTanh(GradientExpression gradient, GradientExpression value) {
    return gradient.mul(value.square().oneMinus());
  }
}
