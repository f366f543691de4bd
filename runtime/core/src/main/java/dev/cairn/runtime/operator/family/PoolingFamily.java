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

/** Operators that take each window of a spatial tensor {@code N,C,spatial...} into one element. */
public final class PoolingFamily {
  public static final List<OperatorDefinition> ROWS = List.of( //
    new OperatorDefinition("AveragePool", 1, 1, PoolingFamily::average, MemoryTraits.NONE),
    new OperatorDefinition("GlobalAveragePool", 1, 1, PoolingFamily::global, MemoryTraits.NONE),
    new OperatorDefinition("GlobalMaxPool", 1, 1, PoolingFamily::global, MemoryTraits.NONE),
    new OperatorDefinition("MaxPool", 1, 1, PoolingFamily::max, MemoryTraits.NONE));

  private PoolingFamily() {}

  private static List<TensorType> average(TypeContext context) {
    return List.of(new TensorType(AdmittedTypes.FLOATS.require(context, 0), pooled(context)));
  }

  /** The maxima and, where asked for, at which flat index of the input each was found. */
  private static List<TensorType> max(TypeContext context) {
    var maxima = new TensorType(AdmittedTypes.POOLED_BY_ORDER.require(context, 0), pooled(context));
    return context.outputCount() == 1 ? List.of(maxima) : List.of(maxima, maxima.withDType(DType.INT64));
  }

  private static Shape pooled(TypeContext context) {
    long[] taps = context.attributes().getLongs("kernel_shape");
    if (taps.length == 0) {
      throw context.fault("the window's size is missing: attribute=kernel_shape");
    }
    Shape x = context.shape(0);
    SlidingWindow window = SlidingWindow.of(context.attributes(), x, taps);
    return window.outputShape(x.extent(0), x.extent(1));
  }

  /** One window that is the whole of each channel. */
  private static List<TensorType> global(TypeContext context) {
    DType dtype = AdmittedTypes.FLOATS.require(context, 0);
    long[] extents = context.shape(0).extents();
    if (extents.length < 3) {
      throw context.fault("a spatial axis is needed after N and C: input=" + context.shape(0));
    }
    Arrays.fill(extents, 2, extents.length, 1);
    return List.of(new TensorType(dtype, Shape.of(extents)));
  }
}
