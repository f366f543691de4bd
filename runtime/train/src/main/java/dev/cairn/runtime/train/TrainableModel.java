package dev.cairn.runtime.train;

import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Graph;
import java.util.Map;

/** The model of a trainer: layers, or a graph. */
interface TrainableModel {
  /**
   * The graph to the loss.
   *
   * @param inputs the types of the first batch, which may decide the types of parameters
   */
  TrainableGraph training(Map<String, TensorType> inputs);

  /** The name of the only input beside the labels. */
  String dataName();

  /**
   * The graph for inference.
   *
   * @param inputs the types that {@link #training} was given
   * @param values of parameters and states by name; its constants
   */
  Graph inference(Map<String, TensorType> inputs, Map<String, TensorView> values);
}
