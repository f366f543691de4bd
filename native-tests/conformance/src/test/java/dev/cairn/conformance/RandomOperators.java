package dev.cairn.conformance;

import static dev.cairn.conformance.RandomModel.ints;
import static dev.cairn.conformance.RandomModel.real;

import dev.cairn.conformance.RandomModel.Value;
import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.runtime.graph.NodeEntry;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;

/** The next piece of a {@link RandomModel}: an operator, or a few that exporters write together. */
final class RandomOperators {
  private static final List<String> UNARY = List.of("Relu", "Neg", "Abs", "Sigmoid", "Tanh", "Erf", "Sin", "Cos",
    "HardSwish", "Identity", "LeakyRelu", "HardSigmoid", "Gelu");
  private static final List<String> REDUCTIONS = List.of("ReduceMean", "ReduceMax", "ReduceMin", "ReduceSum");

  private final RandomModel model;
  private final RandomMoves moves;

  RandomOperators(RandomModel model) {
    this.model = model;
    this.moves = new RandomMoves(model);
  }

  void add(Value x) {
    switch (model.number(0, 15)) {
      case 0, 1 -> model.add(model.apply(UNARY.get(model.number(0, UNARY.size() - 1)), x.entry()), extents(x));
      case 2, 3 -> addBinary(x);
      case 4 -> addOfPositive(x);
      case 5 -> addChoice(x);
      case 6 -> addProduct(x);
      case 7 -> addGemm(x);
      case 8 -> addConvolution(x);
      case 9 -> addPool(x);
      case 10 -> addNorm(x);
      case 11 -> addReduction(x);
      case 12 -> addAttention(x);
      default -> moves.add(x);
    }
  }

  private static long[] extents(Value x) {
    return x.shape().extents();
  }

  private void addBinary(Value x) {
    NodeEntry y = model.stretching(x.shape());
    boolean swap = model.coin();
    String operator = model.oneOf("Add", "Sub", "Mul", "Max", "Min", "Sum");
    model.addBounded(model.apply(operator, swap ? y : x.entry(), swap ? x.entry() : y), extents(x));
  }

  private void addOfPositive(Value x) {
    NodeEntry positive = model.apply("Add", model.apply("Abs", x.entry()), model.number(0.25));
    switch (model.number(0, 4)) {
      case 0 -> model.add(model.apply("Sqrt", positive), extents(x));
      case 1 -> model.add(model.apply("Log", positive), extents(x));
      case 2 -> model.addBounded(model.apply("Reciprocal", positive), extents(x));
      case 3 -> model.addBounded(model.apply("Div", model.stretching(x.shape()), positive), extents(x));
      default -> model.addBounded(model.apply("Pow", positive, model.number(model.oneOf(2, 0, 1, 3) + 0.5 * model
        .number(0, 1))), extents(x));
    }
  }

  private void addChoice(Value x) {
    if (model.coin()) {
      model.add(model.apply("Clip", x.entry(), model.number(-0.4), model.number(0.6)), extents(x));
      return;
    }
    // Both sides are the same where the pieces meet, so there is no step.
    NodeEntry is = model.apply(model.oneOf("Greater", "LessOrEqual"), x.entry(), model.number(0.1234));
    NodeEntry shifted = model.apply("Sub", x.entry(), model.number(0.1234));
    model.add(model.apply("Where", is, shifted, model.apply("Mul", shifted, model.number(0.3))), extents(x));
  }

  private void addProduct(Value x) {
    if (x.rank() < 2) {
      return;
    }
    long columns = model.number(1, 20);
    long[] result = extents(x);
    result[x.rank() - 1] = columns;
    NodeEntry product = model.apply("MatMul", x.entry(), model.weights(x.shape().extent(-1), columns));
    if (model.coin()) {
      product = model.apply("Add", product, model.weights(columns));
    }
    model.addBounded(product, result);
  }

  private void addGemm(Value x) {
    if (x.rank() != 2) {
      return;
    }
    boolean turnLeft = model.coin();
    boolean turnRight = model.coin();
    long rows = x.shape().extent(turnLeft ? 1 : 0);
    long depth = x.shape().extent(turnLeft ? 0 : 1);
    long columns = model.number(1, 20);
    Attributes attributes = Attributes.NONE.with("transA", turnLeft ? 1 : 0).with("transB", turnRight ? 1 : 0).with(
      "alpha", real(model.oneOf(1, 2) * 0.5)).with("beta", real(model.oneOf(1, -2)));
    NodeEntry right = turnRight ? model.weights(columns, depth) : model.weights(depth, columns);
    model.addBounded(model.apply("Gemm", attributes, x.entry(), right, model.weights(model.oneOf(1L, columns))), rows,
      columns);
  }

  private void addConvolution(Value x) {
    if (x.rank() < 3) {
      return;
    }
    int spatial = x.rank() - 2;
    long channels = x.shape().extent(1);
    long groups = model.oneOf(1L, 1L, channels);
    long outputs = groups * model.number(1, 4);
    long[] weights = new long[spatial + 2];
    weights[0] = outputs;
    weights[1] = channels / groups;
    var window = new RandomWindow(model, x.shape(), false);
    System.arraycopy(window.taps(), 0, weights, 2, spatial);
    Attributes attributes = window.attributes().with("group", groups);
    NodeEntry result = model.coin()
      ? model.apply("Conv", attributes, x.entry(), model.weights(weights), model.weights(outputs))
      : model.apply("Conv", attributes, x.entry(), model.weights(weights));
    model.addBounded(result, window.results(x.shape().extent(0), outputs));
  }

  private void addPool(Value x) {
    if (x.rank() < 3) {
      return;
    }
    if (model.number(0, 4) == 0) {
      long[] result = extents(x);
      Arrays.fill(result, 2, result.length, 1);
      model.add(model.apply(model.oneOf("GlobalAveragePool", "GlobalMaxPool"), x.entry()), result);
      return;
    }
    var window = new RandomWindow(model, x.shape(), true);
    boolean average = model.coin();
    Attributes attributes = window.attributes().with("kernel_shape", ints(window.taps()));
    model.add(model.apply(average ? "AveragePool" : "MaxPool", average
      ? attributes.with("count_include_pad", model.number(0, 1))
      : attributes, x.entry()), window.results(x.shape().extent(0), x.shape().extent(1)));
  }

  private void addNorm(Value x) {
    int last = x.rank() - 1;
    long width = x.shape().extent(-1);
    switch (model.number(0, 3)) {
      case 0 -> model.add(model.apply("Softmax", Attributes.NONE.with("axis", model.number(-x.rank(), last)), x
        .entry()), extents(x));
      case 1 -> {
        // Two elements that are nearly the same would be far apart as parts of their deviation.
        if (width > 4) {
          model.add(model.apply("LayerNormalization", Attributes.NONE.with("axis", -1).with("epsilon", real(0.1)), x
            .entry(), model.weights(width), model.weights(width)), extents(x));
        }
      }
      case 2 -> {
        if (x.rank() > 1) {
          long channels = x.shape().extent(1);
          NodeEntry variance = model.apply("Add", model.apply("Abs", model.weights(channels)), model.number(0.5));
          model.addBounded(model.apply("BatchNormalization", x.entry(), model.weights(channels), model.weights(
            channels), model.weights(channels), variance), extents(x));
        }
      }
      default -> {
        if (x.rank() == 4) {
          model.add(model.apply("LRN", Attributes.NONE.with("size", model.oneOf(1, 3, 5)).with("alpha", real(0.02)), x
            .entry()), extents(x));
        }
      }
    }
  }

  private void addReduction(Value x) {
    long[] axes = LongStream.range(0, x.rank()).filter(_ -> model.coin()).toArray();
    if (axes.length == 0) {
      axes = new long[] {x.rank() - 1};
    }
    boolean keeps = model.coin();
    long[] marked = axes;
    long[] result = LongStream.range(0, x.rank()).filter(axis -> keeps || LongStream.of(marked).noneMatch(
      it -> it == axis)).map(axis -> LongStream.of(marked).anyMatch(it -> it == axis)
        ? 1
        : x.shape().extent(
          (int) axis))
      .toArray();
    if (result.length > 0) {
      model.addBounded(model.apply(REDUCTIONS.get(model.number(0, REDUCTIONS.size() - 1)), Attributes.NONE.with(
        "keepdims", keeps ? 1 : 0), x.entry(), model.longs(axes)), result);
    }
  }

  /** Adds attention, as an operator or in the form that older exporters write. */
  private void addAttention(Value x) {
    if (x.rank() != 4) {
      return;
    }
    Shape shape = x.shape();
    NodeEntry keys = model.stretching(shape);
    keys = model.apply("Add", x.entry(), keys);
    if (model.coin()) {
      model.add(model.apply("Attention", Attributes.NONE.with("is_causal", model.number(0, 1)), x.entry(), keys, keys),
        extents(x));
      return;
    }
    NodeEntry turned = model.apply("Transpose", Attributes.NONE.with("perm", ints(0, 1, 3, 2)), keys);
    NodeEntry scores = model.apply(model.oneOf("Mul", "Div"), model.apply("MatMul", x.entry(), turned), model.number(
      1.5));
    if (model.coin()) {
      scores = model.apply("Add", scores, model.weights(shape.extent(2), shape.extent(2)));
    }
    NodeEntry shares = model.apply("Softmax", Attributes.NONE.with("axis", -1), scores);
    model.add(model.apply("MatMul", shares, keys), extents(x));
  }

  static AttributeValue text(String value) {
    return new AttributeValue.Text(value);
  }
}
