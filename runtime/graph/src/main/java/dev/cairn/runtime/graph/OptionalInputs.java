package dev.cairn.runtime.graph;

import dev.cairn.kernels.tensor.TensorType;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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
  /**
   * The note on a constant that may be an input: {@value #OF_ITS_TYPE}, or the extents of other values, separated by
   * commas, or {@value #OF_ANY_RANK}.
   */
  public static final String NOTE = "optional-input";

  private static final String OF_ITS_TYPE = "true";
  private static final String OF_ANY_RANK = "*";
  private static final String UNNAMED = "?";

  private OptionalInputs() {}

  /**
   * A constant with the note that it may be an input.
   *
   * @param declared the type of the input, whose element type is always that of the constant
   */
  public static Node optional(Node constant, DeclaredType declared) {
    TensorType type = constant.constant().orElseThrow().type();
    String extents = declared.extents().map(all -> all.stream().map(OptionalInputs::word).collect(Collectors.joining(
      ","))).orElse(OF_ANY_RANK);
    boolean isOfItsType = declared.extents().equals(DeclaredType.of(type).extents());
    return constant.withNotes(constant.notes().with(NOTE, isOfItsType ? OF_ITS_TYPE : extents));
  }

  private static String word(Dimension dimension) {
    return switch (dimension) {
      case Dimension.Fixed(long extent) -> Long.toString(extent);
      case Dimension.Symbol(String name) ->
        name.matches("[A-Za-z_][\\w.]*") && !name.equals(OF_ITS_TYPE) ? name : UNNAMED;
    };
  }

  private static DeclaredType type(Node constant) {
    TensorType type = constant.constant().orElseThrow().type();
    String extents = constant.notes().get(NOTE).orElseThrow();
    if (extents.equals(OF_ITS_TYPE)) {
      return DeclaredType.of(type);
    }
    return new DeclaredType(Optional.of(type.dtype()), extents.equals(OF_ANY_RANK)
      ? Optional.empty()
      : Optional.of(Stream.of(extents.split(",", -1)).filter(it -> !it.isEmpty()).map(OptionalInputs::dimension)
        .toList()));
  }

  private static Dimension dimension(String word) {
    return Character.isDigit(word.charAt(0))
      ? new Dimension.Fixed(Long.parseLong(word))
      : new Dimension.Symbol(word);
  }

  /** The names of the constants that may be inputs. */
  public static Set<String> names(Graph graph) {
    Set<String> names = new LinkedHashSet<>();
    graph.nodes().stream().filter(OptionalInputs::isOptional).forEach(it -> names.add(it.name()));
    return names;
  }

  private static boolean isOptional(Node node) {
    return node.kind() instanceof NodeKind.Constant && node.notes().get(NOTE).isPresent();
  }

  /** The graph in which the optional inputs among these names are inputs, of the extents that the file declares. */
  public static Graph given(Graph graph, Collection<String> names) {
    Map<Node, NodeEntry> inputs = new LinkedHashMap<>();
    for (Node node : graph.nodes()) {
      if (isOptional(node) && names.contains(node.name())) {
        inputs.put(node, Node.input(node.name(), type(node)).entry());
      }
    }
    return inputs.isEmpty() ? graph : GraphRewriter.substitute(graph, inputs);
  }
}
