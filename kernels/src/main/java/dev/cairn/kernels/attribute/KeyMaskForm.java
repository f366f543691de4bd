package dev.cairn.kernels.attribute;

import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;

/**
 * How a mask of com.microsoft's attention says which keys count: by the end of each item's keys, by ends and then
 * starts, or by one number for each key, of all items, of all items and queries, or of a square of the longest lines.
 *
 * @param queries how many queries an item has
 * @param keys how many keys an item has, those of a cache included
 */
public record KeyMaskForm(Shape mask, long batch, long queries, long keys) {
  /**
   * @param extents batch, queries and keys
   * @throws IllegalArgumentException when the mask has no such form
   */
  public static KeyMaskForm of(Shape mask, TensorView extents) {
    long[] all = extents.toLongArray();
    if (all.length != 3) {
      throw new IllegalArgumentException("batch, queries and keys are needed: extents=" + extents.type());
    }
    var form = new KeyMaskForm(mask, all[0], all[1], all[2]);
    boolean fits = switch (mask.rank()) {
      case 1 -> mask.extent(0) == form.batch || mask.extent(0) == 2 * form.batch;
      case 2 -> form.isDummy() || mask.equals(Shape.of(form.batch, form.keys));
      case 3 -> mask.equals(Shape.of(form.batch, form.queries, form.keys));
      case 4 -> mask.extent(0) == form.batch && mask.extent(1) == 1 && mask.extent(2) >= form.keys && mask.extent(
        3) >= form.keys;
      default -> false;
    };
    if (!fits) {
      throw new IllegalArgumentException("no such mask of keys: mask=%s batch=%d queries=%d keys=%d".formatted(mask,
        form.batch, form.queries, form.keys));
    }
    return form;
  }

  /** A mask that only says that there is none. */
  private boolean isDummy() {
    return mask.extent(1) == 1 && keys != 1 && (mask.extent(0) == 1 || mask.extent(0) == batch);
  }

  /** One line for each item, or one for each of its queries. */
  public Shape result() {
    return Shape.of(batch, 1, mask.rank() > 2 ? queries : 1, keys);
  }

  public boolean counts(TensorView values, long item, long query, long key) {
    return switch (mask.rank()) {
      case 1 -> key < values.longAt(item) && (mask.extent(0) == batch || key >= values.longAt(batch + item));
      case 2 -> isDummy() || values.longAt(item * keys + key) != 0;
      case 3 -> values.longAt((item * queries + query) * keys + key) != 0;
      default -> values.longAt((item * mask.extent(2) + keys - queries + query) * mask.extent(3) + key) != 0;
    };
  }
}
