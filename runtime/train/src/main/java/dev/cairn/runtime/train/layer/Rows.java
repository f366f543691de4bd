package dev.cairn.runtime.train.layer;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.runtime.expression.Expression;
import dev.cairn.runtime.graph.PartialType;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Products of the last axis of a tensor with a weight {@code [out,in]}. */
final class Rows {
  private Rows() {}

  static <T extends Expression<T>> T linear(LayerPass<T> pass, T x, Parameter weight, @Nullable Parameter bias) {
    return linear(pass, x, pass.value(weight), bias == null ? null : pass.value(bias), weight.type().extents()
      .orElseThrow().getFirst());
  }

  /** Tensors of other ranks than 2 become matrices in between, which moves no bytes. */
  static <T extends Expression<T>> T linear(LayerPass<T> pass, T x, T weight, @Nullable T bias, long units) {
    PartialType type = pass.type(x);
    if (type.rank() < 0 || type.rank() == 2) {
      return product(x, weight, bias);
    }
    long[] extents = extents(type);
    T result = product(x.reshape(-1, extents[extents.length - 1]), weight, bias);
    extents[extents.length - 1] = units;
    return result.reshape(extents);
  }

  /** The extents of a tensor, one of which may be open: as {@code Reshape} reads them, if it isn't the last. */
  static long[] extents(PartialType type) {
    long[] extents = type.extents().orElse(List.of()).stream().mapToLong(Long::longValue).toArray();
    if (extents.length == 0 || Arrays.stream(extents).filter(it -> it == PartialType.OPEN).count() > 1
      || extents[extents.length - 1] == PartialType.OPEN) {
      throw new IllegalArgumentException("the extents of data are not known: data=%s; all but one before the last are "
        .formatted(type) + "needed");
    }
    return extents;
  }

  static <T extends Expression<T>> T product(T x, T weight, @Nullable T bias) {
    return x.gemm(Attributes.NONE.with("transB", 1), bias == null ? List.of(weight) : List.of(weight, bias));
  }
}
