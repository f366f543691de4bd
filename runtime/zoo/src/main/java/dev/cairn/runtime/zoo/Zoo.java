package dev.cairn.runtime.zoo;

import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.train.layer.Layer;
import java.util.List;

/** The reference models, by name. */
public final class Zoo {
  private static final List<ZooModel> MODELS = List.of(new Mlp(), new Lenet(), new LstmLm(), new Resnet18(),
    new Resnet50(), new MobilenetV2(), new BertBase(), new Gpt2());

  private Zoo() {}

  /** All names, the smallest model first. */
  public static List<String> names() {
    return MODELS.stream().map(ZooModel::name).toList();
  }

  /** One line on a model. */
  public static String description(String name) {
    return model(name).description();
  }

  /**
   * Builds a model. Its weights are native memory, freed when the graph can no longer be reached.
   *
   * @throws IllegalArgumentException when there is no such model, or it cannot be built with such options
   */
  public static Graph build(String name, ZooOptions options) {
    return model(name).build(options);
  }

  /**
   * A model as layers without values, to be trained.
   *
   * @throws IllegalArgumentException when there is no such model, or it isn't written as layers
   */
  public static Layer network(String name) {
    if (model(name) instanceof LayeredModel layered) {
      return layered.network();
    }
    throw new IllegalArgumentException("a reference model is not written as layers: name=%s known=%s".formatted(name,
      MODELS.stream().filter(LayeredModel.class::isInstance).map(ZooModel::name).toList()));
  }

  /** The names of the models that {@link #classifier} knows. */
  public static List<String> classifiers() {
    return MODELS.stream().filter(ImageClassifier.class::isInstance).map(ZooModel::name).toList();
  }

  /**
   * An image classifier as layers without values, for images {@code [N,channels,height,width]} of any number of
   * channels.
   *
   * @throws IllegalArgumentException when there is no such model, or it is no image classifier in layers
   */
  public static Layer classifier(String name, int classes) {
    if (model(name) instanceof ImageClassifier classifier) {
      return classifier.network(classes);
    }
    throw new IllegalArgumentException("a reference model is no image classifier in layers: name=%s known=%s".formatted(
      name, classifiers()));
  }

  private static ZooModel model(String name) {
    return MODELS.stream().filter(model -> model.name().equals(name)).findFirst().orElseThrow(
      () -> new IllegalArgumentException("no such reference model: name=%s known=%s".formatted(name, names())));
  }

  /**
   * How many numbers of a reference model are learnt when it is trained, which is what papers give as its size:
   * weights and biases, each table once, without running statistics, shapes and masks.
   */
  public static long parameterCount(Graph graph) {
    long count = 0;
    for (Node node : graph.nodes()) {
      if (node.kind() instanceof NodeKind.Constant(var value) && ModelScope.isLearnt(node.name())) {
        count += value.elementCount();
      }
    }
    return count;
  }
}
