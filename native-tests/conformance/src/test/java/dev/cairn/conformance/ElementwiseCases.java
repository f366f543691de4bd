package dev.cairn.conformance;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Random models of operators that map each element by itself. */
final class ElementwiseCases {
  static final Map<String, Consumer<OneOperator>> ALL = all();

  private ElementwiseCases() {}

  private static Map<String, Consumer<OneOperator>> all() {
    Map<String, Consumer<OneOperator>> all = new TreeMap<>();
    for (String name : List.of("Abs", "Ceil", "Cos", "Erf", "Exp", "Floor", "HardSwish", "Neg", "Relu", "Sigmoid",
      "Sin", "Tanh")) {
      all.put(name, it -> it.input(it.floats(it.shape(0, 4), -5, 5)));
    }
    for (String name : List.of("Log", "Reciprocal", "Sqrt")) {
      all.put(name, it -> it.input(it.floats(it.shape(0, 4), 0.05, 8)));
    }
    all.put("LeakyRelu", it -> it.input(it.floats(it.shape(0, 4), -5, 5)).with("alpha", it.oneOf(0.01f, 0.3f)));
    all.put("HardSigmoid", it -> it.input(it.floats(it.shape(0, 4), -5, 5)).with("alpha", 0.3f).with("beta", 0.4f));
    all.put("Gelu",
      it -> it.input(it.floats(it.shape(0, 4), -5, 5)).with("approximate", it.oneOf("none", "tanh")));
    all.put("Not", it -> it.input(it.booleans(it.shape(0, 3))));
    for (String name : List.of("And", "Or")) {
      all.put(name, it -> two(it, DType.BOOL, 0, 1));
    }
    for (String name : List.of("Add", "Mul", "Sub")) {
      all.put(name, it -> two(it, it.oneOf(DType.FLOAT32, DType.INT32, DType.INT64), -9, 9));
    }
    all.put("Div", it -> two(it, it.oneOf(DType.FLOAT32, DType.INT32, DType.INT64), 1, 9));
    for (String name : List.of("Equal", "Greater", "GreaterOrEqual", "Less", "LessOrEqual")) {
      all.put(name, it -> two(it, it.oneOf(DType.FLOAT32, DType.INT32, DType.INT64), -2, 2));
    }
    for (String name : List.of("Max", "Min")) {
      all.put(name, it -> several(it, it.oneOf(DType.FLOAT32, DType.INT32, DType.INT64)));
    }
    all.put("Sum", it -> several(it, DType.FLOAT32));
    all.put("Pow", ElementwiseCases::power);
    all.put("Clip", ElementwiseCases::clip);
    all.put("Cast", ElementwiseCases::cast);
    all.put("Where", ElementwiseCases::where);
    return all;
  }

  /** Two operands, of which either or both stretch. */
  static void two(OneOperator it, DType dtype, double low, double high) {
    Shape full = it.shape(0, 4);
    boolean swap = it.coin();
    Shape other = it.stretching(full);
    it.input(it.tensor(dtype, swap ? other : full, low, high)).input(it.tensor(dtype, swap ? full : other, low, high));
  }

  static void several(OneOperator it, DType dtype) {
    Shape full = it.shape(0, 3);
    int count = it.number(1, 4);
    for (int i = 0; i < count; i++) {
      it.input(it.tensor(dtype, it.stretching(full), -5, 5));
    }
  }

  private static void power(OneOperator it) {
    Shape full = it.shape(0, 3);
    DType exponent = it.oneOf(DType.FLOAT32, DType.INT64, DType.INT32);
    it.input(it.floats(full, 0.2, 3)).input(it.tensor(exponent, it.stretching(full), -3, 3));
  }

  private static void clip(OneOperator it) {
    DType dtype = it.oneOf(DType.FLOAT32, DType.INT64);
    it.input(it.tensor(dtype, it.shape(0, 4), -9, 9));
    TensorView least = it.tensor(dtype, Shape.SCALAR, -5, -1);
    if (it.coin()) {
      it.input(least);
    } else {
      it.absent();
    }
    if (it.coin()) {
      it.constant(it.tensor(dtype, Shape.SCALAR, 1, 5));
    }
  }

  private static void cast(OneOperator it) {
    DType[] types = {DType.FLOAT32, DType.FLOAT64, DType.FLOAT16, DType.INT32, DType.INT64, DType.INT8, DType.BOOL};
    if (it.number(0, 2) == 0) {
      castOfStrings(it);
      return;
    }
    DType from = it.oneOf(types);
    boolean narrow = from == DType.BOOL;
    it.input(it.tensor(from, it.shape(0, 3), narrow ? 0 : -100, narrow ? 1 : 100))
      .with("to", it.oneOf(types).toString());
  }

  private static void castOfStrings(OneOperator it) {
    if (it.coin()) {
      // ONNX Runtime writes eight digits of a float64, which then is another number.
      it.input(it.tensor(it.oneOf(DType.FLOAT32, DType.INT64, DType.INT32), it.shape(0, 3), -1e6, 1e6)).with("to",
        "string");
    } else {
      DType to = it.oneOf(DType.FLOAT32, DType.FLOAT64, DType.INT64, DType.INT32);
      String[] words = to.isFloat()
        ? new String[] {"1.5", "-2e3", "NaN", "INF", "-INF", "7"}
        : new String[] {"-5", "7"};
      it.input(it.strings(it.shape(0, 3), words)).with("to", to.toString());
    }
  }

  private static void where(OneOperator it) {
    Shape full = it.shape(0, 4);
    DType dtype = it.oneOf(DType.FLOAT32, DType.INT64, DType.INT32, DType.UINT8);
    it.input(it.booleans(it.stretching(full)))
      .input(it.tensor(dtype, it.stretching(full), 0, 9))
      .input(it.tensor(dtype, full, 0, 9));
  }
}
