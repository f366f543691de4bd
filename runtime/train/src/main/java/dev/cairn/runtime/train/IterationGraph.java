package dev.cairn.runtime.train;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.runtime.graph.Graph;
import java.util.List;
import java.util.Map;

/**
 * One iteration as a graph: forward, loss, gradients, updates, and the assigns to parameters and states. It holds for
 * every batch size.
 *
 * @param graph its outputs are those of the model, but for new values of states
 * @param inputs the names of the inputs that the caller gives
 * @param factors the inputs that depend on the update's number, by their names
 * @param now the name of the input that says whether this iteration updates; empty when each does
 * @param parameters the names of the variables that the model has
 * @param states the names of the variables that the optimizer has, and of sums of gradients
 */
record IterationGraph(Graph graph, List<String> inputs, Map<String, Factor> factors, String now,
  List<String> parameters, List<String> states) {
  /** Before the names of nodes that update, and of inputs that the trainer gives. */
  static final String UPDATE = "update";
  /** Before the names of variables that hold sums of gradients. */
  static final String SUM = "sum";
  /** Before the names of variables that hold kept gradients. */
  static final String GRADIENT = "gradient";

  /** A factor of the optimizer as a scalar of an element type. */
  record Factor(String name, DType dtype) {}
}
