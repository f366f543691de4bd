package dev.cairn.runtime.train.layer;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.runtime.expression.Expression;
import dev.cairn.runtime.symbol.PartialType;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Products of the last axis of a tensor with a weight {@code [out,in]}. */
final class Rows {
  private Rows() {}

  /** Tensors of other ranks than 2 become matrices in between, which moves no bytes. */
  static <T extends Expression<T>> T linear(LayerPass<T> pass, T x, Parameter weight, @Nullable Parameter bias) {
    T w = pass.value(weight);
    @Nullable
    T b = bias == null ? null : pass.value(bias);
    PartialType type = pass.type(x);
    if (type.rank() < 0 || type.rank() == 2) {
      return product(x, w, b);
    }
    long[] extents = type.extents().orElseThrow().stream().mapToLong(Long::longValue).toArray();
    if (type.rank() == 0 || Arrays.stream(extents).filter(it -> it == PartialType.OPEN).count() > 1
      || extents[extents.length - 1] == PartialType.OPEN) {
      throw new IllegalArgumentException("the extents of data are not known: data=%s weight=%s; all but one before the "
        .formatted(type, weight.type()) + "last are needed");
    }
    T result = product(x.reshape(-1, extents[extents.length - 1]), w, b);
    extents[extents.length - 1] = weight.type().extents().orElseThrow().getFirst();
    return result.reshape(extents);
  }

  static <T extends Expression<T>> T product(T x, T weight, @Nullable T bias) {
    return x.callAll("Gemm", Attributes.NONE.with("transB", 1), 1, bias == null
      ? List.of(weight)
      : List.of(weight, bias)).getFirst();
  }
}
