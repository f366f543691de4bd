package dev.cairn.kernels.attribute;

/**
 * The attributes of {@code Shape}: which axes have their extents in the result. Both count from the last axis where
 * they are negative, and are clamped to the rank.
 *
 * @param start the first axis, by default 0
 * @param end the axis after the last one, by default the rank
 */
public record ShapeForm(long start, long end) {
  public static ShapeForm of(Attributes attributes, int rank) {
    return new ShapeForm(attributes.getLong("start", 0), attributes.getLong("end", rank));
  }
}
