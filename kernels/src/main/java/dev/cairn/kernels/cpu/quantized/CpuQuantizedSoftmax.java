package dev.cairn.kernels.cpu.quantized;

import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.team.CpuStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * {@code QLinearSoftmax(x, xs, xz, ys, yz)} along the last axis, between quantised tensors of 8 bits, of which the
 * first has a positive scale: a table of {@code e^-(n * scale)} serves all elements that are {@code n} units below
 * the greatest. Sums have 64 bits. The result may lie over x.
 */
public final class CpuQuantizedSoftmax implements Kernel {
  public static final String OPERATOR = "QLinearSoftmax";

  private static final long GRAIN = 1 << 12;
  private static final int NUMBERS = 1 << Byte.SIZE;
  /** The position of the result's scale. */
  private static final int RESULT = 3;

  @Override
  public void run(KernelCall call) {
    long count = call.output(0).elementCount();
    if (count == 0) {
      return;
    }
    QuantizedBytes x = QuantizedBytes.ofInput(call, 0);
    QuantizedBytes y = QuantizedBytes.ofResult(call, RESULT);
    double[] powers = new double[NUMBERS];
    for (int i = 0; i < NUMBERS; i++) {
      powers[i] = Math.exp(-(i * (double) x.scale()));
    }
    int extent = Math.toIntExact(call.input(0).shape().extent(-1));
    MemorySegment from = call.input(0).segment();
    MemorySegment to = call.output(0).segment();
    CpuStream.of(call).parallel(count / extent, Math.ceilDiv(GRAIN, extent), (first, end) -> {
      byte[] line = new byte[extent];
      byte[] results = new byte[NUMBERS];
      for (long index = first; index < end; index++) {
        MemorySegment.copy(from, ValueLayout.JAVA_BYTE, index * extent, line, 0, extent);
        normalize(line, x, y, powers, results);
        MemorySegment.copy(line, 0, to, ValueLayout.JAVA_BYTE, index * extent, extent);
      }
    });
  }

  /** @param results scratch: by units below the greatest, the result's byte */
  private static void normalize(byte[] line, QuantizedBytes x, QuantizedBytes y, double[] powers, byte[] results) {
    // Unsigned bytes with their first bit turned are signed ones in the same order.
    int turn = x.dtype().isUnsigned() ? Byte.MIN_VALUE : 0;
    int most = Byte.MIN_VALUE;
    for (byte value : line) {
      most = Math.max(most, (byte) (value ^ turn));
    }
    double sum = 0;
    for (byte value : line) {
      sum += powers[most - (byte) (value ^ turn)];
    }
    boolean byTable = line.length > NUMBERS;
    for (int i = 0; byTable && i < NUMBERS; i++) {
      results[i] = y.quantized((float) (powers[i] / sum));
    }
    for (int i = 0; i < line.length; i++) {
      int below = most - (byte) (line[i] ^ turn);
      line[i] = byTable ? results[below] : y.quantized((float) (powers[below] / sum));
    }
  }
}
