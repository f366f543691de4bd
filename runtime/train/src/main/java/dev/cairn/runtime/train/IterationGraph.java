package dev.cairn.runtime.train;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.infer.InputBinding;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * One iteration as a graph: forward, loss, gradients, updates, and the assigns to parameters and states. It holds for
 * every batch size.
 *
 * @param graph its outputs are those of the model, but for new values of states
 * @param factors the inputs that depend on the update's number, by their names
 * @param now the name of the input that says whether this iteration updates; empty when each does
 * @param scales whether the output {@link LossScaling#APPLIED} says that the update was made
 * @param draws how many draws of random numbers an iteration takes
 * @param parameters the names of the variables that the model has
 * @param states the names of the variables that the optimizer has, and of sums of gradients
 */
record IterationGraph(Graph graph, Map<String, Factor> factors, String now, boolean scales, int draws,
  List<String> parameters, List<String> states) {
  /** Before the names of nodes that update, and of inputs that the trainer gives. */
  static final String UPDATE = "update";
  /** Before the names of variables that hold sums of gradients. */
  static final String SUM = "sum";
  /** Before the names of variables that hold kept gradients. */
  static final String GRADIENT = "gradient";

  IterationGraph {
    factors = Map.copyOf(factors);
    parameters = List.copyOf(parameters);
    states = List.copyOf(states);
  }

  /** A factor of the optimizer as a scalar of an element type. */
  record Factor(String name, DType dtype) {}

  /** The types of the inputs that the trainer itself gives, by name. */
  Map<String, TensorType> givenTypes() {
    Map<String, TensorType> types = new LinkedHashMap<>();
    factors.forEach((name, factor) -> types.put(name, new TensorType(factor.dtype, Shape.SCALAR)));
    if (!now.isEmpty()) {
      types.put(now, TensorType.of(DType.BOOL));
    }
    if (draws > 0) {
      types.put(TrainableGraph.RANDOM, TensorType.of(DType.INT64, 2));
    }
    return types;
  }

  /**
   * The types of all inputs.
   *
   * @param given the types of the inputs that the trainer does not give
   * @throws IllegalArgumentException when one is missing, unknown or not as the graph declares it
   */
  Map<String, TensorType> inputTypes(Map<String, TensorType> given) {
    Map<String, TensorType> all = new HashMap<>(given);
    all.putAll(givenTypes());
    return InputBinding.ofTypes(graph, all);
  }

  /** The types of all parameters and states, by name. */
  Map<String, TensorType> variableTypes() {
    Map<String, TensorType> types = new HashMap<>();
    graph.variables().forEach(it -> {
      if (it.kind() instanceof NodeKind.Variable(TensorView initial)) {
        types.put(it.name(), initial.type());
      }
    });
    return types;
  }

  /** The names of all parameters and states, those of the optimizer last. */
  List<String> variables() {
    return Stream.concat(parameters.stream(), states.stream()).toList();
  }
}
