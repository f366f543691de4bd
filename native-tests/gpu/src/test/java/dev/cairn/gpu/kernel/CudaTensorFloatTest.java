package dev.cairn.gpu.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.kernels.TestTensors;
import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Products on CUDA of {@code float32} that is read with 10 bits of fraction: exact where factors have no more, as those
 * here have.
 */
class CudaTensorFloatTest {
  private static CudaTwins twins;
  private final SplittableRandom random = new SplittableRandom(47);

  @BeforeAll
  static void open() {
    twins = CudaTwins.openWithTensorFloats();
  }

  @AfterAll
  static void close() {
    if (twins != null) {
      twins.close();
    }
  }

  /** Multiples of 1/256 up to 4. */
  private TensorView few(long... extents) {
    Shape shape = Shape.of(extents);
    double[] values = new double[Math.toIntExact(shape.elementCount())];
    for (int i = 0; i < values.length; i++) {
      values[i] = (random.nextInt(2048) - 1024) / 256.0;
    }
    return TestTensors.of(DType.FLOAT32, shape, values);
  }

  @Test
  void productsOfAwkwardExtentsAreTheirTwins() {
    int[] extents = {1, 7, 8, 9, 16, 17, 65, 130};
    for (int round = 0; round < 8; round++) {
      int rows = extents[random.nextInt(extents.length)];
      int columns = extents[random.nextInt(extents.length)];
      int depth = extents[random.nextInt(extents.length)];
      twins.check("MatMul", Attributes.NONE, TensorType.of(DType.FLOAT32, rows, columns), 16L * depth, few(rows, depth),
        few(depth, columns));
    }
    twins.check("MatMul", Attributes.NONE, TensorType.of(DType.FLOAT32, 3, 5), 16 * 600, few(3, 600), few(600, 5));
  }

  @Test
  void convolutionsAreTheirTwins() {
    Attributes same = Attributes.NONE.with("pads", AttributeValue.Ints.of(1, 1, 1, 1));
    twins.check("Conv", same, TensorType.of(DType.FLOAT32, 2, 20, 9, 7), 16 * 45, few(2, 5, 9, 7), few(20, 5, 3, 3),
      few(20));
  }

  @Test
  void furtherBitsAreRoundedAway() {
    TensorView fine = TestTensors.of(DType.FLOAT32, Shape.of(1, 2), 1 + 0x1p-12, 1 + 0x1p-11);
    TensorView ones = TestTensors.of(DType.FLOAT32, Shape.of(2, 2), 1, 0, 0, 1);
    TensorView y = twins.run("MatMul", Attributes.NONE, List.of(fine.type()), fine, ones).getFirst();
    // A device without such tensor cores is exact instead.
    assertThat(new double[] {y.doubleAt(0), y.doubleAt(1)}).isIn(new double[] {1, 1 + 0x1p-10},
      new double[] {1 + 0x1p-12,
        1 + 0x1p-11});
  }
}
