package dev.cairn.conformance;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.RecurrentNetwork.Cell;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Random recurrent networks. ONNX Runtime has no {@code layout} 1: cases of the standard and kernels' tests try it. */
final class RecurrentCases {
  static final Map<String, Consumer<OneOperator>> ALL = all();
  private static final String[] FUNCTIONS = {"Affine", "Relu", "LeakyRelu", "ThresholdedRelu", "Tanh", "ScaledTanh",
    "Sigmoid", "HardSigmoid", "Elu", "Softsign", "Softplus"};

  private RecurrentCases() {}

  private static Map<String, Consumer<OneOperator>> all() {
    Map<String, Consumer<OneOperator>> all = new TreeMap<>();
    for (Cell cell : Cell.values()) {
      all.put(cell.name(), it -> add(it, cell));
    }
    return all;
  }

  private static void add(OneOperator it, Cell cell) {
    int directions = it.number(1, 2);
    int steps = it.number(1, 5);
    int batch = it.number(1, 5);
    int hidden = it.number(1, 20);
    int input = it.number(1, 9);
    long rows = (long) cell.gates() * hidden;
    it.with("direction", directions == 2 ? "bidirectional" : it.oneOf("forward", "reverse")).with("hidden_size",
      (long) hidden);
    it.input(it.floats(Shape.of(steps, batch, input), -1, 1));
    for (long depth : new long[] {input, hidden}) {
      TensorView weights = it.floats(Shape.of(directions, rows, depth), -0.5, 0.5);
      if (it.coin()) {
        it.constant(weights);
      } else {
        it.input(weights);
      }
    }
    optional(it, it.coin(), it.floats(Shape.of(directions, 2 * rows), -1, 1));
    optional(it, it.coin(), it.tensor(DType.INT32, Shape.of(batch), 1, steps));
    optional(it, it.coin(), it.floats(Shape.of(directions, batch, hidden), -1, 1));
    if (cell == Cell.LSTM) {
      optional(it, it.coin(), it.floats(Shape.of(directions, batch, hidden), -1, 1));
      optional(it, it.coin(), it.floats(Shape.of(directions, 3L * hidden), -1, 1));
      it.with("input_forget", it.number(0, 1));
    }
    if (cell == Cell.GRU) {
      it.with("linear_before_reset", it.number(0, 1));
    }
    it.outputs(cell == Cell.LSTM ? 3 : 2);
    functions(it, cell.activations() * directions);
  }

  private static void optional(OneOperator it, boolean given, TensorView value) {
    if (given) {
      it.input(value);
    } else {
      it.absent();
    }
  }

  private static void functions(OneOperator it, int count) {
    if (it.coin()) {
      it.with("clip", 0.75f);
    }
    if (it.coin()) {
      return;
    }
    List<String> names = new ArrayList<>();
    List<Float> alphas = new ArrayList<>();
    List<Float> betas = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      String name = it.oneOf(FUNCTIONS);
      names.add(name);
      if (List.of("Affine", "LeakyRelu", "ThresholdedRelu", "ScaledTanh", "HardSigmoid", "Elu").contains(name)) {
        alphas.add(it.oneOf(0.25f, 0.5f));
      }
      if (List.of("Affine", "ScaledTanh", "HardSigmoid").contains(name)) {
        betas.add(it.oneOf(0.125f, 0.5f));
      }
    }
    it.with("activations", new AttributeValue.Texts(names)).with("activation_alpha", new AttributeValue.Reals(alphas))
      .with("activation_beta", new AttributeValue.Reals(betas));
  }
}
