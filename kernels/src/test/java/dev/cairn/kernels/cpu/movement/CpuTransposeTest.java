package dev.cairn.kernels.cpu.movement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.kernels.MovedElements;
import dev.cairn.kernels.TestTensors;
import dev.cairn.kernels.attribute.AttributeValue.Ints;
import dev.cairn.kernels.attribute.AttributeValue.Text;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.testing.Rounds;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CpuTransposeTest implements Rounds {

  @Test
  void matrixByHand() {
    var x = TestTensors.counting(DType.INT32, Shape.of(2, 3));
    var y = MovedElements.run("Transpose", Attributes.NONE, TensorType.of(DType.INT32, 3, 2), x);
    assertThat(y.toLongArray()).containsExactly(0, 3, 1, 4, 2, 5);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 257})
  void matricesOfAwkwardSizes(long rows) {
    for (long columns : some(1L, 2, 3, 8, 17, 33, 65, 300)) {
      transpose(Shape.of(rows, columns), 1, 0);
      transpose(Shape.of(2, rows, columns), 0, 2, 1);
    }
  }

  @Test
  void everyOrderOfUpToFiveAxes() {
    var random = new Random(17);
    for (int rank = 0; rank <= 5; rank++) {
      for (int round = 0; round < rounds(40); round++) {
        List<Integer> order = new ArrayList<>(IntStream.range(0, rank).boxed().toList());
        Collections.shuffle(order, random);
        Shape shape = Shape.of(random.longs(rank, 1, 7).toArray());
        transpose(shape, order.stream().mapToInt(Integer::intValue).toArray());
      }
    }
  }

  @Test
  void largeEnoughForSeveralThreads() {
    transpose(Shape.of(3, 130, 70, 5), 0, 2, 1, 3);
    transpose(Shape.of(3, 130, 70, 5), 3, 2, 1, 0);
    transpose(Shape.of(2, 3, 120, 121), 0, 2, 3, 1);
    transpose(Shape.of(2, 120, 121, 3), 0, 3, 1, 2);
    transpose(Shape.of(2, 50, 12, 64), 0, 2, 1, 3);
    transpose(Shape.of(700, 300), 1, 0);
    transpose(Shape.of(1, 28, 28, 4, 34), 0, 1, 2, 4, 3);
    transpose(Shape.of(5, 2, 11, 13, 7), 0, 2, 3, 4, 1);
  }

  @Test
  void withoutOrderTheAxesAreReversed() {
    MovedElements.check("Transpose", Attributes.NONE, Shape.of(2, 3, 4), Shape.of(4, 3, 2),
      i -> new long[] {i[2], i[1], i[0]});
  }

  @Test
  void nothingMovesWhereThereIsNothing() {
    transpose(Shape.of(0, 3), 1, 0);
    transpose(Shape.of(4, 0, 3), 2, 0, 1);
  }

  @Test
  void anOutputOfAnotherSizeIsRefused() {
    var x = TestTensors.counting(DType.INT32, Shape.of(2, 3));
    assertThatThrownBy(() -> MovedElements.run("Transpose", Attributes.NONE, TensorType.of(DType.INT32, 3, 3), x))
      .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("output=int32[3x3]");
  }

  @Test
  void depthBecomesSpaceAsOnnxShowsIt() {
    // The example of the operator's specification: eight channels of 1x2x3 become two of 4x6.
    double[] values = {0, 1, 2, 3, 4, 5, 9, 10, 11, 12, 13, 14, 18, 19, 20, 21, 22, 23, 27, 28, 29, 30, 31, 32, 36, 37,
      38, 39, 40, 41, 45, 46, 47, 48, 49, 50, 54, 55, 56, 57, 58, 59, 63, 64, 65, 66, 67, 68};
    var x = TestTensors.of(DType.FLOAT32, Shape.of(1, 8, 2, 3), values);
    var type = TensorType.of(DType.FLOAT32, 1, 2, 4, 6);
    var deep = Attributes.NONE.with("blocksize", 2);
    var dcr = MovedElements.run("DepthToSpace", deep, type, x);
    assertThat(TestTensors.doubles(dcr)).startsWith(0, 18, 1, 19, 2, 20, 36, 54, 37, 55, 38, 56, 3, 21);
    var crd = MovedElements.run("DepthToSpace", deep.with("mode", new Text("CRD")), type, x);
    assertThat(TestTensors.doubles(crd)).startsWith(0, 9, 1, 10, 2, 11, 18, 27, 19, 28, 20, 29, 3, 12);
  }

  @Test
  void depthAndSpaceFollowTheirFormulas() {
    long b = 3;
    var attributes = Attributes.NONE.with("blocksize", b);
    Shape deep = Shape.of(2, 2 * b * b, 4, 5);
    Shape wide = Shape.of(2, 2, 4 * b, 5 * b);
    MovedElements.check("DepthToSpace", attributes, deep, wide,
      i -> new long[] {i[0], (i[2] % b * b + i[3] % b) * 2 + i[1], i[2] / b, i[3] / b});
    MovedElements.check("DepthToSpace", attributes.with("mode", new Text("CRD")), deep, wide,
      i -> new long[] {i[0], i[1] * b * b + i[2] % b * b + i[3] % b, i[2] / b, i[3] / b});
    MovedElements.check("SpaceToDepth", attributes, wide, deep,
      i -> new long[] {i[0], i[1] % 2, i[2] * b + i[1] / 2 / b, i[3] * b + i[1] / 2 % b});
  }

  @Test
  void wrongImagesAreRefused() {
    var x = TestTensors.counting(DType.FLOAT32, Shape.of(1, 4, 2, 2));
    var type = TensorType.of(DType.FLOAT32, 1, 1, 4, 4);
    var attributes = Attributes.NONE.with("blocksize", 2);
    assertThatThrownBy(() -> MovedElements.run("DepthToSpace", attributes.with("mode", new Text("XYZ")), type, x))
      .hasMessageContaining("mode=XYZ");
    assertThatThrownBy(() -> MovedElements.run("DepthToSpace", Attributes.NONE, type, x))
      .hasMessageContaining("blocksize=0");
    assertThatThrownBy(() -> MovedElements.run("SpaceToDepth", attributes, type, x.reshaped(Shape.of(4, 4))))
      .hasMessageContaining("four axes");
    assertThatThrownBy(() -> MovedElements.run("SpaceToDepth", attributes.with("blocksize", 3), type, x))
      .isInstanceOf(IllegalArgumentException.class);
  }

  private static void transpose(Shape shape, int... order) {
    long[] extents = IntStream.of(order).mapToLong(shape::extent).toArray();
    var attributes = Attributes.NONE.with("perm", Ints.of(IntStream.of(order).asLongStream().toArray()));
    MovedElements.check("Transpose", attributes, shape, Shape.of(extents), index -> {
      long[] source = new long[order.length];
      for (int i = 0; i < order.length; i++) {
        source[order[i]] = index[i];
      }
      return source;
    });
  }
}
