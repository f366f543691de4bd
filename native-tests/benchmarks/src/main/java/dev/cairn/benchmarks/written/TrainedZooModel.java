package dev.cairn.benchmarks.written;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.infer.InputBinding;
import dev.cairn.runtime.session.ModelCompiler;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.train.GraphWeights;
import dev.cairn.runtime.train.Trainer;
import dev.cairn.runtime.train.TrainerOptions;
import dev.cairn.runtime.train.loss.Losses;
import dev.cairn.runtime.train.optimizer.Optimizers;
import dev.cairn.runtime.zoo.Zoo;
import dev.cairn.runtime.zoo.ZooOptions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A reference model to be trained: a loss over the classes of its first output, and SGD with momentum.
 *
 * @param types of its inputs and of its labels
 */
public record TrainedZooModel(Graph graph, Map<String, TensorType> types) {
  /** A model of the zoo, with so many items in a batch. */
  public static TrainedZooModel of(String model, long batch) {
    Graph graph = Zoo.build(model, ZooOptions.DEFAULT.withSymbolicBatch());
    Map<String, TensorType> types = new LinkedHashMap<>(InputBinding.ofExtent(graph, batch));
    types.put(Trainer.LABELS, labels(graph, types));
    return new TrainedZooModel(graph, types);
  }

  /** A class for each row of the first output. */
  private static TensorType labels(Graph graph, Map<String, TensorType> types) {
    try (ModelCompiler compiler = ModelCompiler.open(SessionOptions.DEFAULT)) {
      List<TensorType> outputs = new ArrayList<>(compiler.compile(graph, types, SessionOptions.DEFAULT.compile())
        .outputTypes().values());
      long[] extents = outputs.getFirst().shape().extents();
      return new TensorType(DType.INT64, Shape.of(Arrays.copyOf(extents, extents.length - 1)));
    }
  }

  /** A trainer of all weights. */
  public Trainer trainer(SessionOptions options) {
    Set<String> weights = GraphWeights.of(graph);
    return Trainer.of(graph, weights::contains, Losses.softmaxCrossEntropy().alongLastAxis(), Optimizers.sgd(0.9),
      TrainerOptions.DEFAULT.withSession(options));
  }
}
