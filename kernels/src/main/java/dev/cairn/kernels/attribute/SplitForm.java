package dev.cairn.kernels.attribute;

/**
 * The attributes of {@code Split} beside its axis.
 *
 * @param isEven whether the node gives the number of parts, which then have equal extents
 * @param parts attribute {@code num_outputs}
 */
public record SplitForm(boolean isEven, long parts) {
  public static SplitForm of(Attributes attributes) {
    return new SplitForm(attributes.has("num_outputs"), attributes.getLong("num_outputs", 0));
  }
}
