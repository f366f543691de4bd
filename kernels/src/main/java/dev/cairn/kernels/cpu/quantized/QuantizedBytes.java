package dev.cairn.kernels.cpu.quantized;

import dev.cairn.kernels.attribute.QuantizedRange;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorView;

/**
 * The meaning of the bytes of a quantised tensor with one scale.
 *
 * @param zero the zero point
 */
public record QuantizedBytes(DType dtype, float scale, int zero, QuantizedRange range) {
  private static final int NUMBERS = 1 << Byte.SIZE;

  /** The bytes of an input, whose scale and zero point are the inputs behind it. */
  public static QuantizedBytes ofInput(KernelCall call, int input) {
    return of(call.input(input).dtype(), call, input + 1);
  }

  /** The bytes of the result, whose scale and zero point are inputs. */
  public static QuantizedBytes ofResult(KernelCall call, int scale) {
    return of(call.output(0).dtype(), call, scale);
  }

  private static QuantizedBytes of(DType dtype, KernelCall call, int scale) {
    TensorView zeros = call.input(scale + 1);
    return new QuantizedBytes(dtype, (float) call.input(scale).doubleAt(0), (int) zeros.longAt(0), QuantizedRange.of(
      dtype));
  }

  /** The whole number that a byte stands for. */
  public int whole(byte value) {
    return dtype.isUnsigned() ? value & 0xff : value;
  }

  /** For each unsigned byte, the real number. */
  public float[] reals() {
    float[] reals = new float[NUMBERS];
    for (int i = 0; i < NUMBERS; i++) {
      reals[i] = (whole((byte) i) - zero) * scale;
    }
    return reals;
  }

  /** The byte of a real number. */
  public byte quantized(float real) {
    return (byte) range.quantized(real / scale, zero);
  }
}
