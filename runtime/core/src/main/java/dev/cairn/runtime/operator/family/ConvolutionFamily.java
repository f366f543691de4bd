package dev.cairn.runtime.operator.family;

import dev.cairn.kernels.attribute.SlidingWindow;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.operator.MemoryTraits;
import dev.cairn.runtime.operator.OperatorDefinition;
import dev.cairn.runtime.operator.TypeContext;
import java.util.Arrays;
import java.util.List;

/** Convolutions over {@code N,C,spatial...}. */
public final class ConvolutionFamily {
  public static final List<OperatorDefinition> ROWS = List.of( //
    new OperatorDefinition("Conv", 2, 3, ConvolutionFamily::convolution, MemoryTraits.NONE));

  private ConvolutionFamily() {}

  /** {@code x[N,C,...]}, {@code w[M,C/group,taps...]}, {@code bias[M]?}. */
  private static List<TensorType> convolution(TypeContext context) {
    DType dtype = AdmittedTypes.FLOATS.require(context, 0, 1, 2);
    Shape x = context.shape(0);
    Shape w = context.shape(1);
    if (x.rank() < 3 || w.rank() != x.rank()) {
      throw context.fault("input and weights need the same rank, 3 or more: input=%s weights=%s".formatted(x, w));
    }
    long group = context.attributes().getLong("group", 1);
    if (group < 1 || w.extent(0) % group != 0 || Math.multiplyExact(w.extent(1), group) != x.extent(1)) {
      throw context.fault("channels and groups do not fit: input=%s weights=%s group=%d".formatted(x, w, group));
    }
    if (context.has(2) && !context.shape(2).equals(Shape.of(w.extent(0)))) {
      throw context.fault(
        "one bias for each output channel is needed: bias=%s channels=%d".formatted(context.shape(2), w.extent(0)));
    }
    long[] taps = Arrays.copyOfRange(w.extents(), 2, w.rank());
    Shape y = SlidingWindow.of(context.attributes(), x, taps).outputShape(x.extent(0), w.extent(0));
    return List.of(new TensorType(dtype, y));
  }
}
