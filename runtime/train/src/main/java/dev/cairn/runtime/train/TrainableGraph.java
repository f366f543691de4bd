package dev.cairn.runtime.train;

import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.Node;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What an iteration is made of: the graph from data and labels to the loss, and which of its nodes are parameters.
 *
 * @param graph has the loss as its output {@link #LOSS}, and further outputs; it assigns nothing
 * @param parameters inputs and constants of the graph that become variables, by name
 * @param updates for states such as running statistics, the output with the state's new value, by the state's name
 */
record TrainableGraph(Graph graph, Map<String, Parameter> parameters, Map<String, String> updates) {
  /** The output that training makes small: a scalar. */
  static final String LOSS = "loss";

  TrainableGraph {
    parameters = Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
    updates = Collections.unmodifiableMap(new LinkedHashMap<>(updates));
  }

  /**
   * A node whose value training keeps.
   *
   * @param initial its first value, whose bytes outlive the graph
   * @param isTrained whether it follows its gradient; a state or a frozen parameter does not
   */
  record Parameter(Node node, TensorView initial, boolean isTrained) {}

  /** The names of the parameters that follow their gradients. */
  List<String> trained() {
    return parameters.entrySet().stream().filter(it -> it.getValue().isTrained).map(Map.Entry::getKey).toList();
  }

  /** The inputs that each iteration is given. */
  List<Node> inputs() {
    List<Node> all = parameters.values().stream().map(Parameter::node).toList();
    return graph.inputs().stream().filter(it -> !all.contains(it)).toList();
  }
}
