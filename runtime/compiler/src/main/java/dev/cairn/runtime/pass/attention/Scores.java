package dev.cairn.runtime.pass.attention;

import dev.cairn.kernels.attribute.Operators;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.pass.RewriteContext;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * How the scores that a softmax reads are made: a product of two tensors, times a number, with up to two masks. One
 * mask may leave out the keys behind each query. The other one, before or after it, is added to the scores or leaves
 * some out.
 *
 * @param product the queries times the transposed keys
 * @param scale what the product is multiplied by
 * @param masks the masks that are then applied, in this order
 */
record Scores(Step product, double scale, List<Mask> masks) {
  /**
   * The largest value of a score that is left out, as exporters write it: far below any real one, or minus infinity.
   */
  private static final double LEFT_OUT = -1e4;

  Scores {
    masks = List.copyOf(masks);
  }

  /** A mask, which is added to the scores, or replaces some of them by a number. */
  sealed interface Mask {
    /** Is added to the scores. */
    record Added(Step step) implements Mask {}

    /**
     * Leaves out the scores where a condition is {@code counts == false}, by writing {@code fill} over them.
     *
     * @param triangle whether it leaves out the scores of the keys behind each query, and no others
     */
    record LeftOut(Step condition, Step fill, boolean counts, boolean triangle) implements Mask {}
  }

  /**
   * The index of the mask that {@code is_causal} replaces; -1 if there is none. {@code is_causal} leaves keys out
   * whatever the other scores are. A mask that writes a finite number does so only in a row with scores that count:
   * where another mask leaves out all of these, the keys behind the query count. So beside another mask, the number
   * must be minus infinity.
   */
  int causalMask() {
    for (int i = 0; i < masks.size(); i++) {
      if (masks.get(i) instanceof Mask.LeftOut it && it.triangle && (masks.size() == 1 || isForGood(it, i))) {
        return i;
      }
    }
    return -1;
  }

  private boolean isForGood(Mask.LeftOut mask, int index) {
    return mask.fill.number().orElse(0) == Double.NEGATIVE_INFINITY && masks.stream().skip(index + 1L).allMatch(
      Mask.Added.class::isInstance);
  }

  private Scores with(Mask mask) {
    return new Scores(product, scale, Stream.concat(masks.stream(), Stream.of(mask)).toList());
  }

  private boolean hasOnlyTriangles() {
    return masks.stream().allMatch(it -> it instanceof Mask.LeftOut leftOut && leftOut.triangle);
  }

  /** Finds the scores; empty where they are made otherwise, or another node reads a node in between. */
  static Optional<Scores> of(Step scores, RewriteContext context) {
    if (context.readers(scores.old()) != 1) {
      return Optional.empty();
    }
    if (scores.is(Operators.ADD)) {
      return added(scores, 0, context).or(() -> added(scores, 1, context));
    }
    if (scores.is(Operators.WHERE)) {
      return leftOut(scores, context);
    }
    return product(scores, context).map(it -> new Scores(it.product, it.scale, List.of()));
  }

  private static Optional<Scores> added(Step sum, int side, RewriteContext context) {
    return inner(sum, side, context).filter(Scores::hasOnlyTriangles).map(it -> it.with(new Mask.Added(sum.input(
      1 - side))));
  }

  /** The scores before a mask. The mask must not broadcast them to a larger shape. */
  private static Optional<Scores> inner(Step masked, int side, RewriteContext context) {
    Step inner = masked.input(side);
    return context.type(inner.old()).equals(context.type(masked.old())) ? of(inner, context) : Optional.empty();
  }

  private static Optional<Scores> leftOut(Step where, RewriteContext context) {
    boolean counts = where.input(2).number().isPresent();
    Step fill = where.input(counts ? 2 : 1);
    OptionalDouble left = fill.number();
    if (left.isEmpty() || !(left.getAsDouble() <= LEFT_OUT)) {
      return Optional.empty();
    }
    var mask = new Mask.LeftOut(where.input(0), fill, counts, isTriangle(where.input(0), context.type(where.old())
      .shape(), counts));
    return inner(where, counts ? 1 : 2, context).filter(it -> mask.triangle || it.hasOnlyTriangles()).map(
      it -> it.with(mask));
  }

  /** Whether a constant condition is one triangle, the same for all heads. */
  private static boolean isTriangle(Step condition, Shape scores, boolean counts) {
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

  private static Optional<Product> product(Step scaled, RewriteContext context) {
    if (context.readers(scaled.old()) != 1) {
      return Optional.empty();
    }
    if (scaled.is(Operators.MATMUL)) {
      return Optional.of(new Product(scaled, 1));
    }
    int side = scaled.is(Operators.MUL) && scaled.input(0).number().isPresent() ? 1 : 0;
    if (!scaled.is(Operators.MUL) && !scaled.is(Operators.DIV)) {
      return Optional.empty();
    }
    OptionalDouble number = scaled.input(1 - side).number();
    Step product = scaled.input(side);
    if (number.isEmpty() || !product.is(Operators.MATMUL) || context.readers(product.old()) != 1) {
      return Optional.empty();
    }
    double factor = scaled.is(Operators.MUL) ? number.getAsDouble() : 1 / number.getAsDouble();
    return Double.isFinite(factor) ? Optional.of(new Product(product, factor)) : Optional.empty();
  }
}
