package dev.cairn.kernels.cpu.quantized;

import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.access.Elements;
import dev.cairn.kernels.cpu.pool.CpuPool;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * {@code QLinearAveragePool(x, xs, xz, ys, yz)} and {@code QLinearGlobalAveragePool}, between quantised tensors of 8
 * bits. Sums are of whole numbers, so that the average is rounded once before it is quantised.
 */
public final class CpuQuantizedPool {
  public static final String AVERAGE = "QLinearAveragePool";
  public static final String GLOBAL_AVERAGE = "QLinearGlobalAveragePool";
  /** {@code QLinearAveragePool}, with the attributes of {@code AveragePool}. */
  public static final Kernel WINDOWS = call -> CpuPool.average(call, Planes.of(call));
  /** {@code QLinearGlobalAveragePool}. */
  public static final Kernel GLOBAL = call -> CpuPool.globalAverage(call, Planes.of(call));

  private CpuQuantizedPool() {}

  /** The meaning of sums of bytes of the first input, and of the result's bytes. */
  public record Planes(TensorView from, QuantizedBytes x, MemorySegment to, QuantizedBytes y)
    implements
      CpuPool.Planes {

    private static final int RESULT = 3;

    public static Planes of(KernelCall call) {
      return new Planes(call.input(0), QuantizedBytes.ofInput(call, 0), call.output(0).segment(), QuantizedBytes
        .ofResult(call, RESULT));
    }

    @Override
    public void read(long first, double[] plane) {
      Elements.read(from, first, plane, plane.length);
      for (int i = 0; i < plane.length; i++) {
        plane[i] -= x.zero();
      }
    }

    @Override
    public void write(double[] averages, long first) {
      for (int i = 0; i < averages.length; i++) {
        write(averages[i], first + i);
      }
    }

    /** Writes one result, of an average in units of the input's scale. */
    public void write(double average, long at) {
      to.set(ValueLayout.JAVA_BYTE, at, y.quantized((float) (average * x.scale())));
    }
  }
}
