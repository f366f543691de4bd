package dev.cairn.runtime.graph;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * Inputs with a default value: initializers that an ONNX file lists as inputs, too. In a graph that was read they are
 * constants, which passes may fold, with the note {@code optional-input}. {@link #given} makes inputs of those
 * that shall have other values:
 *
 * <pre>
 * Graph graph = OptionalInputs.given(OnnxReader.read(file), Set.of("w"));
 * try (Session session = Session.of(graph, options)) { ... session.run(Map.of("x", x, "w", w)) ...
 * </pre>
 */
public final class OptionalInputs {
  /** The note on a constant that may be an input. */
  public static final String NOTE = "optional-input";

  private OptionalInputs() {}

  /** The names of the constants that may be inputs. */
  public static Set<String> names(Graph graph) {
    Set<String> names = new LinkedHashSet<>();
    graph.nodes().stream().filter(OptionalInputs::isOptional).forEach(it -> names.add(it.name()));
    return names;
  }

  private static boolean isOptional(Node node) {
    return node.kind() instanceof NodeKind.Constant && node.notes().get(NOTE).isPresent();
  }

  /** The graph in which the optional inputs among these names are inputs, of the type of their default value. */
  public static Graph given(Graph graph, Collection<String> names) {
    Map<Node, NodeEntry> inputs = new LinkedHashMap<>();
    for (Node node : graph.nodes()) {
      if (isOptional(node) && names.contains(node.name())) {
        DeclaredType type = DeclaredType.of(node.constant().orElseThrow().type());
        inputs.put(node, Node.input(node.name(), type).entry());
      }
    }
    return inputs.isEmpty() ? graph : GraphRewriter.substitute(graph, inputs);
  }
}
