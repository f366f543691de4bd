package dev.cairn.runtime.pass.attention;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.GraphTypes;
import dev.cairn.runtime.pass.Readers;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * How the scores that a softmax reads are made, from it backwards: a product of two tensors, times a number, and with
 * up to one mask that is added and one that leaves out what lies behind a query.
 *
 * @param product the queries times the transposed keys
 * @param scale what the product is multiplied by
 * @param causal whether a query looks only at the keys up to its own number
 * @param mask what is added, or left out; null for nothing
 */
record Scores(Step product, double scale, boolean causal, @Nullable Mask mask) {
  /** What a score that is left out is at most, as exporters write it: far below any real one, or minus infinity. */
  private static final double LEFT_OUT = -1e4;

  /** A mask: added, or by a condition one of two. */
  sealed interface Mask {
    /** Is added to the scores. */
    record Added(Step step) implements Mask {}

    /** Leaves out the scores where a condition is {@code counts == false}, by writing {@code fill} over them. */
    record LeftOut(Step condition, Step fill, boolean counts) implements Mask {}
  }

  /** Finds them; empty where they are made otherwise, or something in between is read elsewhere, too. */
  static Optional<Scores> of(Step scores, GraphTypes types, Readers readers) {
    if (readers.of(scores.old()) != 1) {
      return Optional.empty();
    }
    if (scores.is("Add")) {
      return added(scores, 0, types, readers).or(() -> added(scores, 1, types, readers));
    }
    if (scores.is("Where")) {
      return leftOut(scores, types, readers);
    }
    return product(scores, readers).map(it -> new Scores(it.product, it.scale, false, null));
  }

  private static Optional<Scores> added(Step sum, int side, GraphTypes types, Readers readers) {
    return inner(sum, side, types, readers).filter(it -> it.mask == null)
      .map(it -> new Scores(it.product, it.scale, it.causal, new Mask.Added(sum.input(1 - side))));
  }

  /** The scores before a mask, which must not stretch them. */
  private static Optional<Scores> inner(Step masked, int side, GraphTypes types, Readers readers) {
    Step inner = masked.input(side);
    return types.type(inner.old()).equals(types.type(masked.old())) ? of(inner, types, readers) : Optional.empty();
  }

  private static Optional<Scores> leftOut(Step where, GraphTypes types, Readers readers) {
    Step condition = where.input(0);
    boolean counts = where.input(2).number().isPresent();
    Step fill = where.input(counts ? 2 : 1);
    OptionalDouble left = fill.number();
    if (left.isEmpty() || !(left.getAsDouble() <= LEFT_OUT)) {
      return Optional.empty();
    }
    Optional<Scores> inner = inner(where, counts ? 1 : 2, types, readers);
    if (isCausal(condition, types.type(where.old()).shape(), counts)) {
      return inner.map(it -> new Scores(it.product, it.scale, true, it.mask));
    }
    return inner.filter(it -> it.mask == null).map(it -> new Scores(it.product, it.scale, it.causal, new Mask.LeftOut(
      condition, fill, counts)));
  }

  /** Whether a constant condition is one triangle, the same for all heads. */
  private static boolean isCausal(Step condition, Shape scores, boolean counts) {
    TensorView value = condition.constant().orElse(null);
    if (value == null || value.dtype() != DType.BOOL || value.shape().rank() < 2) {
      return false;
    }
    long queries = scores.extent(-2);
    long keys = scores.extent(-1);
    if (value.shape().extent(-2) != queries || value.shape().extent(-1) != keys || value.elementCount() != queries
      * keys) {
      return false;
    }
    for (long query = 0; query < queries; query++) {
      for (long key = 0; key < keys; key++) {
        if (value.longAt(query * keys + key) != 0 != (key <= query == counts)) {
          return false;
        }
      }
    }
    return true;
  }

  private record Product(Step product, double scale) {}

  private static Optional<Product> product(Step scaled, Readers readers) {
    if (readers.of(scaled.old()) != 1) {
      return Optional.empty();
    }
    if (scaled.is("MatMul")) {
      return Optional.of(new Product(scaled, 1));
    }
    int side = scaled.is("Mul") && scaled.input(0).number().isPresent() ? 1 : 0;
    if (!scaled.is("Mul") && !scaled.is("Div")) {
      return Optional.empty();
    }
    OptionalDouble number = scaled.input(1 - side).number();
    Step product = scaled.input(side);
    if (number.isEmpty() || !product.is("MatMul") || readers.of(product.old()) != 1) {
      return Optional.empty();
    }
    double factor = scaled.is("Mul") ? number.getAsDouble() : 1 / number.getAsDouble();
    return Double.isFinite(factor) ? Optional.of(new Product(product, factor)) : Optional.empty();
  }
}
