package dev.cairn.runtime.train;

import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.PartialType;
import dev.cairn.runtime.symbol.Symbol;
import dev.cairn.runtime.train.initializer.Initializers;
import dev.cairn.runtime.train.layer.Layer;
import dev.cairn.runtime.train.layer.LayerGraph;
import dev.cairn.runtime.train.layer.Parameter;
import dev.cairn.runtime.train.loss.Loss;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A network of layers.
 *
 * @param seed for first values of parameters that have none
 */
record LayerModel(Layer layer, Loss loss, long seed) implements TrainableModel {
  @Override
  public TrainableGraph training(Map<String, TensorType> inputs) {
    TensorType data = type(inputs, Trainer.DATA);
    if (!isInitialized()) {
      layer.initialize(Initializers.uniform(Initializers.STANDARD_SCALE), seed, PartialType.of(data));
    }
    LayerGraph graph = LayerGraph.of(layer, true, openBatch(data));
    Symbol labels = Symbol.variable(Trainer.LABELS, openBatch(type(inputs, Trainer.LABELS)));
    Map<String, TrainableGraph.Value> values = new LinkedHashMap<>();
    graph.parameters().forEach((path, it) -> values.put(path, new TrainableGraph.Value(it.value(), it.isTrainable())));
    return TrainableGraph.of(TrainableGraph.lossOf(loss, graph.outputs().get(0), labels), graph.outputs(), values,
      graph.updates(), graph
        .draws());
  }

  @Override
  public String dataName() {
    return Trainer.DATA;
  }

  private boolean isInitialized() {
    return layer.parameters().values().stream().allMatch(Parameter::isInitialized) && layer.states().values().stream()
      .allMatch(Parameter::isInitialized);
  }

  private static TensorType type(Map<String, TensorType> inputs, String name) {
    TensorType type = inputs.get(name);
    if (type == null) {
      throw new IllegalArgumentException("an input is missing: input=%s given=%s".formatted(name, inputs.keySet()));
    }
    return type;
  }

  /** The type with an open first extent, so that every batch has the same graph. */
  private static PartialType openBatch(TensorType type) {
    long[] extents = type.shape().extents();
    if (extents.length > 0) {
      extents[0] = PartialType.OPEN;
    }
    return PartialType.of(type.dtype(), extents);
  }

  @Override
  public Graph inference(Map<String, TensorType> inputs, Map<String, TensorView> values) {
    LayerGraph graph = LayerGraph.of(layer, false, openBatch(type(inputs, Trainer.DATA)));
    Map<String, TensorView> read = new HashMap<>(values);
    read.keySet().retainAll(graph.parameters().keySet());
    return graph.outputs().withValues(read).graph();
  }
}
