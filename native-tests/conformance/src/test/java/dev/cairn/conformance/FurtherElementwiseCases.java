package dev.cairn.conformance;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Random models of elementwise operators that are rarer than those of {@link ElementwiseCases}. */
final class FurtherElementwiseCases {
  static final Map<String, Consumer<OneOperator>> ALL = all();

  private FurtherElementwiseCases() {}

  private static Map<String, Consumer<OneOperator>> all() {
    Map<String, Consumer<OneOperator>> all = new TreeMap<>();
    for (String name : List.of("Asinh", "Atan", "Cosh", "Mish", "Round", "Sinh", "Softplus", "Softsign")) {
      all.put(name, it -> it.input(it.floats(it.shape(0, 4), -4, 4)));
    }
    for (String name : List.of("Acos", "Asin", "Atanh", "Tan")) {
      all.put(name, it -> it.input(it.floats(it.shape(0, 4), -0.9, 0.9)));
    }
    all.put("Acosh", it -> it.input(it.floats(it.shape(0, 4), 1.1, 9)));
    for (String name : List.of("Celu", "Elu", "Swish", "ThresholdedRelu")) {
      all.put(name, it -> it.input(it.floats(it.shape(0, 4), -4, 4)).with("alpha", it.oneOf(1f, 0.3f, 2f)));
    }
    all.put("Selu", it -> it.input(it.floats(it.shape(0, 4), -4, 4)).with("alpha", 1.5f).with("gamma", 1.25f));
    all.put("Shrink", it -> it.input(it.floats(it.shape(0, 4), -4, 4)).with("lambd", 1.5f).with("bias", 0.5f));
    all.put("Sign", it -> it.input(it.tensor(it.oneOf(DType.FLOAT32, DType.INT32, DType.INT64), it.shape(0, 4), -2,
      2)));
    all.put("IsNaN", it -> it.input(it.floats(it.shape(0, 4), -2, 2)));
    all.put("IsInf", it -> it.input(it.floats(it.shape(0, 4), -2, 2)).with("detect_negative", it.number(0, 1)));
    all.put("BitwiseNot", it -> it.input(it.tensor(integer(it), it.shape(0, 4), 0, 99)));
    for (String name : List.of("BitwiseAnd", "BitwiseOr", "BitwiseXor")) {
      all.put(name, it -> ElementwiseCases.two(it, integer(it), 0, 99));
    }
    all.put("BitShift", it -> {
      ElementwiseCases.two(it, DType.UINT8, 0, 7);
      it.with("direction", it.oneOf("LEFT", "RIGHT"));
    });
    all.put("Xor", it -> ElementwiseCases.two(it, DType.BOOL, 0, 1));
    all.put("Mod", FurtherElementwiseCases::modulus);
    all.put("Mean", it -> ElementwiseCases.several(it, DType.FLOAT32));
    all.put("PRelu", it -> {
      Shape full = it.shape(0, 4);
      it.input(it.floats(full, -3, 3)).input(it.floats(it.stretching(full), -1, 1));
    });
    all.put("CastLike", it -> it.input(it.floats(it.shape(0, 3), -100, 100))
      .input(it.tensor(it.oneOf(DType.FLOAT64, DType.INT32, DType.INT64, DType.FLOAT16), Shape.of(1), 0, 1)));
    return all;
  }

  private static DType integer(OneOperator it) {
    return it.oneOf(DType.UINT8, DType.INT8, DType.INT32, DType.INT64);
  }

  /** Divisors of both signs, none of them 0. */
  private static void modulus(OneOperator it) {
    Shape full = it.shape(0, 3);
    DType dtype = it.oneOf(DType.FLOAT32, DType.INT32, DType.INT64);
    boolean negative = it.coin();
    it.input(it.tensor(dtype, full, -20, 20)).input(it.tensor(dtype, it.stretching(full), negative ? -7 : 1, negative
      ? -1
      : 7));
    it.with("fmod", dtype.isFloat() ? 1L : it.number(0, 1));
  }
}
