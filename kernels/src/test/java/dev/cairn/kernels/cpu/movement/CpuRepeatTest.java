package dev.cairn.kernels.cpu.movement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.kernels.MovedElements;
import dev.cairn.kernels.TestTensors;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.testing.Rounds;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CpuRepeatTest implements Rounds {

  @Test
  void byHand() {
    var x = TestTensors.ofLongs(DType.INT32, Shape.of(2, 1), 1, 2);
    var type = TensorType.of(DType.INT32, 2, 2, 3);
    var wide = MovedElements.run("Expand", Attributes.NONE, type, x, TestTensors.int64s(2, 1, 3));
    assertThat(wide.toLongArray()).containsExactly(1, 1, 1, 2, 2, 2, 1, 1, 1, 2, 2, 2);
    var pair = TestTensors.ofLongs(DType.INT32, Shape.of(1, 2), 1, 2);
    var tiled = MovedElements.run("Tile", Attributes.NONE, TensorType.of(DType.INT32, 2, 4), pair,
      TestTensors.int64s(2, 2));
    assertThat(tiled.toLongArray()).containsExactly(1, 2, 1, 2, 1, 2, 1, 2);
  }

  @Test
  void randomShapes() {
    var random = new Random(9);
    for (int round = 0; round < rounds(150); round++) {
      Shape shape = MovedElements.randomShape(random, 4, 5);
      expand(shape, random, 6);
      tile(shape, random, 4);
    }
  }

  @Test
  void largeEnoughForSeveralThreads() {
    var random = new Random(10);
    expand(Shape.of(2, 16, 1, 1), random, 64);
    expand(Shape.of(1, 5000), random, 20);
    tile(Shape.of(3, 70, 50), random, 4);
    tile(Shape.of(1, 90_001), random, 5);
    expand(Shape.SCALAR, Shape.of(300_000));
  }

  @Test
  void nothingRepeatedIsNothing() {
    tile(Shape.of(2, 3), new long[] {0, 2});
    tile(Shape.of(0, 3), new long[] {2, 2});
    expand(Shape.of(1, 3), Shape.of(0, 3));
  }

  @Test
  void wrongOutputsAreRefused() {
    var x = TestTensors.counting(DType.INT32, Shape.of(2, 3));
    assertThatThrownBy(() -> MovedElements.run("Expand", Attributes.NONE, TensorType.of(DType.INT32, 4, 3), x))
      .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("cannot be broadcast");
    assertThatThrownBy(() -> MovedElements.run("Tile", Attributes.NONE, TensorType.of(DType.INT32, 5, 3), x))
      .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("no tiling");
  }

  private static void expand(Shape shape, Random random, int extent) {
    int more = random.nextInt(3);
    long[] wide = new long[shape.rank() + more];
    for (int i = 0; i < wide.length; i++) {
      wide[i] = i < more || shape.extent(i - more) == 1 ? 1 + random.nextInt(extent) : shape.extent(i - more);
    }
    expand(shape, Shape.of(wide));
  }

  private static void expand(Shape shape, Shape wide) {
    int more = wide.rank() - shape.rank();
    MovedElements.check("Expand", Attributes.NONE, shape, wide, index -> {
      long[] source = new long[shape.rank()];
      for (int i = 0; i < source.length; i++) {
        source[i] = shape.extent(i) == 1 ? 0 : index[i + more];
      }
      return source;
    }, TestTensors.int64s(wide.extents()));
  }

  private static void tile(Shape shape, Random random, int most) {
    tile(shape, random.longs(shape.rank(), 1, most + 1).toArray());
  }

  private static void tile(Shape shape, long[] repeats) {
    long[] extents = shape.extents();
    for (int i = 0; i < extents.length; i++) {
      extents[i] *= repeats[i];
    }
    MovedElements.check("Tile", Attributes.NONE, shape, Shape.of(extents), index -> {
      long[] source = index.clone();
      for (int i = 0; i < source.length; i++) {
        source[i] %= shape.extent(i);
      }
      return source;
    }, TestTensors.int64s(repeats));
  }
}
