package dev.cairn.kernels.cpu.quantized;

import static dev.cairn.kernels.cpu.vector.RegisterTile.LANES;
import static dev.cairn.kernels.cpu.vector.RegisterTile.SPECIES;

import dev.cairn.kernels.attribute.QuantizedForm;
import dev.cairn.kernels.attribute.QuantizedLines;
import dev.cairn.kernels.attribute.QuantizedRange;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Set;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;

/** Quantises {@code float32} to 8 bits and back, with one scale for all elements or for each index of an axis. */
public final class VectorQuantize {
  /** {@code QuantizeLinear}, with one scale. */
  public static final Kernel QUANTIZE = new Quantize();
  /** {@code DynamicQuantizeLinear}. */
  public static final Kernel DYNAMIC = new Dynamic();
  /** {@code DequantizeLinear}, with one scale or one for each index of an axis that is not the last. */
  public static final Kernel DEQUANTIZE = new Dequantize();

  private static final ByteOrder ORDER = ByteOrder.nativeOrder();
  private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;
  private static final Set<DType> BYTES = Set.of(DType.INT8, DType.UINT8);
  private static final long GRAIN = 1 << 14;

  private VectorQuantize() {}

  private static final class Quantize implements Kernel {
    @Override
    public boolean accepts(KernelSignature signature) {
      QuantizedLines lines = lines(signature);
      return ByteLanes.EXIST && lines.lines() == 1 && lines.run() == Long.MAX_VALUE
        && BYTES.contains(signature.output(0).dtype())
        && signature.input(1).dtype() == DType.FLOAT32
        && QuantizedForm.of(signature.attributes()).dividesIn(DType.FLOAT32);
    }

    @Override
    public void run(KernelCall call) {
      float scale = call.input(1).segment().get(FLOAT, 0);
      quantize(call, scale, call.has(2) ? (int) call.input(2).longAt(0) : 0);
    }
  }

  private static QuantizedLines lines(KernelSignature signature) {
    return QuantizedLines.of(signature.attributes(), signature.input(0).shape(), signature.input(1).shape());
  }

  private static void quantize(KernelCall call, float scale, int zero) {
    QuantizedRange range = QuantizedRange.of(call.output(0).dtype());
    MemorySegment x = call.input(0).segment();
    MemorySegment y = call.output(0).segment();
    CpuStream.of(call).parallel(call.input(0).elementCount(), GRAIN, (first, end) -> {
      long i = first;
      for (; i + LANES <= end; i += LANES) {
        FloatVector units = FloatVector.fromMemorySegment(SPECIES, x, i * Float.BYTES, ORDER).div(scale);
        ByteLanes.store(units, range, zero, y, i);
      }
      for (; i < end; i++) {
        y.set(ValueLayout.JAVA_BYTE, i, (byte) range.quantized(x.get(FLOAT, i * Float.BYTES) / scale, zero));
      }
    });
  }

  private static final class Dynamic implements Kernel {
    @Override
    public boolean accepts(KernelSignature signature) {
      return ByteLanes.EXIST;
    }

    @Override
    public void run(KernelCall call) {
      CpuDynamicQuantize.Parameters parameters = parameters(call);
      parameters.write(call);
      quantize(call, parameters.scale(), parameters.zero());
    }

    private static CpuDynamicQuantize.Parameters parameters(KernelCall call) {
      var all = new Ends();
      TensorView x = call.input(0);
      CpuStream.of(call).parallel(x.elementCount(), GRAIN, (first, end) -> all.widen(x.segment(), first, end));
      return CpuDynamicQuantize.Parameters.of(all.low, all.high);
    }

    /** The least and the greatest of some numbers and 0. Comparisons with NaN fail, so that it has no part in them. */
    private static final class Ends {
      private float low;
      private float high;

      void widen(MemorySegment x, long first, long end) {
        FloatVector least = FloatVector.zero(SPECIES);
        FloatVector most = FloatVector.zero(SPECIES);
        long whole = end - (end - first) % LANES;
        for (long i = first; i < whole; i += LANES) {
          FloatVector values = FloatVector.fromMemorySegment(SPECIES, x, i * Float.BYTES, ORDER);
          least = least.blend(values, values.compare(VectorOperators.LT, least));
          most = most.blend(values, values.compare(VectorOperators.GT, most));
        }
        float lowest = least.reduceLanes(VectorOperators.MIN);
        float highest = most.reduceLanes(VectorOperators.MAX);
        for (long i = whole; i < end; i++) {
          float value = x.get(FLOAT, i * Float.BYTES);
          lowest = value < lowest ? value : lowest;
          highest = value > highest ? value : highest;
        }
        add(lowest, highest);
      }

      private synchronized void add(float lowest, float highest) {
        low = Math.min(low, lowest);
        high = Math.max(high, highest);
      }
    }
  }

  private static final class Dequantize implements Kernel {
    @Override
    public boolean accepts(KernelSignature signature) {
      return ByteLanes.EXIST && lines(signature).run() == Long.MAX_VALUE && signature.input(1).dtype() == DType.FLOAT32
        && signature.output(0).dtype() == DType.FLOAT32;
    }

    @Override
    public void run(KernelCall call) {
      QuantizedLines lines = lines(KernelSignature.of(call));
      if (lines.lines() == 1) {
        CpuStream.of(call).parallel(lines.length(), GRAIN, (first, end) -> dequantize(call, first, end - first, 0));
      } else {
        CpuStream.of(call).parallel(lines.lines(), Math.ceilDiv(GRAIN, lines.length() + 1), (first, end) -> {
          for (long line = first; line < end; line++) {
            dequantize(call, line * lines.length(), lines.length(), lines.scale(line));
          }
        });
      }
    }

    private static void dequantize(KernelCall call, long first, long count, long parameters) {
      DType dtype = call.input(0).dtype();
      float scale = call.input(1).segment().get(FLOAT, parameters * Float.BYTES);
      int zero = call.has(2) ? (int) call.input(2).longAt(parameters) : 0;
      ByteLanes.widen(call.input(0).segment(), first, count, ByteLanes.Meaning.of(dtype, zero, scale), call.output(0)
        .segment(), first * Float.BYTES);
    }
  }
}
