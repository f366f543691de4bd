package dev.cairn.runtime.train;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.compile.Precision;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.train.checkpoint.Checkpoint;
import dev.cairn.runtime.train.layer.Activation;
import dev.cairn.runtime.train.layer.BatchNorm;
import dev.cairn.runtime.train.layer.Conv;
import dev.cairn.runtime.train.layer.Dense;
import dev.cairn.runtime.train.layer.Dropout;
import dev.cairn.runtime.train.layer.Flatten;
import dev.cairn.runtime.train.layer.Layer;
import dev.cairn.runtime.train.layer.MaxPool;
import dev.cairn.runtime.train.layer.Sequential;
import dev.cairn.runtime.train.layer.TransformerEncoderLayer;
import dev.cairn.runtime.train.loss.Losses;
import dev.cairn.runtime.train.optimizer.Optimizers;
import dev.cairn.runtime.value.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** P-5: products in 16 bits, parameters and updates in {@code float32}. */
class MixedPrecisionTest {
  private static final int ROWS = 8;
  /** The losses of trainings in 32 bits, by what they train. */
  private static final Map<String, List<Double>> WIDE = new HashMap<>();
  private static final Set<String> PRODUCTS = Set.of("Conv", "FusedProduct", "Gemm", "MatMul");
  private static final TrainerOptions OPTIONS = TrainerOptions.DEFAULT.withSession(SessionOptions.DEFAULT.withThreads(
    1));

  /** With a scale from which no gradient of these networks overflows. */
  private static TrainerOptions options(Precision precision) {
    TrainerOptions options = OPTIONS.withPrecision(precision);
    return precision == Precision.FLOAT16 ? options.withLossScale(LossScale.DYNAMIC.withInitial(1024)) : options;
  }

  private static Layer images() {
    return Sequential.of(Conv.of(6, 3, 3).padding(1, 1), BatchNorm.of(), Activation.relu(), MaxPool.window(2, 2),
      Conv.of(8, 3, 3),
      Activation.relu(), Flatten.of(), Dropout.of(0.1), Dense.of(4));
  }

  private static Layer texts() {
    return Sequential.of(TransformerEncoderLayer.of(8, 2, 16), Flatten.of(), Dense.of(4));
  }

  private static List<Double> losses(Layer net, TrainerOptions options, int iterations, int... extents) {
    List<Double> losses = new ArrayList<>();
    int count = (int) Shape.of(Arrays.stream(extents).asLongStream().toArray()).elementCount();
    try (Trainer trainer = Trainer.of(net, Losses.softmaxCrossEntropy(), Optimizers.adam().rate(3e-3), options)) {
      for (int i = 0; i < iterations; i++) {
        float[] x = LinearTask.values(i % 4, count);
        long[] classes = new long[ROWS];
        for (int row = 0; row < ROWS; row++) {
          classes[row] = x[row * (count / ROWS)] > 0 ? 1 : x[row * (count / ROWS) + 1] > 0 ? 2 : 3;
        }
        try (Tensor data = Tensor.of(x, Arrays.stream(extents).asLongStream().toArray());
          Tensor labels = Tensor.of(classes, ROWS)) {
          losses.add(trainer.iterate(data, labels));
        }
      }
      assertThat(trainer.skippedUpdates()).isZero();
    }
    return losses;
  }

  private static void requireAlike(List<Double> halves, List<Double> wide, double tolerance) {
    assertThat(wide.getLast()).isLessThan(0.6 * wide.getFirst());
    for (int i = 0; i < wide.size(); i++) {
      assertThat(Math.abs(halves.get(i) - wide.get(i))).as("iteration=%d half=%s wide=%s", i, halves.get(i), wide.get(
        i)).isLessThan(tolerance);
    }
    assertThat(halves).isNotEqualTo(wide);
  }

  @ParameterizedTest
  @EnumSource(names = {"FLOAT16", "BFLOAT16"})
  void imagesFollowTheCurveOfFloat32(Precision precision) {
    List<Double> wide = WIDE.computeIfAbsent("images", _ -> losses(images(), OPTIONS, 24, ROWS, 1, 8, 8));
    requireAlike(losses(images(), options(precision), 24, ROWS, 1, 8, 8), wide,
      precision == Precision.FLOAT16 ? 0.02 : 0.08);
  }

  @ParameterizedTest
  @EnumSource(names = {"FLOAT16", "BFLOAT16"})
  void attentionFollowsTheCurveOfFloat32(Precision precision) {
    List<Double> wide = WIDE.computeIfAbsent("texts", _ -> losses(texts(), OPTIONS, 25, ROWS, 5, 8));
    requireAlike(losses(texts(), options(precision), 25, ROWS, 5, 8), wide,
      precision == Precision.FLOAT16 ? 0.02 : 0.1);
  }

  @ParameterizedTest
  @EnumSource(names = {"FLOAT16", "BFLOAT16"})
  void productsHave16BitsAndUpdates32(Precision precision) {
    try (Trainer trainer = Trainer.of(images(), Losses.softmaxCrossEntropy(), Optimizers.adam(), OPTIONS.withPrecision(
      precision)); Trainer wide = Trainer.of(images(), Losses.softmaxCrossEntropy(), Optimizers.adam(), OPTIONS)) {
      TensorType data = TensorType.of(DType.FLOAT32, 64, 1, 8, 8);
      TensorType labels = TensorType.of(DType.INT64, 64);
      IterationPlan plan = trainer.plan(data, labels);
      CompiledGraph compiled = plan.compiled();
      List<Node> products = compiled.graph().graph().nodes().stream().filter(it -> PRODUCTS.contains(it.operator()))
        .toList();
      assertThat(products).hasSizeGreaterThanOrEqualTo(5).allSatisfy(it -> assertThat(compiled.types().type(it.inputs()
        .getFirst()).dtype()).isEqualTo(precision.half().orElseThrow()));
      for (Node node : compiled.graph().graph().nodes()) {
        boolean isUpdate = node.name().startsWith("update/") || node.kind() instanceof NodeKind.Assign
          || node.kind() instanceof NodeKind.Variable;
        if (isUpdate && !(node.kind() instanceof NodeKind.Constant)) {
          assertThat(dtypes(compiled, node)).as(node.name()).doesNotContain(DType.FLOAT16, DType.BFLOAT16);
        }
      }
      assertThat(plan.parameterBytes()).isEqualTo(wide.plan(data, labels).parameterBytes());
    }
  }

  /** What the backward pass reads has half the bytes. */
  @ParameterizedTest
  @EnumSource(names = {"FLOAT16", "BFLOAT16"})
  void activationsTakeLess(Precision precision) {
    assertThat(wideLayers(OPTIONS.withPrecision(precision)).activationBytes()).isLessThan(7 * wideLayers(OPTIONS)
      .activationBytes() / 10);
  }

  private static IterationPlan wideLayers(TrainerOptions options) {
    Layer net = Sequential.of(Dense.of(64), Activation.relu(), Dense.of(64), Activation.relu(), Dense.of(64), Activation
      .relu(), Dense.of(4));
    try (Trainer trainer = Trainer.of(net, Losses.softmaxCrossEntropy(), Optimizers.adam(), options)) {
      return trainer.plan(TensorType.of(DType.FLOAT32, 1024, 32), TensorType.of(DType.INT64, 1024));
    }
  }

  private static Set<DType> dtypes(CompiledGraph compiled, Node node) {
    int results = node.kind() instanceof NodeKind.Apply apply ? apply.outputs() : 1;
    return IntStream.range(0, results).mapToObj(node::entry).map((NodeEntry it) -> compiled.types()
      .type(it).dtype()).collect(Collectors.toSet());
  }

  /** A gradient of 2⁻²⁸ is zero in float16: only a scaled loss trains such a network. */
  @Test
  void smallGradientsNeedAScale() {
    assertThat(gradient(LossScale.NONE)).isZero();
    assertThat(gradient(LossScale.DYNAMIC)).isEqualTo(0x1p-28);
  }

  /** The gradient of a weight behind a small factor. */
  private static double gradient(LossScale scale) {
    var builder = new GraphBuilder("small");
    NodeEntry hidden = builder.apply("MatMul", builder.input("x", TensorType.of(DType.FLOAT32, 1, 1)), builder.constant(
      "w", TensorView.ofFloats(Shape.of(1, 1), 1)));
    builder.output("y", builder.apply("MatMul", hidden, builder.constant("small", TensorView.ofFloats(Shape.of(1, 1),
      0x1p-14f))));
    TrainerOptions options = OPTIONS.withPrecision(Precision.FLOAT16).withLossScale(scale).withKeptGradients();
    try (Trainer trainer = Trainer.of(builder.build(), "w"::equals, Losses.l2(), Optimizers.sgd(0).rate(1), options);
      Tensor x = Tensor.of(new float[] {1}, 1, 1);
      Tensor y = Tensor.of(new float[] {0}, 1, 1)) {
      trainer.iterate(x, y);
      try (Tensor gradient = trainer.variable("gradient.w")) {
        return gradient.view().doubleAt(0);
      }
    }
  }

  @Test
  void aResumedTrainingEqualsAnUnbrokenOne() {
    TrainerOptions options = OPTIONS.withPrecision(Precision.FLOAT16).withLossScale(LossScale.DYNAMIC.withInterval(2));
    try (Trainer unbroken = trainer(options); Trainer begun = trainer(options); Trainer resumed = trainer(options)) {
      LinearTask.run(unbroken, 0, 12, ROWS);
      LinearTask.run(begun, 0, 5, ROWS);
      resumed.restore(begun.checkpoint());
      LinearTask.run(resumed, 5, 12, ROWS);
      Checkpoint wanted = unbroken.checkpoint();
      assertThat(resumed.checkpoint().metadata()).isEqualTo(wanted.metadata());
      Map<String, TensorView> found = resumed.checkpoint().tensors();
      wanted.tensors().forEach((name, value) -> assertThat(Objects.requireNonNull(found.get(name)).segment().mismatch(
        value.segment())).as(name).isEqualTo(-1));
      assertThat(Objects.requireNonNull(wanted.tensors().get("0.weight")).dtype()).isEqualTo(DType.FLOAT32);
      assertThat(unbroken.lossScale()).isNotEqualTo(LossScale.DYNAMIC.initial());
    }
  }

  private static Trainer trainer(TrainerOptions options) {
    return Trainer.of(LinearTask.net(), Losses.l2(), Optimizers.adam().rate(0.01), options);
  }
}
