package dev.cairn.runtime.operator.gradient;

import dev.cairn.kernels.attribute.RecurrentForm;
import dev.cairn.kernels.tensor.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Gradients of {@code LSTM}, {@code GRU} and {@code RNN} through time. The results give the hidden states, so gates are
 * computed again for all steps at once; what remains step by step are the gradients of states, and cells of an LSTM.
 */
public final class RecurrentGradients {
  private static final int X = 0;
  private static final int W = 1;
  private static final int R = 2;
  static final int BIAS = 3;
  private static final int LENGTHS = 4;
  static final int FIRST_STATE = 5;
  static final int FIRST_CELL = 6;
  private static final int PEEPHOLES = 7;

  private RecurrentGradients() {}

  public static void lstm(GradientContext g) {
    of(g, 4, LstmCell::new);
  }

  public static void gru(GradientContext g) {
    of(g, 3, GruCell::new);
  }

  public static void plain(GradientContext g) {
    of(g, 1, PlainCell::new);
  }

  /** One direction of one operator: how gradients of a step's state become those of its sums. */
  interface Cell {
    /**
     * One step, the last first.
     *
     * @param state the gradient of the step's hidden state
     * @return the gradient of the state before
     */
    GradientExpression back(int step, GradientExpression state);

    /** The gradients of the sums from the inputs, a step each, in the order of time. */
    List<GradientExpression> inputSums();

    /** The gradients of the sums from the states, where they differ from those of the sums from the inputs. */
    default List<GradientExpression> stateSums() {
      return inputSums();
    }

    /** The gradient of the recurrent weights, {@code gates·hidden x hidden}. */
    GradientExpression recurrentWeights();

    /** The gradient of the first cells; zeros where there are none. */
    GradientExpression firstCell();
  }

  private static void requirePlain(GradientContext g, int gates) {
    RecurrentForm form = RecurrentForm.of(g.attributes());
    List<String> usual = gates == 4
      ? List.of("Sigmoid", "Tanh", "Tanh")
      : gates == 3 ? List.of("Sigmoid", "Tanh") : List.of("Tanh");
    List<String> names = form.activations();
    boolean isUsual = IntStream.range(0, names.size()).allMatch(it -> names.get(it).equals(usual.get(it % usual
      .size())));
    if (!isUsual || form.clip() != 0 || form.layout() != 0 || form.couplesGates() || g.hasOperand(LENGTHS)
      || g.hasOperand(PEEPHOLES)) {
      throw g.gap("only without lengths, peepholes, clipping and other activations or layouts");
    }
  }

  private static void of(GradientContext g, int gates, Function<SequenceSteps, Cell> maker) {
    requirePlain(g, gates);
    boolean isReversed = RecurrentForm.of(g.attributes()).isReversed();
    int directions = Math.toIntExact(g.operandShape(W).extent(0));
    List<List<GradientExpression>> given = new ArrayList<>();
    for (int d = 0; d < directions; d++) {
      boolean isReverse = isReversed || d == 1;
      var steps = new SequenceSteps(g, gates, d, isReverse);
      given.add(gradients(steps, maker.apply(steps)));
    }
    for (int operand : new int[] {W, R, BIAS, FIRST_STATE, FIRST_CELL}) {
      if (g.hasOperand(operand) && g.wanted(operand)) {
        Shape one = g.operandShape(operand).with(0, 1);
        g.give(operand, SequenceSteps.joined(0, given.stream().map(it -> it.get(operand).reshape(one)).toList()));
      }
    }
    if (g.wanted(X)) {
      g.give(X, given.stream().map(it -> it.get(X)).reduce(GradientExpression::add).orElseThrow());
    }
  }

  /** The gradients of one direction's operands, in the order of the operator's. */
  private static List<GradientExpression> gradients(SequenceSteps steps, Cell cell) {
    GradientContext g = steps.g();
    GradientExpression state = steps.lastState();
    for (int step = steps.count() - 1; step >= 0; step--) {
      state = cell.back(step, steps.plus(steps.head(step), state));
    }
    GradientExpression sums = steps.rows(cell.inputSums());
    GradientExpression recurrent = cell.stateSums().equals(cell.inputSums()) ? sums : steps.rows(cell.stateSums());
    GradientExpression turned = sums.transpose(1, 0);
    GradientExpression x = steps.inTime(sums.matmul(steps.weights()).reshape(g.operandShape(X)));
    GradientExpression w = turned.matmul(steps.flatInputs());
    GradientExpression bias = SequenceSteps.joined(0,
      List.of(sums.sumOver(0).reshape(steps.sumsShape()), recurrent.sumOver(0).reshape(steps.sumsShape())));
    GradientExpression[] all = new GradientExpression[PEEPHOLES];
    Arrays.fill(all, x);
    all[W] = w;
    all[R] = cell.recurrentWeights();
    all[BIAS] = bias;
    all[FIRST_STATE] = state;
    all[FIRST_CELL] = cell.firstCell();
    return List.of(all);
  }
}
