package dev.cairn.kernels.attribute;

import dev.cairn.kernels.tensor.Shape;

/**
 * How {@code ScatterAdd} finds where its rows go: attribute {@code of} names the operator that picked them, {@code
 * shape} is the shape of the data.
 *
 * @param elements whether single elements were picked, by {@code GatherElements}; the other components are then unused
 * @param outer how often the same targets repeat
 * @param targets rows of the data that an index can name
 * @param picks how many rows were picked, for each repetition
 * @param unit elements of a row
 * @param depth how many indexes name a target, each for its own axis; 0 if one index names it
 * @param batches how many batches have targets of their own
 * @param batchAxes the axes of the batches
 */
public record GatheredRows(boolean elements, long outer, long targets, long picks, long unit, int depth, long batches,
  int batchAxes) {

  /** The shape of the data. */
  public static Shape data(Attributes attributes) {
    return Shape.of(attributes.getLongs("shape"));
  }

  /** The operator that picked the rows: attribute {@code of}, by default {@code Gather}. */
  public static String picker(Attributes attributes) {
    return attributes.getText("of", Operators.GATHER);
  }

  /** Attribute {@code batch_dims} of {@code GatherND}, by default 0: how many first axes are the batch's. */
  public static long batchAxes(Attributes attributes) {
    return attributes.getLong("batch_dims", 0);
  }

  /** @throws IllegalArgumentException if attribute {@code of} names no such operator */
  public static GatheredRows of(Attributes attributes, Shape indices) {
    Shape data = data(attributes);
    String picker = picker(attributes);
    return switch (picker) {
      case Operators.GATHER -> {
        int axis = AxisForm.ofParts(attributes).of(data);
        yield new GatheredRows(false, data.elementCount(0, axis), data.extent(axis), indices.elementCount(), data
          .elementCount(axis + 1, data.rank()), 0, 1, 0);
      }
      case Operators.GATHER_ELEMENTS -> new GatheredRows(true, 0, 0, 0, 0, 0, 1, 0);
      case Operators.GATHER_ND -> {
        int batchAxes = Math.toIntExact(batchAxes(attributes));
        int depth = Math.toIntExact(indices.extent(-1));
        int axis = batchAxes + depth;
        yield new GatheredRows(false, 1, data.elementCount(0, axis), indices.elementCount(0, indices.rank() - 1), data
          .elementCount(axis, data.rank()), depth, data.elementCount(0, batchAxes), batchAxes);
      }
      default -> throw new IllegalArgumentException(
        "rows are picked by Gather, GatherElements or GatherND: of=\"%s\"".formatted(picker));
    };
  }
}
