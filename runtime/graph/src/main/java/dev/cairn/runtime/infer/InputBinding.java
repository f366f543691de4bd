package dev.cairn.runtime.infer;

import dev.cairn.kernels.tensor.DType;
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
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives every symbolic dimension of a graph's inputs a number: what one input's shape says of a symbol holds for all
 * inputs that name it, unless their shapes say otherwise: then each axis is a dimension of its own, and the log warns.
 * A symbol without a name (blank, or {@code ?}) stands for itself alone. An input that is declared as a scalar takes
 * any shape, since some exporters write no dimensions for unknown ones; the log warns of that, too.
 */
public final class InputBinding {
  private static final Logger LOG = LoggerFactory.getLogger(InputBinding.class);

  /** The dimensions, behind their graph's name, of which the log has warned: once is enough for all runs. */
  private static final Set<String> SAID = ConcurrentHashMap.newKeySet();
  private static final int MOST_SAID = 1000;

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
   * @throws IllegalArgumentException when a name is not an input's, a shape is not admitted, or a symbol stays open
   */
  public static Map<String, TensorType> ofShapes(Graph graph, Map<String, Shape> shapes) {
    requireKnownNames(graph, shapes.keySet());
    Map<String, TensorType> types = new LinkedHashMap<>();
    for (Node input : graph.inputs()) {
      Shape shape = shapes.get(input.name());
      if (shape != null) {
        types.put(input.name(), new TensorType(element(input), shape));
      }
    }
    return of(graph, types);
  }

  /**
   * Checks the types of actual tensors, all of them.
   *
   * @return the same types, in the graph's order
   * @throws IllegalArgumentException as {@link #ofShapes}, and when an element type differs or an input is left out
   */
  public static Map<String, TensorType> ofTypes(Graph graph, Map<String, TensorType> types) {
    requireKnownNames(graph, types.keySet());
    for (Node input : graph.inputs()) {
      if (!types.containsKey(input.name()) && declared(input).isTensor()) {
        throw new IllegalArgumentException(
          "an input is missing: input=%s declared=%s".formatted(input.name(), declared(input)));
      }
    }
    return of(graph, types);
  }

  private static Map<String, TensorType> of(Graph graph, Map<String, TensorType> given) {
    var binding = new InputBinding(graph);
    for (Node input : graph.inputs()) {
      TensorType type = given.get(input.name());
      if (type != null) {
        requireAdmitted(input.name(), declared(input), type);
        binding.warnOfRank(input.name(), declared(input), type.shape());
        binding.learn(input.name(), declared(input), type.shape());
      }
    }
    return binding.completed(given);
  }

  private static DType element(Node input) {
    return declared(input).element().orElseThrow(() -> new IllegalArgumentException(
      "an input's element type is open, so a shape alone does not tell its type: input=%s declared=%s".formatted(
        input.name(), declared(input))));
  }

  /** Whether some input leaves its element type or its rank open, as symbols may. */
  public static boolean isOpen(Graph graph) {
    return graph.inputs().stream().anyMatch(input -> !declared(input).hasRank());
  }

  /**
   * The type of every input, with this extent for every open dimension.
   *
   * @throws IllegalArgumentException when the graph {@link #isOpen}
   */
  public static Map<String, TensorType> ofExtent(Graph graph, long extent) {
    if (isOpen(graph)) {
      throw new IllegalArgumentException("types of inputs are open: graph=" + graph.name());
    }
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
    int known = 0;
    for (Node input : graph.inputs()) {
      known += names.contains(input.name()) ? 1 : 0;
    }
    if (known == names.size()) {
      return;
    }
    List<String> inputs = graph.inputs().stream().map(Node::name).toList();
    for (String name : names.stream().sorted().toList()) {
      if (!inputs.contains(name)) {
        throw new IllegalArgumentException("no such input: input=%s inputs=%s".formatted(name, inputs));
      }
    }
  }

  /** @throws IllegalArgumentException when the graph has no such input, or declares another type for it */
  public static void requireInput(Graph graph, String name, TensorType given) {
    requireKnownNames(graph, Set.of(name));
    graph.inputs().stream().filter(it -> it.name().equals(name)).forEach(it -> requireAdmitted(name, declared(it),
      given));
  }

  static void requireAdmitted(String name, DeclaredType declared, TensorType given) {
    boolean hasElement = declared.element().isEmpty() || declared.element().get() == given.dtype();
    if (!declared.admits(given) && !(hasElement && isScalar(declared))) {
      throw new IllegalArgumentException(
        "an input does not match its declared type: input=%s declared=%s given=%s".formatted(name, declared, given));
    }
  }

  private static boolean isScalar(DeclaredType declared) {
    return declared.isTensor() && declared.extents().isPresent() && declared.extents().get().isEmpty();
  }

  private void warnOfRank(String input, DeclaredType declared, Shape shape) {
    if (isScalar(declared) && shape.rank() > 0 && SAID.size() < MOST_SAID
      && SAID.add(graph.name() + "/scalar/" + input)) {
      LOG.warn("an input is declared as a scalar, and has the shape of its values: graph={} input={} shape={}", graph
        .name(), input, shape);
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
    for (int axis = 0; declared.extents().isPresent() && axis < declared.dimensions().size(); axis++) {
      if (declared.dimensions().get(axis) instanceof Dimension.Symbol symbol && isNamed(symbol)) {
        long extent = shape.extent(axis);
        Long earlier = extents.putIfAbsent(symbol.name(), extent);
        if (earlier != null && earlier != extent && SAID.size() < MOST_SAID && SAID.add(graph.name() + '/' + symbol
          .name())) {
          LOG.warn("two extents have one name in the model, and count as two dimensions: dimension={} {}={} {}={}",
            symbol.name(), boundBy.get(symbol.name()), earlier, input, extent);
        }
        boundBy.putIfAbsent(symbol.name(), input);
      }
    }
  }

  private Map<String, TensorType> completed(Map<String, TensorType> given) {
    Map<String, TensorType> types = new LinkedHashMap<>();
    var open = new ArrayList<Node>();
    for (Node input : graph.inputs()) {
      TensorType type = given.get(input.name());
      if (type != null && declared(input).isTensor()) {
        types.put(input.name(), type);
      } else if (declared(input).isTensor()) {
        bound(declared(input)).known().ifPresentOrElse(it -> types.put(input.name(), it), () -> open.add(input));
      }
    }
    if (!open.isEmpty()) {
      String message = isOpen(graph)
        ? "types are open: %s; give each input a tensor, or infer types of the symbol"
        : "dimensions are open: %s; give each a shape";
      throw new IllegalArgumentException(message.formatted(open.stream().map(input -> input.name() + "=" + declared(
        input)).collect(Collectors.joining(" "))));
    }
    return Collections.unmodifiableMap(types);
  }

  private DeclaredType bound(DeclaredType declared) {
    return new DeclaredType(declared.element(), declared.extents().map(dimensions -> dimensions.stream().map(
      this::bound).toList()));
  }

  private Dimension bound(Dimension dimension) {
    return dimension instanceof Dimension.Symbol symbol && isNamed(symbol) && extents.containsKey(symbol.name())
      ? new Dimension.Fixed(extents.get(symbol.name()))
      : dimension;
  }
}
