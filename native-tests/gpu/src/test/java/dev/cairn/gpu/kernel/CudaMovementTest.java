package dev.cairn.gpu.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.kernels.TestTensors;
import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Moved, converted and generated elements on CUDA against the portable twins. */
class CudaMovementTest {
  private static final List<DType> SIZES = List.of(DType.UINT8, DType.FLOAT16, DType.FLOAT32, DType.INT64, DType.BOOL);
  private static CudaTwins twins;

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

  private static Attributes ints(String name, Long... values) {
    return Attributes.NONE.with(name, new AttributeValue.Ints(Arrays.asList(values)));
  }

  private static TensorType type(TensorView like, long... extents) {
    return new TensorType(like.dtype(), Shape.of(extents));
  }

  @Test
  void copiesKeepTheOrderOfElements() {
    var random = new SplittableRandom(21);
    for (DType dtype : DType.COMPUTED) {
      TensorView x = TestTensors.random(dtype, Shape.of(3, 50), random);
      twins.check("Identity", Attributes.NONE, x.type(), 1, x);
      twins.check("Flatten", Attributes.NONE, type(x, 150, 1), 1, x);
      twins.check("Reshape", Attributes.NONE, type(x, 5, 30), 1, x, TestTensors.int64s(5, 30));
    }
    TensorView none = TestTensors.zeros(TensorType.of(DType.FLOAT32, 0, 4));
    twins.check("Identity", Attributes.NONE, none.type(), 1, none);
    TensorView x = TestTensors.random(DType.FLOAT32, Shape.of(7), random);
    twins.checkAll("Dropout", Attributes.NONE, List.of(x.type(), TensorType.of(DType.BOOL, 7)), 1, x);
  }

  @Test
  void axesChangePlaces() {
    var random = new SplittableRandom(22);
    for (DType dtype : SIZES) {
      TensorView matrices = TestTensors.random(dtype, Shape.of(2, 35, 70), random);
      twins.check("Transpose", ints("perm", 0L, 2L, 1L), type(matrices, 2, 70, 35), 1, matrices);
      twins.check("Transpose", ints("perm", 1L, 2L, 0L), type(matrices, 35, 70, 2), 1, matrices);
      twins.check("Transpose", ints("perm", 1L, 0L, 2L), type(matrices, 35, 2, 70), 1, matrices);
      twins.check("Transpose", Attributes.NONE, type(matrices, 70, 35, 2), 1, matrices);
      TensorView image = TestTensors.random(dtype, Shape.of(2, 8, 9, 10), random);
      twins.check("Transpose", ints("perm", 0L, 2L, 3L, 1L), type(image, 2, 9, 10, 8), 1, image);
      twins.check("Transpose", ints("perm", 3L, 1L, 0L, 2L), type(image, 10, 8, 2, 9), 1, image);
      for (String mode : List.of("DCR", "CRD")) {
        twins.check("DepthToSpace", Attributes.NONE.with("blocksize", 2).with("mode", new AttributeValue.Text(mode)),
          type(image, 2, 2, 18, 20), 1, image);
      }
      TensorView even = TestTensors.random(dtype, Shape.of(1, 3, 4, 6), random);
      twins.check("SpaceToDepth", Attributes.NONE.with("blocksize", 2), type(even, 1, 12, 2, 3), 1, even);
    }
  }

  @Test
  void partsAreJoinedAndCutApart() {
    var random = new SplittableRandom(23);
    for (DType dtype : SIZES) {
      TensorView a = TestTensors.random(dtype, Shape.of(2, 3, 5), random);
      TensorView b = TestTensors.random(dtype, Shape.of(2, 1, 5), random);
      TensorView c = TestTensors.random(dtype, Shape.of(2, 0, 5), random);
      twins.check("Concat", Attributes.NONE.with("axis", 1), type(a, 2, 4, 5), 1, a, c, b);
      twins.check("Concat", Attributes.NONE.with("axis", -1), type(a, 2, 3, 10), 1, a, a);
      twins.checkAll("Split", Attributes.NONE.with("axis", 2), List.of(type(a, 2, 3, 2), type(a, 2, 3, 3)), 1, a,
        TestTensors.int64s(2, 3));
    }
  }

  @Test
  void slicesGoForwardsAndBackwards() {
    var random = new SplittableRandom(24);
    for (DType dtype : SIZES) {
      TensorView x = TestTensors.random(dtype, Shape.of(6, 7, 8), random);
      twins.check("Slice", Attributes.NONE, type(x, 3, 7, 4), 1, x, TestTensors.int64s(1, 0), TestTensors.int64s(4, 8),
        TestTensors.int64s(0, 2), TestTensors.int64s(1, 2));
      twins.check("Slice", Attributes.NONE, type(x, 6, 7, 8), 1, x, TestTensors.int64s(-1), TestTensors.int64s(
        Long.MIN_VALUE), TestTensors.int64s(1), TestTensors.int64s(-1));
    }
  }

  @Test
  void elementsAreRepeated() {
    var random = new SplittableRandom(25);
    for (DType dtype : SIZES) {
      TensorView x = TestTensors.random(dtype, Shape.of(3, 1, 4), random);
      twins.check("Expand", Attributes.NONE, type(x, 2, 3, 5, 4), 1, x, TestTensors.int64s(2, 3, 5, 4));
      twins.check("Tile", Attributes.NONE, type(x, 6, 3, 4), 1, x, TestTensors.int64s(2, 3, 1));
    }
  }

  @Test
  void everyModeOfPaddingIsItsTwin() {
    var random = new SplittableRandom(26);
    for (String mode : List.of("constant", "edge", "reflect", "wrap")) {
      Attributes attributes = Attributes.NONE.with("mode", new AttributeValue.Text(mode));
      for (DType dtype : SIZES) {
        TensorView x = TestTensors.random(dtype, Shape.of(3, 4, 5), random);
        twins.check("Pad", attributes, type(x, 6, 3, 12), 1, x, TestTensors.int64s(1, -1, 3, 2, 0, 4));
        TensorView value = TestTensors.of(dtype, Shape.SCALAR, 1);
        twins.check("Pad", attributes, type(x, 3, 4, 7), 1, x, TestTensors.int64s(2, 0), value, TestTensors.int64s(-1));
      }
    }
  }

  @Test
  void elementsArePickedAndReplacedByIndex() {
    var random = new SplittableRandom(27);
    for (DType dtype : SIZES) {
      TensorView x = TestTensors.random(dtype, Shape.of(4, 5, 3), random);
      twins.check("Gather", Attributes.NONE.with("axis", 1), type(x, 4, 2, 2, 3), 1, x, TestTensors.ofLongs(
        DType.INT64, Shape.of(2, 2), 4, -5, 0, 2));
      twins.check("Gather", Attributes.NONE, type(x, 3, 5, 3), 1, x, TestTensors.ofLongs(DType.INT32, Shape.of(3), 3, 3,
        0));
      twins.check("GatherElements", Attributes.NONE.with("axis", 2), type(x, 4, 5, 1), 1, x, TestTensors.ofLongs(
        DType.INT64, Shape.of(4, 5, 1), 0, 1, 2, -1, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, -3));
      twins.check("ScatterND", Attributes.NONE, x.type(), 1, x, TestTensors.ofLongs(DType.INT64, Shape.of(3, 2), 0, 1,
        3, -1, 0, 1), TestTensors.random(dtype, Shape.of(3, 3), random));
      twins.check("ScatterND", Attributes.NONE, x.type(), 1, x, TestTensors.ofLongs(DType.INT64, Shape.of(2, 3), 0, 1,
        2, 3, -1, 0), TestTensors.random(dtype, Shape.of(2), random));
    }
  }

  @Test
  void indexOutsideItsAxisReadsZero() {
    TensorView x = TestTensors.of(DType.FLOAT32, Shape.of(3), 1, 2, 3);
    TensorView y = twins.run("Gather", Attributes.NONE, List.of(TensorType.of(DType.FLOAT32, 3)), x, TestTensors.int64s(
      2, 3, -4)).getFirst();
    assertEquals(3, y.doubleAt(0));
    assertEquals(0, y.doubleAt(1));
    assertEquals(0, y.doubleAt(2));
  }

  @Test
  void trianglesShapesAndConstantsAreMade() {
    checkMade(CudaTwins.FIRST);
  }

  @Test
  @Tag("long")
  void trianglesShapesAndConstantsAreMadeInOtherTypes() {
    checkMade(CudaTwins.others(DType.COMPUTED));
  }

  private void checkMade(List<DType> dtypes) {
    var random = new SplittableRandom(28);
    TensorView x = TestTensors.random(DType.FLOAT32, Shape.of(2, 5, 7), random);
    for (long k : new long[] {0, 2, -3, 100, -100}) {
      twins.check("Trilu", Attributes.NONE, x.type(), 1, x, TestTensors.ofLongs(DType.INT64, Shape.SCALAR, k));
      twins.check("Trilu", Attributes.NONE.with("upper", 0), x.type(), 1, x, TestTensors.ofLongs(DType.INT64,
        Shape.SCALAR, k));
    }
    twins.check("Shape", Attributes.NONE, TensorType.of(DType.INT64, 3), 1, x);
    twins.check("Shape", Attributes.NONE.with("start", 1).with("end", -1), TensorType.of(DType.INT64, 1), 1, x);
    twins.check("Size", Attributes.NONE, new TensorType(DType.INT64, Shape.SCALAR), 1, x);
    for (DType dtype : dtypes) {
      TensorView one = TestTensors.of(dtype, Shape.of(1), 1);
      twins.check("ConstantOfShape", Attributes.NONE.with("value", new AttributeValue.Tensor(one)), TensorType.of(dtype,
        2, 9), 1, TestTensors.int64s(2, 9));
      if (dtype != DType.BOOL) {
        twins.check("Range", Attributes.NONE, TensorType.of(dtype, 40), 1, TestTensors.of(dtype, Shape.SCALAR, 3),
          TestTensors.of(dtype, Shape.SCALAR, 83), TestTensors.of(dtype, Shape.SCALAR, 2));
      }
    }
  }

  /** A seventh of the pairs of types, of which each is compiled for itself, with every type on both sides. */
  @Test
  @Tag("long")
  void typesAreCastToOthers() {
    var random = new SplittableRandom(29);
    int pair = 0;
    for (DType from : DType.COMPUTED) {
      TensorView x = TestTensors.random(from, Shape.of(60), random);
      for (DType to : DType.COMPUTED) {
        if (pair++ % 7 == 0 && !(from.isFloat() && to.isUnsigned())) {
          twins.check("Cast", Attributes.NONE, new TensorType(to, x.shape()), 1, x);
        }
      }
    }
  }

  @Test
  void numbersThatDoNotFitAreCastAsTheTwinDoes() {
    checkCasts(List.of(DType.INT32));
  }

  @Test
  @Tag("long")
  void numbersThatDoNotFitAreCastAsTheTwinDoesInOtherTypes() {
    checkCasts(List.copyOf(DType.COMPUTED));
  }

  private void checkCasts(List<DType> dtypes) {
    TensorView x = TestTensors.of(DType.FLOAT32, Shape.of(8), Double.NaN, Double.POSITIVE_INFINITY,
      Double.NEGATIVE_INFINITY, 1e20, -1e20, -1.5, 300.7, 1e19);
    for (DType to : dtypes) {
      twins.check("Cast", Attributes.NONE, new TensorType(to, x.shape()), 1, x);
    }
  }

  @Test
  void powersAreTheirTwins() {
    checkPowers(CudaTwins.FIRST, CudaTwins.FIRST);
  }

  @Test
  @Tag("long")
  void powersHaveExponentsOfAnyType() {
    checkPowers(List.of(DType.FLOAT32, DType.FLOAT16, DType.FLOAT64, DType.INT32, DType.INT64, DType.UINT8), List.of(
      DType.FLOAT32, DType.INT64, DType.FLOAT64, DType.INT32));
  }

  private void checkPowers(List<DType> dtypes, List<DType> exponents) {
    var random = new SplittableRandom(30);
    for (DType base : dtypes) {
      for (DType exponent : exponents) {
        TensorView x = TestTensors.zeros(TensorType.of(base, 4, 6));
        TensorView e = TestTensors.zeros(TensorType.of(exponent, 6));
        for (int i = 0; i < 24; i++) {
          TestTensors.set(x, i, base.isFloat() ? 0.2 + 2 * random.nextDouble() : random.nextInt(5));
        }
        for (int i = 0; i < 6; i++) {
          TestTensors.set(e, i, (double) i - 1);
        }
        twins.check("Pow", Attributes.NONE, x.type(), 20, x, e);
      }
    }
  }
}
