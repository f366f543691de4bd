package dev.cairn.runtime.symbolfile;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.symbol.Symbol;
import java.util.List;
import java.util.Map;
import java.util.function.BinaryOperator;
import java.util.function.UnaryOperator;

/** MXNet's functions of elements, reductions and products. */
final class MxnetMath {
  private MxnetMath() {}

  static void addTo(Map<String, MxnetNode.Conversion> table) {
    unary(table);
    binary(table);
    reductions(table);
    MxnetLayers.one(table, node -> node.x().clip(node.number("a_min", 0), node.number("a_max", 0)), "clip");
    MxnetLayers.one(table, MxnetMath::where, "where");
    MxnetLayers.one(table, node -> MxnetLayers.call(node, "Sum", Attributes.NONE), "add_n", "ElementWiseSum",
      "_sum", "sum_n");
    MxnetLayers.one(table, node -> node.x().astype(type(node.text("dtype", ""))), "Cast", "cast");
    MxnetLayers.one(table, MxnetMath::dot, "dot");
    MxnetLayers.one(table, node -> swapped(node, "transpose_a", node.x(), 0, 2, 1).matmul(swapped(node, "transpose_b",
      node.operand(1), 0, 2, 1)), "batch_dot");
  }

  /** A condition with fewer axes chooses rows: its axes are the first ones. */
  private static Symbol where(MxnetNode node) {
    Symbol condition = node.x();
    Symbol x = node.operand(1);
    Symbol own = condition.extents(Attributes.NONE);
    Symbol ones = x.extents(Attributes.NONE).mul(0).add(1);
    Symbol more = ones.callAll("Slice", Attributes.NONE, 1, List.of(own.extents(Attributes.NONE), x.constant(
      TensorView.ofLongs(Long.MAX_VALUE)))).get(0);
    Symbol rows = condition.reshapeKeeping(own.concat(0, List.of(more)));
    return rows.astype(DType.BOOL).where(x, node.operand(2));
  }

  /** The second operand has two axes; of more, MXNet's product is not that of matrices. */
  private static Symbol dot(MxnetNode node) {
    Symbol b = node.flag("transpose_b", false) ? node.operand(1).transpose(1, 0) : node.operand(1).transpose(0, 1);
    return swapped(node, "transpose_a", node.x(), 1, 0).matmul(b);
  }

  private static Symbol swapped(MxnetNode node, String attribute, Symbol operand, int... order) {
    return node.flag(attribute, false) ? operand.transpose(order) : operand;
  }

  private static void unary(Map<String, MxnetNode.Conversion> table) {
    Map<String, UnaryOperator<Symbol>> functions = Map.ofEntries(Map.entry("relu", Symbol::relu), Map.entry("sigmoid",
      Symbol::sigmoid), Map.entry("tanh", Symbol::tanh), Map.entry("exp", Symbol::exp), Map.entry("log", Symbol::log),
      Map.entry("sqrt", Symbol::sqrt), Map.entry("square", Symbol::square), Map.entry("abs", Symbol::abs),
      Map.entry("negative", Symbol::neg), Map.entry("erf", Symbol::erf), Map.entry("sin", Symbol::sin),
      Map.entry("cos", Symbol::cos), Map.entry("tan", Symbol::tan), Map.entry("arcsin", Symbol::asin),
      Map.entry("arccos", Symbol::acos), Map.entry("arctan", Symbol::atan), Map.entry("sinh", Symbol::sinh),
      Map.entry("cosh", Symbol::cosh), Map.entry("floor", Symbol::floor), Map.entry("ceil", Symbol::ceil),
      Map.entry("rint", MxnetMath::rounded), Map.entry("sign", Symbol::sign),
      Map.entry("reciprocal", Symbol::reciprocal), Map.entry("softsign", Symbol::softsign),
      Map.entry("rsqrt", x -> x.sqrt().reciprocal()),
      Map.entry("log1p", MxnetMath::logOfOneMore), Map.entry("expm1", MxnetMath::expLessOne));
    functions.forEach((name, function) -> MxnetLayers.one(table, node -> function.apply(node.x()), name));
    MxnetLayers.one(table, node -> node.x().call("HardSigmoid", Attributes.NONE.with("alpha", node.real("alpha", 0.2))
      .with("beta", node.real("beta", 0.5))), "hard_sigmoid");
  }

  /**
   * {@code log(1 + x)}, exact for small x: there it is {@code 2 atanh(x / (x + 2))}, since {@code 1 + x} drops the last
   * digits of x. The function that isn't taken reads a harmless number, so that its derivative is finite.
   */
  private static Symbol logOfOneMore(Symbol x) {
    Symbol isSmall = x.abs().lt(x.scalar(0.5));
    Symbol small = isSmall.where(x, x.scalar(0));
    Symbol large = isSmall.where(x.scalar(0), x);
    return isSmall.where(small.div(small.add(2)).call("Atanh", Attributes.NONE).mul(2), large.add(1).log());
  }

  /** {@code exp(x) - 1}, exact for small x: there it is {@code 2 t / (1 - t)} with {@code t = tanh(x / 2)}. */
  private static Symbol expLessOne(Symbol x) {
    Symbol isSmall = x.abs().lt(x.scalar(0.5));
    Symbol half = isSmall.where(x, x.scalar(0)).mul(0.5).tanh();
    Symbol large = isSmall.where(x.scalar(0), x);
    return isSmall.where(half.mul(2).div(half.neg().add(1)), large.exp().sub(1));
  }

  /** The nearest whole number; the lesser one if two are equally near. */
  private static Symbol rounded(Symbol x) {
    Symbol floor = x.floor();
    return floor.add(like(x.sub(floor).gt(x.scalar(0.5)), x));
  }

  private static void binary(Map<String, MxnetNode.Conversion> table) {
    Map<String, BinaryOperator<Symbol>> functions = Map.ofEntries(Map.entry("add", Symbol::add), Map.entry("plus",
      Symbol::add), Map.entry("sub", Symbol::sub), Map.entry("minus", Symbol::sub), Map.entry("mul", Symbol::mul),
      Map.entry("div", Symbol::div), Map.entry("power", Symbol::pow), Map.entry("maximum", Symbol::maximum),
      Map.entry("minimum", Symbol::minimum), Map.entry("equal", (a, b) -> like(a.eq(b), a)),
      Map.entry("not_equal", (a, b) -> like(a.ne(b), a)), Map.entry("greater", (a, b) -> like(a.gt(b), a)),
      Map.entry("greater_equal", (a, b) -> like(a.ge(b), a)), Map.entry("lesser", (a, b) -> like(a.lt(b), a)),
      Map.entry("lesser_equal", (a, b) -> like(a.le(b), a)));
    functions.forEach((name, function) -> {
      MxnetLayers.one(table, node -> function.apply(node.x(), node.operand(1)), "elemwise_" + name, "broadcast_" + name,
        "_" + name, "_" + capital(name));
      MxnetLayers.one(table, node -> function.apply(node.x(), scalar(node)), "_" + name + "_scalar", "_" + capital(name)
        + "Scalar");
    });
    Map<String, BinaryOperator<Symbol>> reversed = Map.of("minus", Symbol::sub, "div", Symbol::div, "power",
      Symbol::pow);
    reversed.forEach((name, function) -> MxnetLayers.one(table, node -> function.apply(scalar(node), node.x()), "_r"
      + name + "_scalar", "_R" + capital(name) + "Scalar"));
  }

  private static Symbol scalar(MxnetNode node) {
    return node.x().scalar(node.number("scalar", 0));
  }

  /** MXNet's comparisons give the operands' type. */
  private static Symbol like(Symbol truth, Symbol operand) {
    return truth.castLike(operand);
  }

  private static String capital(String name) {
    return Character.toUpperCase(name.charAt(0)) + name.substring(1);
  }

  private static void reductions(Map<String, MxnetNode.Conversion> table) {
    Map<String, Reduction> functions = Map.of("sum", Symbol::sum, "mean", Symbol::mean, "max", Symbol::max, "min",
      Symbol::min, "prod", Symbol::prod);
    functions.forEach((name, function) -> MxnetLayers.one(table, node -> {
      node.require("exclude", "False");
      return reduced(node, function);
    }, name, name + "_axis"));
    MxnetLayers.one(table, node -> {
      node.require("ord", "2");
      return reduced(node, Symbol::norm);
    }, "norm");
    MxnetLayers.one(table, node -> node.x().call("ArgMax", Attributes.NONE.with("axis", node.integer("axis", 0)).with(
      "keepdims", node.flag("keepdims", false) ? 1 : 0)).castLike(node.x()), "argmax");
  }

  @FunctionalInterface
  private interface Reduction {
    Symbol of(Symbol x, boolean keepsAxes, int... axes);
  }

  /** MXNet has no arrays without axes: a reduction of all elements has one. */
  private static Symbol reduced(MxnetNode node, Reduction function) {
    boolean keepsAxes = node.flag("keepdims", false);
    int[] axes = node.axes("axis");
    Symbol result = function.of(node.x(), keepsAxes, axes);
    return axes.length == 0 && !keepsAxes ? result.reshape(1) : result;
  }

  private static DType type(String name) {
    return switch (name) {
      case "float32" -> DType.FLOAT32;
      case "float64" -> DType.FLOAT64;
      case "float16" -> DType.FLOAT16;
      case "uint8" -> DType.UINT8;
      case "int8" -> DType.INT8;
      case "int32" -> DType.INT32;
      case "int64" -> DType.INT64;
      case "bool" -> DType.BOOL;
      default -> throw new MxnetNode.Unsupported("attribute dtype=" + name);
    };
  }
}
