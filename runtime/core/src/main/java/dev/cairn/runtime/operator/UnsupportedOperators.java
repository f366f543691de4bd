package dev.cairn.runtime.operator;

import java.util.List;
import java.util.stream.Collectors;

/** A model uses features that Cairn does not support. The exception lists all of them. */
public final class UnsupportedOperators extends RuntimeException {
  private static final long serialVersionUID = 1;
  private final transient List<Gap> gaps;

  /**
   * One use of an unsupported feature.
   *
   * @param node the node's name in the model
   * @param operator the operator, with its domain if that is not ONNX's
   * @param reason the missing feature: the operator, an element type or an attribute
   */
  public record Gap(String node, String operator, String reason) {
    @Override
    public String toString() {
      return "%s (%s): %s".formatted(node, operator, reason);
    }
  }

  public UnsupportedOperators(List<Gap> gaps) {
    super(gaps.size() + " unsupported: " + gaps.stream().map(Gap::toString).collect(Collectors.joining("; ")));
    this.gaps = List.copyOf(gaps);
  }

  /** Every gap, in the model's order. */
  public List<Gap> gaps() {
    return gaps;
  }
}
