package dev.cairn.runtime.graph;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** A hint on a node that cannot be followed. The message names the node, the hint and the reason. */
public final class RefusedHint extends InvalidGraph {
  private static final long serialVersionUID = 1;
  private final String hint;

  /** @param hint as it is written, {@code cairn.repeat=always} for example */
  public RefusedHint(String node, String hint, String reason) {
    super(node, "the hint %s cannot be obeyed: %s".formatted(hint, reason));
    this.hint = hint;
  }

  /** The hint's name and value, {@code cairn.repeat=always} for example. */
  public String hint() {
    return hint;
  }

  /**
   * Refuses notes that bind if their node is gone, so that nothing can follow them.
   *
   * @param before nodes, with and without notes
   * @param after the graph that passes made
   */
  public static void requireLeft(Collection<Node> before, Graph after) {
    List<Node> bound = before.stream().filter(node -> node.notes().binds()).toList();
    if (bound.isEmpty()) {
      return;
    }
    Set<String> left = after.nodes().stream().map(Node::name).collect(Collectors.toSet());
    bound.stream().filter(node -> !left.contains(node.name())).findFirst().ifPresent(node -> {
      String hint = node.notes().values().entrySet().stream().filter(it -> it.getKey().startsWith(Notes.BINDING)).map(
        it -> it.getKey() + "=" + it.getValue()).findFirst().orElseThrow();
      throw new RefusedHint(node.name(), hint,
        "a pass made its value a constant, or joined it with another node, or nothing reads it any more");
    });
  }
}
