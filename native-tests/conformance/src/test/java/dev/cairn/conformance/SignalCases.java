package dev.cairn.conformance;

import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Random transforms of signals. They are short: ONNX Runtime multiplies its {@code float32} factors with each other, so
 * that its errors grow with the length.
 */
final class SignalCases {
  static final Map<String, Consumer<OneOperator>> ALL = Map.of("DFT", SignalCases::transform, "STFT",
    SignalCases::frames, "MelWeightMatrix", SignalCases::melWeights);

  private SignalCases() {}

  private static void transform(OneOperator it) {
    boolean complex = it.coin();
    int length = it.oneOf(1, 2, 4, 8);
    int axis = it.number(0, 1);
    Shape shape = axis == 0
      ? Shape.of(length, it.number(1, 3), complex ? 2 : 1)
      : Shape.of(it.number(1, 3), length, complex ? 2 : 1);
    it.input(it.floats(shape, -1, 1)).absent().constant(TensorView.ofLong(axis));
    it.with("inverse", complex ? it.number(0, 1) : 0).with("onesided", complex ? 0 : it.number(0, 1));
  }

  private static void frames(OneOperator it) {
    int length = it.oneOf(2, 4, 8);
    it.input(it.floats(Shape.of(it.number(1, 2), length + it.number(0, 9), 1), -1, 1)).constant(TensorView.ofLong(it
      .number(1, 4))).input(it.floats(Shape.of(length), 0, 1)).constant(TensorView.ofLong(length));
    it.with("onesided", it.number(0, 1));
  }

  private static void melWeights(OneOperator it) {
    it.constant(TensorView.ofLong(it.number(1, 12))).constant(TensorView.ofLong(it.oneOf(16, 64, 100))).constant(
      TensorView.ofLong(it.oneOf(8000, 16000))).constant(scalar(it.number(0, 500))).constant(scalar(
        it.number(2000,
          4000)));
  }

  private static TensorView scalar(float value) {
    return TensorView.ofFloats(Shape.SCALAR, value);
  }
}
