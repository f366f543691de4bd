package dev.cairn.runtime.operator;

import dev.cairn.allocator.Printable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A model uses features that Cairn does not support. The exception lists all of them; its message has at most 16 lines
 * of 120 characters, however many there are.
 */
public final class UnsupportedOperators extends RuntimeException {
  private static final long serialVersionUID = 1;
  /** The most characters of a message that lists every gap: four lines of a terminal. */
  private static final int MOST_CHARS_OF_ALL = 480;
  private static final int MOST_KINDS = 14;
  private static final int MOST_KIND_CHARS = 60;
  private static final int MOST_NAME_CHARS = 40;

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

  /**
   * Gaps of one operator for one reason.
   *
   * @param nodes the names of the nodes, in the model's order
   */
  public record Kind(String operator, String reason, List<String> nodes) {
    @Override
    public String toString() {
      return "%s (%s)".formatted(operator, reason);
    }
  }

  public UnsupportedOperators(List<Gap> gaps) {
    super(message(gaps));
    this.gaps = List.copyOf(gaps);
  }

  private static String message(List<Gap> gaps) {
    String all = gaps.size() + " unsupported: " + gaps.stream().map(Gap::toString).collect(Collectors.joining("; "));
    if (all.length() <= MOST_CHARS_OF_ALL) {
      return all;
    }
    List<Kind> kinds = kinds(gaps);
    List<String> lines = new ArrayList<>();
    lines.add(gaps.size() + " unsupported:");
    for (Kind kind : kinds.subList(0, Math.min(MOST_KINDS, kinds.size()))) {
      lines.add("%6d  %s, first at %s".formatted(kind.nodes.size(), Printable.of(kind.toString(), MOST_KIND_CHARS),
        Printable.of(kind.nodes.getFirst(), MOST_NAME_CHARS)));
    }
    if (kinds.size() > MOST_KINDS) {
      lines
        .add("%6d  of %d other kinds".formatted(kinds.stream().skip(MOST_KINDS).mapToInt(it -> it.nodes.size()).sum(),
          kinds.size() - MOST_KINDS));
    }
    return String.join("\n", lines);
  }

  private static List<Kind> kinds(List<Gap> gaps) {
    Map<List<String>, List<String>> nodes = new LinkedHashMap<>();
    gaps.forEach(it -> nodes.computeIfAbsent(List.of(it.operator, it.reason), _ -> new ArrayList<>()).add(it.node));
    return nodes.entrySet().stream().map(it -> new Kind(it.getKey().getFirst(), it.getKey().getLast(), List.copyOf(it
      .getValue()))).sorted(Comparator.comparingInt((Kind it) -> -it.nodes.size())).toList();
  }

  /** Every gap, in the model's order. */
  public List<Gap> gaps() {
    return gaps;
  }

  /** The gaps by operator and reason, the most frequent first. */
  public List<Kind> kinds() {
    return kinds(gaps);
  }
}
