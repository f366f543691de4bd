package dev.cairn.kernels.cpu.quantized;

import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.access.Broadcast;
import dev.cairn.kernels.cpu.team.CpuStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * {@code QLinearAdd(a, as, az, b, bs, bz, ys, yz)} and {@code QLinearMul}: sums and products of real numbers between
 * quantised tensors of 8 bits, stretched as NumPy broadcasts. Bits are those of {@code DequantizeLinear}, the operator
 * in {@code float32}, and {@code QuantizeLinear}. The result may lie over an operand of its shape.
 */
public final class CpuQuantizedBinary implements Kernel {
  public static final String ADD = "QLinearAdd";
  public static final String MUL = "QLinearMul";
  /** The position of the right operand; the left one is the first input. */
  public static final int RIGHT = 3;
  /** The position of the result's scale. */
  public static final int RESULT = 6;

  private static final long GRAIN = 1 << 12;

  private final boolean isProduct;

  /** @param isProduct whether the operands are multiplied instead of added */
  public CpuQuantizedBinary(boolean isProduct) {
    this.isProduct = isProduct;
  }

  @Override
  public void run(KernelCall call) {
    float[] left = QuantizedBytes.ofInput(call, 0).reals();
    float[] right = QuantizedBytes.ofInput(call, RIGHT).reals();
    QuantizedBytes result = QuantizedBytes.ofResult(call, RESULT);
    MemorySegment a = call.input(0).segment();
    MemorySegment b = call.input(RIGHT).segment();
    MemorySegment y = call.output(0).segment();
    var broadcast = Broadcast.of(call.output(0).shape(), call.input(0).shape(), call.input(RIGHT).shape());
    CpuStream.of(call).parallel(broadcast.elementCount(), GRAIN, (first, end) -> {
      var runs = broadcast.runs(first, end);
      while (runs.next()) {
        for (long i = 0; i < runs.length(); i++) {
          float one = left[a.get(ValueLayout.JAVA_BYTE, runs.offset(0) + i * broadcast.step(0)) & 0xff];
          float other = right[b.get(ValueLayout.JAVA_BYTE, runs.offset(1) + i * broadcast.step(1)) & 0xff];
          y.set(ValueLayout.JAVA_BYTE, runs.output() + i, result.quantized(isProduct ? one * other : one + other));
        }
      }
    });
  }
}
