package dev.cairn.kernels.cuda.quantized;

import dev.cairn.kernels.attribute.QuantizedForm;
import dev.cairn.kernels.attribute.QuantizedLines;
import dev.cairn.kernels.attribute.QuantizedRange;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cuda.kernel.CudaElementTypes;
import dev.cairn.kernels.cuda.kernel.CudaKernel;
import dev.cairn.kernels.cuda.kernel.Grids;
import dev.cairn.kernels.cuda.kernel.KernelLibrary;
import dev.cairn.kernels.cuda.kernel.Launch;
import dev.cairn.kernels.cuda.kernel.Structures;
import dev.cairn.kernels.tensor.DType;
import java.util.List;
import java.util.Set;

/**
 * {@code QuantizeLinear}, {@code DequantizeLinear} and {@code DynamicQuantizeLinear}, between {@code float32} and whole
 * numbers.
 */
public final class CudaQuantize extends CudaKernel {
  private static final String SOURCE = "quantize.cu";
  private static final Set<DType> NARROW = Set.of(DType.INT8, DType.UINT8, DType.INT16, DType.UINT16);

  private final Way way;

  /** The functions of this family. */
  public enum Way {
    QUANTIZE,
    DEQUANTIZE,
    /** Finds the scale and the zero point, then quantises. */
    DYNAMIC
  }

  public CudaQuantize(KernelLibrary library, Way way) {
    super(library);
    this.way = way;
  }

  @Override
  public boolean accepts(KernelSignature signature) {
    return switch (way) {
      case QUANTIZE -> signature.input(1).dtype() == DType.FLOAT32 && NARROW.contains(signature.output(0).dtype())
        && QuantizedForm.of(signature.attributes()).dividesIn(DType.FLOAT32);
      case DEQUANTIZE -> signature.input(1).dtype() == DType.FLOAT32 && signature.output(0).dtype() == DType.FLOAT32;
      case DYNAMIC -> true;
    };
  }

  @Override
  public Runnable prepare(KernelCall call) {
    if (way == Way.DYNAMIC) {
      Launch range = Launch.of(call, library.function(SOURCE, CudaElementTypes.definitions(DType.UINT8),
        "quantized_range"))
        .input(0)
        .output(1)
        .output(2)
        .value(call.input(0).elementCount())
        .with(Grids.ofBlocks(1, Grids.BLOCK_THREADS));
      return Launch.inOrder(List.of(range, quantize(call)));
    }
    return way == Way.QUANTIZE ? quantize(call) : dequantize(call);
  }

  private Launch quantize(KernelCall call) {
    DType dtype = call.output(0).dtype();
    long count = call.output(0).elementCount();
    Launch.Builder launch = Launch.of(call, library.function(SOURCE, CudaElementTypes.definitions(dtype), "quantize"))
      .input(0);
    if (way == Way.DYNAMIC) {
      launch.output(1).output(2);
    } else {
      launch.input(1).input(2);
    }
    QuantizedRange range = QuantizedRange.of(dtype);
    return launch.output(0).value(count).value(range.least()).value(range.most()).structure(lines(call))
      .overElements(count);
  }

  private Launch dequantize(KernelCall call) {
    long count = call.output(0).elementCount();
    return Launch.of(call, library.function(SOURCE, CudaElementTypes.definitions(call.input(0).dtype()), "dequantize"))
      .input(0)
      .input(1)
      .input(2)
      .output(0)
      .value(count)
      .structure(lines(call))
      .overElements(count);
  }

  private byte[] lines(KernelCall call) {
    long count = call.input(0).elementCount();
    QuantizedLines lines = way == Way.DYNAMIC
      ? new QuantizedLines(1, count, Long.MAX_VALUE, 1, 0, 1, 1)
      : QuantizedLines.of(call.attributes(), call.input(0).shape(), call.input(1).shape());
    return Structures.ofLongs(Math.max(1, lines.length()), lines.run(), Math.max(1, lines.period()), lines
      .scalesOfPeriod(), lines.block(), lines.scalesOfLine());
  }
}
