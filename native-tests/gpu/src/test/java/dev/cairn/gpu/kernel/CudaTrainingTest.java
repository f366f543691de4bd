package dev.cairn.gpu.kernel;

import dev.cairn.kernels.TestTensors;
import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.ClassLoss;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Normalisations and dropout in training, losses, sums at indices and their gradients on CUDA. */
class CudaTrainingTest {
  private static final List<DType> FLOATS = List.of(DType.FLOAT32, DType.FLOAT64, DType.FLOAT16, DType.BFLOAT16);
  private static CudaTwins twins;

  private final SplittableRandom random = new SplittableRandom(31);

  @BeforeAll
  static void open() {
    twins = CudaTwins.open();
  }

  @AfterAll
  static void close() {
    if (twins != null) {
      twins.close();
    }
  }

  private TensorView random(DType dtype, Shape shape) {
    return TestTensors.random(dtype, shape, random);
  }

  private static DType statistic(DType dtype) {
    return dtype.isHalf() ? DType.FLOAT32 : dtype;
  }

  private TensorView positive(DType dtype, Shape shape) {
    TensorView view = TestTensors.zeros(new TensorType(dtype, shape));
    for (long i = 0; i < view.elementCount(); i++) {
      TestTensors.set(view, i, 0.5 + random.nextDouble());
    }
    return view;
  }

  @Test
  void batchNormalisation() {
    checkBatches(CudaTwins.FIRST);
  }

  @Test
  @Tag("long")
  void batchNormalisationInOtherTypes() {
    checkBatches(CudaTwins.others(FLOATS));
  }

  private void checkBatches(List<DType> dtypes) {
    Attributes training = Attributes.NONE.with("training_mode", 1).with("momentum", new AttributeValue.Real(0.75f));
    for (DType dtype : dtypes) {
      for (Shape shape : List.of(Shape.of(9, 3), Shape.of(2, 3, 50), Shape.of(5, 2, 7, 11), Shape.of(300))) {
        Shape channels = Shape.of(shape.rank() == 1 ? 1 : shape.extent(1));
        TensorView x = random(dtype, shape);
        TensorView scale = random(dtype, channels);
        TensorView mean = random(statistic(dtype), channels);
        TensorType other = mean.type();
        TensorView variance = positive(statistic(dtype), channels);
        twins.checkAll("BatchNormalization", training, List.of(x.type(), other, other, other, other), 600, x, scale,
          scale, mean, variance);
        twins.checkAll("BatchNormalization", training, List.of(x.type()), 600, x, scale, scale, mean, variance);
        List<TensorType> types = List.of(x.type(), scale.type(), scale.type());
        TensorView h = random(dtype, shape);
        twins.checkAll("BatchNormalizationGradient", Attributes.NONE, types, 600, h, x, scale, mean, variance);
        twins.checkAll("BatchNormalizationGradient", Attributes.NONE, types, 600, h, x, scale);
      }
    }
  }

  @Test
  void layerNormalisation() {
    checkLayers(CudaTwins.FIRST);
  }

  @Test
  @Tag("long")
  void layerNormalisationInOtherTypes() {
    checkLayers(CudaTwins.others(FLOATS));
  }

  private void checkLayers(List<DType> dtypes) {
    for (DType dtype : dtypes) {
      for (int axis = 1; axis < 3; axis++) {
        Shape shape = Shape.of(13, 5, 7);
        Shape row = axis == 1 ? Shape.of(5, 7) : Shape.of(7);
        TensorView x = random(dtype, shape);
        TensorView h = random(dtype, shape);
        Shape rows = axis == 1 ? Shape.of(13, 1, 1) : Shape.of(13, 5, 1);
        Attributes attributes = Attributes.NONE.with("axis", axis);
        List<TensorType> types = List.of(x.type(), new TensorType(dtype, row), new TensorType(dtype, row));
        twins.checkAll("LayerNormalizationGradient", attributes, types, 300, h, x, random(dtype, row));
        twins.checkAll("LayerNormalizationGradient", attributes, types, 300, h, x, random(dtype, Shape.of(1)), random(
          statistic(dtype), rows), positive(statistic(dtype), rows));
      }
    }
  }

  private void losses(Attributes attributes, DType dtype, Shape shape, boolean weighted) {
    TensorView scores = random(dtype, shape);
    Shape labelled = ClassLoss.labels(shape);
    long classes = shape.extent(1);
    TensorView labels = TestTensors.ofLongs(weighted ? DType.INT32 : DType.INT64, labelled, random.longs(labelled
      .elementCount(), 0, classes).toArray());
    @Nullable
    TensorView weights = weighted ? positive(dtype, Shape.of(classes)) : null;
    TensorType loss = new TensorType(dtype, ClassLoss.of(attributes).result(labelled));
    TensorView h = random(dtype, loss.shape());
    twins.checkAll("SoftmaxCrossEntropyLoss", attributes, List.of(loss, scores.type()), 300, scores, labels, weights);
    twins.checkAll("SoftmaxCrossEntropyLoss", attributes, List.of(loss), 300, scores, labels, weights);
    twins.check("NegativeLogLikelihoodLoss", attributes, loss, 300, scores, labels, weights);
    twins.check("SoftmaxCrossEntropyLossGradient", attributes, scores.type(), 300, h, scores, labels, weights);
    twins.check("NegativeLogLikelihoodLossGradient", attributes.with("classes", classes), scores.type(), 300, h, labels,
      weights);
  }

  @Test
  void lossesOfClasses() {
    checkLosses(CudaTwins.FIRST);
  }

  @Test
  @Tag("long")
  void lossesOfClassesInOtherTypes() {
    checkLosses(CudaTwins.others(FLOATS));
  }

  private void checkLosses(List<DType> dtypes) {
    for (DType dtype : dtypes) {
      for (String reduction : List.of("mean", "sum", "none")) {
        Attributes attributes = Attributes.NONE.with("reduction", new AttributeValue.Text(reduction));
        losses(attributes, dtype, Shape.of(9, 40), false);
        losses(attributes.with("ignore_index", 1), dtype, Shape.of(3, 4, 5), true);
      }
    }
  }

  @Test
  void w7MasksHaveEqualBits() {
    checkMasks(CudaTwins.FIRST);
  }

  @Test
  @Tag("long")
  void w7MasksHaveEqualBitsInOtherTypes() {
    checkMasks(CudaTwins.others(FLOATS));
  }

  private void checkMasks(List<DType> dtypes) {
    TensorView state = TestTensors.int64s(0x1234_5678_9ABC_DEF0L, 7);
    for (DType dtype : dtypes) {
      TensorView x = random(dtype, Shape.of(7, 5, 9));
      List<TensorType> types = List.of(x.type(), x.type().withDType(DType.BOOL));
      Attributes attributes = Attributes.NONE.with("training_mode", 1).with("draw", 3);
      TensorView ratio = TestTensors.of(DType.FLOAT32, Shape.SCALAR, 0.3);
      twins.checkAll("Dropout", attributes, types, 0, x, ratio, null, state);
      twins.checkAll("Dropout", attributes.with("axes", new AttributeValue.Ints(List.of(0L, 2L))), types, 0, x, ratio,
        null, state);
      twins.check("Dropout", attributes.with("seed", 5), x.type(), 0, x);
    }
  }

  @Test
  void w6UniformNumbersHaveEqualBitsAndNormalOnesNearly() {
    checkNumbers(CudaTwins.FIRST);
  }

  @Test
  @Tag("long")
  void w6UniformNumbersHaveEqualBitsAndNormalOnesNearlyInOtherTypes() {
    checkNumbers(CudaTwins.others(FLOATS));
  }

  private void checkNumbers(List<DType> dtypes) {
    TensorView state = TestTensors.int64s(-0x1234_5678_9ABC_DEF0L, 7);
    Attributes range = Attributes.NONE.with("low", new AttributeValue.Real(-0.7f)).with("high",
      new AttributeValue.Real(1.3f)).with("mean", new AttributeValue.Real(2)).with("scale", new AttributeValue.Real(
        0.5f))
      .with("draw", 3).with("seed", 5);
    for (DType dtype : dtypes) {
      for (long count : new long[] {0, 1, 2, 7, 1001}) {
        TensorType type = TensorType.of(dtype, count);
        twins.check("RandomUniform", Attributes.NONE, type, 0);
        twins.check("RandomUniform", range, type, 0, state);
        twins.check("RandomUniformLike", range, type, 0, TestTensors.zeros(type.withDType(DType.INT32)), state);
        twins.check("RandomNormal", range, type, 4, state);
        twins.check("RandomNormalLike", range, type, 4, TestTensors.zeros(type));
      }
    }
  }

  @Test
  void sumsAtIndices() {
    checkSums(CudaTwins.FIRST);
  }

  @Test
  @Tag("long")
  void sumsAtIndicesInOtherTypes() {
    checkSums(CudaTwins.others(FLOATS));
  }

  private void checkSums(List<DType> dtypes) {
    for (DType dtype : dtypes) {
      for (int axis = 0; axis < 3; axis++) {
        Shape data = Shape.of(4, 5, 6);
        TensorView indices = TestTensors.ofLongs(axis == 1 ? DType.INT32 : DType.INT64, Shape.of(11), random.longs(11,
          -data.extent(axis), data.extent(axis)).toArray());
        Attributes attributes = Attributes.NONE.with("shape", AttributeValue.Ints.of(data.extents())).with("axis",
          axis);
        twins.check("ScatterAdd", attributes, new TensorType(dtype, data), 200, random(dtype, data.with(axis, 11)),
          indices);
        TensorView each = TestTensors.ofLongs(DType.INT64, Shape.of(3, 4, 5), random.longs(60, 0, data.extent(axis))
          .toArray());
        twins.check("ScatterAdd", attributes.with("of", new AttributeValue.Text("GatherElements")), new TensorType(
          dtype, data), 200, random(dtype, each.shape()), each);
      }
    }
  }
}
