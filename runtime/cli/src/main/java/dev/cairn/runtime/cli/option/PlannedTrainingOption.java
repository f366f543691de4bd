package dev.cairn.runtime.cli.option;

import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.train.GraphWeights;
import dev.cairn.runtime.train.optimizer.Optimizer;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Whether an iteration of training is planned instead of a run, and which. */
@HelpSection.In(HelpSection.TRAINING)
public final class PlannedTrainingOption {
  private static final double MOMENTUM = 0.9;

  @HelpSection.Common
  @Option(names = "--train", paramLabel = "OPTIMIZER", description = "Plan one iteration of training with this "
    + "optimizer instead of a run: ${COMPLETION-CANDIDATES}. sgd and nag have a momentum of 0.9.")
  private @Nullable OptimizerName optimizer;

  @Option(names = "--loss", paramLabel = "LOSS", defaultValue = "softmax", description = "With --train: loss of the "
    + "first output: ${COMPLETION-CANDIDATES}. softmax: classes along the last axis. Default: ${DEFAULT-VALUE}.")
  private LossName loss = LossName.SOFTMAX;

  @Option(names = "--trainable", paramLabel = "PATTERN", description = "With --train: train the float constants whose "
    + "names fit; * stands for any characters. Default: the weights of layers.")
  private @Nullable String trainable;

  /** Empty when a run is planned. */
  public Optional<Optimizer> optimizer() {
    return Optional.ofNullable(optimizer).map(it -> it.optimizer(MOMENTUM));
  }

  public LossName loss() {
    return loss;
  }

  /** Which constants of a model are trained. */
  public Predicate<String> trainable(Graph graph) {
    return trainable(graph, trainable);
  }

  static Predicate<String> trainable(Graph graph, @Nullable String pattern) {
    if (pattern == null) {
      Set<String> weights = GraphWeights.of(graph);
      return weights::contains;
    }
    Predicate<String> chosen = name -> name.matches("\\Q" + pattern.replace("*", "\\E.*\\Q") + "\\E");
    List<String> constants = graph.nodes().stream().filter(it -> it.constant().isPresent()).map(Node::name).toList();
    if (constants.stream().noneMatch(chosen)) {
      throw new IllegalArgumentException(
        "no constant's name fits --trainable, where only * stands for other characters: trainable=%s constants=%s"
          .formatted(pattern, constants));
    }
    return chosen;
  }
}
