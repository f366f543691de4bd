package dev.cairn.kernels.cpu.quantized;

import dev.cairn.kernels.attribute.QuantizedInputs;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.tensor.TensorView;

/**
 * The scales, zero points and bias of a product of quantised tensors. Each list has one number for
 * all rows (or columns), or one for each; a shorter list starts again at its end.
 */
public final class QuantizedNumbers {
  private static final int[] NO_ZERO = {0};
  private static final float[] NO_SCALE = {1};

  private final int[] leftZeros;
  private final int[] rightZeros;
  private final float[] leftScales;
  private final float[] rightScales;
  private final float[] scales;
  private final int[] zeros;

  public QuantizedNumbers(KernelCall call, QuantizedInputs inputs) {
    leftZeros = whole(call, inputs.leftZero());
    rightZeros = whole(call, inputs.rightZero());
    leftScales = real(call, inputs.leftScale());
    rightScales = real(call, inputs.rightScale());
    scales = real(call, inputs.scale());
    zeros = whole(call, inputs.zero());
  }

  private static int[] whole(KernelCall call, int input) {
    if (!call.has(input)) {
      return NO_ZERO;
    }
    TensorView view = call.input(input);
    int[] values = new int[Math.toIntExact(view.elementCount())];
    for (int i = 0; i < values.length; i++) {
      values[i] = (int) view.longAt(i);
    }
    return values;
  }

  private static float[] real(KernelCall call, int input) {
    if (!call.has(input)) {
      return NO_SCALE;
    }
    TensorView view = call.input(input);
    float[] values = new float[Math.toIntExact(view.elementCount())];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) view.doubleAt(i);
    }
    return values;
  }

  /** The zero point of a row of the left matrix. */
  public int leftZero(long row) {
    return leftZeros[(int) (row % leftZeros.length)];
  }

  /** The zero point of a column of the right matrix, or of an output channel's weights. */
  public int rightZero(long column) {
    return rightZeros[(int) (column % rightZeros.length)];
  }

  /** The scale of an element of the product. */
  public float productScale(long row, long column) {
    return leftScales[(int) (row % leftScales.length)] * rightScales[(int) (column % rightScales.length)];
  }

  /** The result's zero point, for a row. */
  public int zero(long row) {
    return zeros[(int) (row % zeros.length)];
  }

  /** The result's scale, for a row. */
  public float scale(long row) {
    return scales[(int) (row % scales.length)];
  }
}
