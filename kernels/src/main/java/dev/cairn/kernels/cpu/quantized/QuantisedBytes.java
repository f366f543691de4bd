package dev.cairn.kernels.cpu.quantized;

import dev.cairn.kernels.attribute.QuantisedRange;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorView;

/**
 * What the bytes of a quantised tensor with one scale mean.
 *
 * @param zero the zero point
 */
public record QuantisedBytes(DType dtype, float scale, int zero, QuantisedRange range) {
  private static final int NUMBERS = 1 << Byte.SIZE;

  /** Of an input whose scale and zero point follow it. */
  public static QuantisedBytes ofInput(KernelCall call, int input) {
    return of(call.input(input).dtype(), call, input + 1);
  }

  /** Of the result, whose scale and zero point are inputs. */
  public static QuantisedBytes ofResult(KernelCall call, int scale) {
    return of(call.output(0).dtype(), call, scale);
  }

  private static QuantisedBytes of(DType dtype, KernelCall call, int scale) {
    TensorView zeros = call.input(scale + 1);
    return new QuantisedBytes(dtype, (float) call.input(scale).doubleAt(0), (int) zeros.longAt(0), QuantisedRange.of(
      dtype));
  }

  /** The whole number that a byte stands for. */
  public int whole(byte value) {
    return dtype.isUnsigned() ? value & 0xff : value;
  }

  /** By unsigned byte, the real number. */
  public float[] reals() {
    float[] reals = new float[NUMBERS];
    for (int i = 0; i < NUMBERS; i++) {
      reals[i] = (whole((byte) i) - zero) * scale;
    }
    return reals;
  }

  /** The byte of a real number. */
  public byte quantised(float real) {
    return (byte) range.quantised(real / scale, zero);
  }
}
