package dev.cairn.runtime.operator;

import java.util.List;
import java.util.stream.Collectors;

/** A model uses something that Cairn does not have. Lists every gap, so that one look shows what a model needs. */
public final class UnsupportedOperators extends RuntimeException {
  private static final long serialVersionUID = 1;
  private final transient List<Gap> gaps;

  /**
   * One use of something that is missing.
   *
   * @param node the node's name in the model
   * @param operator the operator, with its domain where that is not ONNX's own
   * @param reason what exactly is missing: the operator, an element type, an attribute
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
