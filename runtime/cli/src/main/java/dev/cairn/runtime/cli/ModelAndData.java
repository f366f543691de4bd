package dev.cairn.runtime.cli;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.runtime.cli.option.ImageSize;
import dev.cairn.runtime.cli.option.TrainingOption;
import dev.cairn.runtime.graph.DeclaredType;
import dev.cairn.runtime.graph.Dimension;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.graph.PartialType;
import dev.cairn.runtime.train.Trainer;
import dev.cairn.runtime.train.TrainerOptions;
import dev.cairn.runtime.train.data.ArrayDataset;
import dev.cairn.runtime.train.data.SplitDataset;
import dev.cairn.runtime.train.initializer.Initializers;
import dev.cairn.runtime.train.layer.Activation;
import dev.cairn.runtime.train.layer.Dense;
import dev.cairn.runtime.train.layer.Layer;
import dev.cairn.runtime.train.layer.Sequential;
import dev.cairn.runtime.train.loss.Losses;
import dev.cairn.runtime.zoo.Zoo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A trainer, and data of the shape that its model reads.
 *
 * @param title of the model, for people
 */
record ModelAndData(String title, Trainer trainer, SplitDataset data) {
  static final String MLP = "mlp";
  private static final String LENET = "lenet";
  private static final ImageSize LENET_IMAGE = new ImageSize(28, 28);
  private static final int MOST_CLASSES = 100_000;

  static ModelAndData of(String model, TrainingOption how, TrainerOptions options) throws IOException {
    SplitDataset data = how.dataset();
    int rows = data.train().rows();
    if (rows < how.batch()) {
      throw new IllegalArgumentException("fewer rows to train than a batch: rows=%d batch=%d".formatted(rows, how
        .batch()));
    }
    if (model.equals(MLP)) {
      return mlp(data.map(ArrayDataset::flattened), how, options);
    }
    return Zoo.names().contains(model) && !Files.isRegularFile(Path.of(model))
      ? classifier(model, data, how, options)
      : ofFile(Path.of(model), data, how, options);
  }

  private static ModelAndData mlp(SplitDataset data, TrainingOption how, TrainerOptions options) {
    List<Integer> widths = how.widths();
    long features = data.train().features().shape().extent(1);
    if (widths.size() < 2 || widths.getFirst() != features) {
      throw new IllegalArgumentException("the first of --widths is the number of features: widths=%s features=%d"
        .formatted(widths, features));
    }
    data.requireClasses(widths.getLast());
    Sequential net = Sequential.of();
    for (int i = 1; i < widths.size(); i++) {
      net.add(Dense.of(widths.get(i)));
      if (i < widths.size() - 1) {
        net.add(Activation.relu());
      }
    }
    return ofLayer("mlp " + widths.stream().map(String::valueOf).collect(Collectors.joining("-")), net, data, how,
      options);
  }

  private static ModelAndData classifier(String name, SplitDataset data, TrainingOption how, TrainerOptions options) {
    int classes = data.classes();
    if (classes > MOST_CLASSES) {
      throw new IllegalArgumentException("labels are classes, numbered from 0: largest=%d most=%d".formatted(classes
        - 1, MOST_CLASSES - 1));
    }
    data.requireClasses(classes);
    Layer net = Zoo.classifier(name, classes);
    Optional<ImageSize> wanted = name.equals(LENET) ? how.resize().or(() -> Optional.of(LENET_IMAGE)) : how.resize();
    SplitDataset images = data.map(it -> wanted.map(size -> it.resized(size.height(), size.width())).orElseGet(
      it::asImages));
    String extents = Arrays.stream(images.train().features().shape().extents()).skip(1).mapToObj(String::valueOf)
      .collect(Collectors.joining("x"));
    return ofLayer("%s of images %s, %d classes".formatted(name, extents, classes), net, images, how, options);
  }

  private static ModelAndData ofLayer(String title, Layer net, SplitDataset data, TrainingOption how,
    TrainerOptions options) {
    net.initialize(Initializers.xavier(), how.seed(), PartialType.of(DType.FLOAT32, data.train().features().shape()
      .with(0, 1).extents()));
    return new ModelAndData(title, Trainer.of(net, Losses.softmaxCrossEntropy(), how.optimizer(), options), data);
  }

  private static ModelAndData ofFile(Path file, SplitDataset data, TrainingOption how, TrainerOptions options) {
    Graph graph = how.read(file);
    if (graph.inputs().size() == 1 && graph.inputs().getFirst().kind() instanceof NodeKind.Input(DeclaredType type)) {
      requireBatch(type, how.batch());
      long[] extents = type.dimensions().stream().skip(1).mapToLong(it -> it instanceof Dimension.Fixed(long extent)
        ? extent
        : -1).toArray();
      boolean isFixed = Arrays.stream(extents).allMatch(it -> it >= 0);
      SplitDataset sized = data.map(it -> how.resize().map(size -> it.resized(size.height(), size.width())).orElse(it));
      SplitDataset shaped = isFixed ? sized.map(it -> shaped(it, extents)) : sized;
      Trainer trainer = Trainer.of(graph, how.trainable(graph), Losses.softmaxCrossEntropy(), how.optimizer(), options);
      return new ModelAndData(file.toString(), trainer, shaped);
    }
    throw new IllegalArgumentException("a model of one input is wanted: inputs=" + graph.inputs());
  }

  private static void requireBatch(DeclaredType type, int batch) {
    if (!type.dimensions().isEmpty() && type.dimensions().getFirst() instanceof Dimension.Fixed(long extent)
      && extent != batch) {
      throw new IllegalArgumentException("the model has a fixed batch; --batch must be equal to it: model=%d batch=%d"
        .formatted(extent, batch));
    }
  }

  private static ArrayDataset shaped(ArrayDataset data, long[] extentsOfOne) {
    long columns = data.features().elementCount() / Math.max(1, data.rows());
    if (columns != Arrays.stream(extentsOfOne).reduce(1, Math::multiplyExact)) {
      throw new IllegalArgumentException(
        "rows do not fit the model's input; --resize scales images: columns=%d input=%s"
          .formatted(columns, Arrays.toString(extentsOfOne)));
    }
    long[] image = sides(data.features().shape().extents(), 1);
    long[] wanted = sides(extentsOfOne, 0);
    if (image.length > 1 && wanted.length > 1 && !Arrays.equals(image, wanted)) {
      throw new IllegalArgumentException("images have other extents than the model's input: images=%s input=%s"
        .formatted(data.features().shape(), Arrays.toString(extentsOfOne)));
    }
    return data.reshaped(extentsOfOne);
  }

  /** Extents of more than 1: as many elements in another height and width are another image. */
  private static long[] sides(long[] extents, int first) {
    return Arrays.stream(extents).skip(first).filter(it -> it != 1).toArray();
  }
}
