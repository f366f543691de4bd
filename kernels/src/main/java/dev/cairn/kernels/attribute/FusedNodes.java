package dev.cairn.kernels.attribute;

import java.util.List;
import java.util.Optional;

/**
 * What fusion notes in the attributes of a node that it makes.
 *
 * @param names of the nodes that the node stands for, in their order; none where it stands for itself
 * @param inPlace pairs of operand and result, side by side: of its operator's pairs in place, the node allows these
 *   only
 */
public record FusedNodes(List<String> names, Optional<long[]> inPlace) {
  public static final String NAMES = "nodes";
  public static final String IN_PLACE = "in_place";

  public static FusedNodes of(Attributes attributes) {
    return new FusedNodes(attributes.getTexts(NAMES), attributes.has(IN_PLACE)
      ? Optional.of(attributes.getLongs(IN_PLACE))
      : Optional.empty());
  }
}
