package dev.cairn.runtime.operator.family;

import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.operator.MemoryTraits;
import dev.cairn.runtime.operator.OperatorDefinition;
import dev.cairn.runtime.operator.TypeContext;
import java.util.Arrays;
import java.util.List;

/**
 * Operators that look up by index where elements come from or go to. Whether an index is within its axis is seen when
 * they run.
 */
public final class IndexFamily {
  public static final List<OperatorDefinition> ROWS = List.of( //
    new OperatorDefinition("Gather", 2, 2, IndexFamily::gather, MemoryTraits.NONE),
    new OperatorDefinition("GatherElements", 2, 2, IndexFamily::gatherElements, MemoryTraits.NONE),
    new OperatorDefinition("ScatterND", 3, 3, IndexFamily::scatter, MemoryTraits.NONE));

  private IndexFamily() {}

  /** The indexes' axes stand where the gathered axis was. */
  private static List<TensorType> gather(TypeContext context) {
    AdmittedTypes.INDEXES.require(context, 1);
    long[] data = context.shape(0).extents();
    long[] indexes = context.shape(1).extents();
    int axis = Axes.attribute(context, 0, data.length);
    long[] extents = new long[data.length - 1 + indexes.length];
    System.arraycopy(data, 0, extents, 0, axis);
    System.arraycopy(indexes, 0, extents, axis, indexes.length);
    System.arraycopy(data, axis + 1, extents, axis + indexes.length, data.length - axis - 1);
    return List.of(context.input(0).withShape(Shape.of(extents)));
  }

  /** One element of the data for each index; on the other axes the indexes may not reach beyond the data. */
  private static List<TensorType> gatherElements(TypeContext context) {
    AdmittedTypes.INDEXES.require(context, 1);
    Shape data = context.shape(0);
    Shape indexes = context.shape(1);
    int axis = Axes.attribute(context, 0, data.rank());
    boolean within = indexes.rank() == data.rank();
    for (int i = 0; within && i < data.rank(); i++) {
      within = i == axis || indexes.extent(i) <= data.extent(i);
    }
    if (!within) {
      throw context.fault("indexes exceed the data's shape: data=%s indexes=%s axis=%d".formatted(data, indexes, axis));
    }
    return List.of(context.input(0).withShape(indexes));
  }

  /**
   * The indexes' last axis holds the first indexes of a slice of the data; the updates hold one such slice for each.
   */
  private static List<TensorType> scatter(TypeContext context) {
    AdmittedTypes.ANY.require(context, 0, 2);
    AdmittedTypes.INT64.require(context, 1);
    Shape data = context.shape(0);
    Shape indexes = context.shape(1);
    if (data.rank() == 0 || indexes.rank() == 0 || indexes.extent(-1) > data.rank()) {
      throw context.fault("indexes name more axes than there are: data=%s indexes=%s".formatted(data, indexes));
    }
    int named = Math.toIntExact(indexes.extent(-1));
    int slices = indexes.rank() - 1;
    long[] wanted = Arrays.copyOf(indexes.extents(), slices + data.rank() - named);
    System.arraycopy(data.extents(), named, wanted, slices, data.rank() - named);
    if (!context.shape(2).equals(Shape.of(wanted))) {
      throw context.fault(
        "one slice for each index is needed: updates=%s wanted=%s".formatted(context.shape(2), Shape.of(wanted)));
    }
    return List.of(context.input(0));
  }
}
