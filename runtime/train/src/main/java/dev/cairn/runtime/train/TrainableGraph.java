package dev.cairn.runtime.train;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.Notes;
import dev.cairn.runtime.symbol.NoteScope;
import dev.cairn.runtime.symbol.Symbol;
import dev.cairn.runtime.train.loss.Loss;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The parts of an iteration: the graph from data and labels to the loss, and which of its nodes are parameters.
 *
 * @param graph has the loss as its output {@link #LOSS}, and further outputs; it assigns nothing
 * @param parameters inputs and constants of the graph that become variables, by name
 * @param updates for states such as running statistics, the output with the state's new value, by the state's name
 * @param draws how many draws of random numbers an iteration takes from its input {@link #RANDOM}
 */
record TrainableGraph(Graph graph, Map<String, Parameter> parameters, Map<String, String> updates, int draws) {
  /** The output that training makes small: a scalar. */
  static final String LOSS = "loss";
  /** The first of the model's own outputs. */
  static final String OUTPUT = "output";
  /** The input with a seed and the number of the first draw. */
  static final String RANDOM = "random";

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

  /** Which values variables and constants of a symbol have, and whether they are trained. */
  record Value(TensorView initial, boolean isTrained) {}

  /**
   * Closes a symbol with a loss.
   *
   * @param values of variables and constants that become parameters, by name
   * @param states new values of states, by the names of their variables
   */
  static TrainableGraph of(Symbol loss, Symbol output, Map<String, Value> values, Map<String, Symbol> states,
    int draws) {
    List<Symbol> all = new ArrayList<>(List.of(loss, output.get(0)));
    List<String> names = new ArrayList<>(List.of(LOSS, OUTPUT));
    Map<String, String> updates = new LinkedHashMap<>();
    states.forEach((state, value) -> {
      all.add(value);
      names.add(state + "/new");
      updates.put(state, state + "/new");
    });
    Graph closed = Symbol.group(all.toArray(Symbol[]::new)).graph();
    List<Graph.Output> outputs = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      outputs.add(new Graph.Output(names.get(i), closed.outputs().get(i).entry()));
    }
    Map<String, Node> nodes = new HashMap<>();
    closed.nodes().forEach(node -> nodes.put(node.name(), node));
    Map<String, Parameter> parameters = new LinkedHashMap<>();
    values.forEach((name, value) -> {
      Node node = nodes.get(name);
      if (node != null) {
        parameters.put(name, new Parameter(node, value.initial, value.isTrained));
      }
    });
    return new TrainableGraph(closed.withOutputs(outputs), parameters, updates, draws);
  }

  /** A loss, whose nodes compute in {@code float32} whatever the precision of the model. */
  static Symbol lossOf(Loss loss, Symbol output, Symbol labels) {
    try (var _ = NoteScope.of(Notes.PRECISION, DType.FLOAT32.toString())) {
      return loss.of(output, labels);
    }
  }

  /** The names of the parameters that follow their gradients. */
  List<String> trained() {
    return parameters.entrySet().stream().filter(it -> it.getValue().isTrained).map(Map.Entry::getKey).toList();
  }

  /** The inputs of the iteration. */
  List<Node> inputs() {
    List<Node> all = parameters.values().stream().map(Parameter::node).toList();
    return graph.inputs().stream().filter(it -> !all.contains(it)).toList();
  }
}
