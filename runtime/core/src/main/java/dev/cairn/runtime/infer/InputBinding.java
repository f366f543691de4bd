package dev.cairn.runtime.infer;

import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.graph.DeclaredType;
import dev.cairn.runtime.graph.Dimension;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeKind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Gives every symbolic dimension of a graph's inputs a number: what one input's shape says of a symbol holds for all
 * inputs that name it. A symbol without a name (blank, or {@code ?}) stands for itself alone.
 */
public final class InputBinding {
  private final Graph graph;
  private final Map<String, Long> extents = new LinkedHashMap<>();
  private final Map<String, String> boundBy = new LinkedHashMap<>();

  private InputBinding(Graph graph) {
    this.graph = graph;
  }

  /**
   * The type of every input, from the shapes of some.
   *
   * @param shapes shapes by input name; an input may be left out when others bind all its symbols
   * @return one type for each input, in the graph's order
   * @throws IllegalArgumentException when a name is not an input's, a shape is not admitted, two inputs disagree
   * about a symbol, or a
   *   symbol stays open
   */
  public static Map<String, TensorType> ofShapes(Graph graph, Map<String, Shape> shapes) {
    requireKnownNames(graph, shapes.keySet());
    var binding = new InputBinding(graph);
    Map<String, TensorType> types = new LinkedHashMap<>();
    for (Node input : graph.inputs()) {
      Shape shape = shapes.get(input.name());
      if (shape != null) {
        DeclaredType declared = declared(input);
        var type = new TensorType(declared.dtype(), shape);
        requireAdmitted(input.name(), declared, type);
        binding.learn(input.name(), declared, shape);
        types.put(input.name(), type);
      }
    }
    return binding.completed(types);
  }

  /**
   * Checks the types of actual tensors, all of them.
   *
   * @return the same types, in the graph's order
   * @throws IllegalArgumentException as {@link #ofShapes}, and when an element type differs or an input is left out
   */
  public static Map<String, TensorType> ofTypes(Graph graph, Map<String, TensorType> types) {
    requireKnownNames(graph, types.keySet());
    Map<String, Shape> shapes = new LinkedHashMap<>();
    for (Node input : tensors(graph)) {
      TensorType type = types.get(input.name());
      if (type == null) {
        throw new IllegalArgumentException(
          "an input is missing: input=%s declared=%s".formatted(input.name(), declared(input)));
      }
      requireAdmitted(input.name(), declared(input), type);
      shapes.put(input.name(), type.shape());
    }
    return ofShapes(graph, shapes);
  }

  /** The type of every input, with this extent for every open dimension. */
  public static Map<String, TensorType> ofExtent(Graph graph, long extent) {
    Map<String, TensorType> types = new LinkedHashMap<>();
    for (Node input : tensors(graph)) {
      DeclaredType declared = declared(input);
      types.put(input.name(), new TensorType(declared.dtype(), Shape.of(declared.dimensions().stream()
        .mapToLong(it -> it instanceof Dimension.Fixed(long known) ? known : extent).toArray())));
    }
    return types;
  }

  /** The inputs that have types of tensors; those of containers are checked when they are given. */
  private static List<Node> tensors(Graph graph) {
    return graph.inputs().stream().filter(it -> declared(it).isTensor()).toList();
  }

  static void requireKnownNames(Graph graph, Collection<String> names) {
    List<String> inputs = graph.inputs().stream().map(Node::name).toList();
    for (String name : names.stream().sorted().toList()) {
      if (!inputs.contains(name)) {
        throw new IllegalArgumentException("no such input: input=%s inputs=%s".formatted(name, inputs));
      }
    }
  }

  static void requireAdmitted(String name, DeclaredType declared, TensorType given) {
    if (given.dtype() != declared.dtype() || !declared.admits(given.shape())) {
      throw new IllegalArgumentException(
        "an input does not match its declared type: input=%s declared=%s given=%s".formatted(name, declared, given));
    }
  }

  private static DeclaredType declared(Node input) {
    if (!(input.kind() instanceof NodeKind.Input(DeclaredType type))) {
      throw new AssertionError("a graph's inputs are input nodes: node=" + input);
    }
    return type;
  }

  private static boolean isNamed(Dimension.Symbol symbol) {
    return !symbol.name().isBlank() && !symbol.name().equals("?");
  }

  private void learn(String input, DeclaredType declared, Shape shape) {
    for (int axis = 0; axis < shape.rank(); axis++) {
      if (declared.dimensions().get(axis) instanceof Dimension.Symbol symbol && isNamed(symbol)) {
        long extent = shape.extent(axis);
        Long earlier = extents.putIfAbsent(symbol.name(), extent);
        if (earlier != null && earlier != extent) {
          throw new IllegalArgumentException("inputs disagree about a dimension: dimension=%s %s=%d %s=%d"
            .formatted(symbol.name(), boundBy.get(symbol.name()), earlier, input, extent));
        }
        boundBy.putIfAbsent(symbol.name(), input);
      }
    }
  }

  private Map<String, TensorType> completed(Map<String, TensorType> given) {
    Map<String, TensorType> types = new LinkedHashMap<>();
    var open = new ArrayList<Node>();
    for (Node input : tensors(graph)) {
      TensorType type = given.get(input.name());
      DeclaredType bound = bound(declared(input));
      if (type == null && bound.known().isEmpty()) {
        open.add(input);
      } else {
        types.put(input.name(), type == null ? bound.known().orElseThrow() : type);
      }
    }
    if (!open.isEmpty()) {
      throw new IllegalArgumentException("dimensions are open: %s; give each a shape, for example --shapes %s"
        .formatted(open.stream().map(input -> input.name() + "=" + declared(input)).collect(Collectors.joining(" ")),
          open.stream().map(this::example).collect(Collectors.joining(","))));
    }
    return Collections.unmodifiableMap(types);
  }

  private DeclaredType bound(DeclaredType declared) {
    List<Dimension> dimensions = declared.dimensions().stream().<Dimension>map(dimension -> switch (dimension) {
      case Dimension.Symbol symbol when isNamed(symbol) && extents.containsKey(symbol.name()) ->
        new Dimension.Fixed(extents.get(symbol.name()));
      case Dimension.Fixed fixed -> fixed;
      case Dimension.Symbol symbol -> symbol;
    }).toList();
    return new DeclaredType(declared.dtype(), dimensions);
  }

  /** What a user could write: what is known, and 1 for the rest. */
  private String example(Node input) {
    return input.name() + ":" + bound(declared(input)).dimensions().stream()
      .map(dimension -> dimension instanceof Dimension.Fixed ? dimension.toString() : "1")
      .collect(Collectors.joining("x"));
  }
}
