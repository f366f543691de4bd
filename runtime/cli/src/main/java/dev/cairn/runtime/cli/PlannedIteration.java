package dev.cairn.runtime.cli;

import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.cli.option.PlannedTrainingOption;
import dev.cairn.runtime.compile.CompileOptions;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.session.ModelCompiler;
import dev.cairn.runtime.train.Trainer;
import dev.cairn.runtime.train.TrainerOptions;
import dev.cairn.runtime.train.optimizer.Optimizer;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * An iteration of training as a model to plan.
 *
 * @param shapes of the model's inputs and of the labels
 */
record PlannedIteration(Graph graph, Map<String, Shape> shapes) {
  /**
   * The iteration of a model.
   *
   * @param given shapes of inputs, perhaps of the labels too, which otherwise follow from the output
   */
  static PlannedIteration of(Graph model, Map<String, Shape> given, PlannedTrainingOption how, Optimizer optimizer,
    ModelCompiler compiler, TrainerOptions options) {
    Map<String, Shape> ofModel = new LinkedHashMap<>(given);
    Shape labels = ofModel.remove(Trainer.LABELS);
    Map<String, TensorType> types = new LinkedHashMap<>(InputTypes.of(model, ofModel));
    TensorType output = compiler.compile(model, types, CompileOptions.DEFAULT).outputTypes().values().iterator().next();
    TensorType derived = how.loss().labels(output);
    types.put(Trainer.LABELS, labels == null ? derived : derived.withShape(labels));
    try (Trainer trainer = Trainer.of(model, how.trainable(model), how.loss().loss(), optimizer,
      options)) {
      Map<String, Shape> shapes = new LinkedHashMap<>();
      types.forEach((name, type) -> shapes.put(name, type.shape()));
      return new PlannedIteration(trainer.graph(types), shapes);
    }
  }
}
