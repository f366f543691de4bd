package dev.cairn.kernels.attribute;

import java.util.List;
import java.util.Optional;

/**
 * The notes that fusion writes into the attributes of a node that it makes. Operators of users may have attributes of
 * these names, with values of any kind, which note nothing.
 *
 * @param names of the nodes that the node stands for, in their order; none where it stands for itself
 * @param inPlace pairs of operand and result, side by side: of its operator's pairs in place, the node allows these
 *   only
 */
public record FusedNodes(List<String> names, Optional<long[]> inPlace) {
  public static final String NAMES = "nodes";
  public static final String IN_PLACE = "in_place";
  private static final FusedNodes NONE = new FusedNodes(List.of(), Optional.empty());

  public static FusedNodes of(Attributes attributes) {
    if (!(attributes.find(NAMES).orElse(null) instanceof AttributeValue.Texts(List<String> names))) {
      return NONE;
    }
    boolean hasPairs = attributes.find(IN_PLACE).orElse(null) instanceof AttributeValue.Ints;
    return new FusedNodes(names, hasPairs ? Optional.of(attributes.getLongs(IN_PLACE)) : Optional.empty());
  }
}
