package dev.cairn.kernels.cpu.quantized;

import dev.cairn.kernels.attribute.QuantizedRange;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.ValueLayout;

/**
 * {@code DynamicQuantizeLinear(x)}: {@code uint8} elements, and the scale and zero point that use their whole range.
 * The range is widened to 0, and NaN has no part in it.
 */
public final class CpuDynamicQuantize implements Kernel {
  private static final QuantizedRange RANGE = QuantizedRange.of(DType.UINT8);
  private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;
  private static final long GRAIN = 1 << 13;

  /** The scale and zero point of a range of numbers. */
  public record Parameters(float scale, int zero) {

    /** @param least at most 0, as {@code most} is at least */
    public static Parameters of(float least, float most) {
      float scale = most == least ? 1 : (most - least) / RANGE.most();
      float zero = RANGE.least() - least / scale;
      return new Parameters(scale, RANGE.quantized(zero, 0));
    }

    /** Writes the second and third result. */
    public void write(KernelCall call) {
      call.output(1).segment().set(FLOAT, 0, scale);
      call.output(2).segment().set(ValueLayout.JAVA_BYTE, 0, (byte) zero);
    }
  }

  @Override
  public void run(KernelCall call) {
    TensorView x = call.input(0);
    float least = 0;
    float most = 0;
    for (long i = 0; i < x.elementCount(); i++) {
      float value = x.segment().get(FLOAT, i * Float.BYTES);
      least = value < least ? value : least;
      most = value > most ? value : most;
    }
    Parameters parameters = Parameters.of(least, most);
    parameters.write(call);
    CpuStream.of(call).parallel(x.elementCount(), GRAIN, (first, end) -> {
      for (long i = first; i < end; i++) {
        float units = x.segment().get(FLOAT, i * Float.BYTES) / parameters.scale();
        call.output(0).segment().set(ValueLayout.JAVA_BYTE, i, (byte) RANGE.quantized(units, parameters.zero()));
      }
    });
  }
}
