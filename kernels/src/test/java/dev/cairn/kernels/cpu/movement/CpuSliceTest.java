package dev.cairn.kernels.cpu.movement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.kernels.MovedElements;
import dev.cairn.kernels.TestTensors;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.SliceRange;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.testing.Rounds;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CpuSliceTest implements Rounds {

  @Test
  void byHand() {
    var x = TestTensors.counting(DType.INT32, Shape.of(3, 4));
    var y = MovedElements.run("Slice", Attributes.NONE, TensorType.of(DType.INT32, 2, 2), x, TestTensors.int64s(0, -1),
      TestTensors.int64s(Long.MAX_VALUE, Long.MIN_VALUE), TestTensors.int64s(0, -1), TestTensors.int64s(2, -3));
    assertThat(y.toLongArray()).containsExactly(3, 0, 11, 8);
  }

  @Test
  void withoutAxesAndStepsTheFirstAxesAreCut() {
    MovedElements.check("Slice", Attributes.NONE, Shape.of(5, 6, 2), Shape.of(3, 4, 2),
      i -> new long[] {i[0] + 1, i[1] + 2, i[2]}, TestTensors.int64s(1, 2), TestTensors.int64s(4, 6));
  }

  @Test
  void int32BoundsServeToo() {
    var bounds = TestTensors.ofLongs(DType.INT32, Shape.of(1), -3);
    var ends = TestTensors.ofLongs(DType.INT32, Shape.of(1), Integer.MAX_VALUE);
    MovedElements.check("Slice", Attributes.NONE, Shape.of(7), Shape.of(3), i -> new long[] {i[0] + 4}, bounds, ends);
  }

  @Test
  void randomRangesOfRandomShapes() {
    var random = new Random(5);
    for (int round = 0; round < rounds(300); round++) {
      Shape shape = MovedElements.randomShape(random, 4, 9);
      slice(shape, random, 12);
    }
  }

  @Test
  void largeEnoughForSeveralThreads() {
    var random = new Random(6);
    for (int round = 0; round < 6; round++) {
      slice(Shape.of(7, 60, 50, 3), random, 2);
      slice(Shape.of(60_000), random, 3);
      slice(Shape.of(2, 70_000), random, 3);
    }
  }

  @Test
  void wrongSlicesAreRefused() {
    var x = TestTensors.counting(DType.INT32, Shape.of(3));
    var type = TensorType.of(DType.INT32, 2);
    var zero = TestTensors.int64s(0);
    var two = TestTensors.int64s(2);
    assertThatThrownBy(() -> MovedElements.run("Slice", Attributes.NONE, type, x, zero, two, zero, zero))
      .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("step=0");
    assertThatThrownBy(() -> MovedElements.run("Slice", Attributes.NONE, type, x, zero, two, two))
      .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("axis=2");
    assertThatThrownBy(() -> MovedElements.run("Slice", Attributes.NONE, type, x, zero, TestTensors.int64s(3)))
      .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("output=int32[2]");
  }

  private static void slice(Shape shape, Random random, int reach) {
    int rank = shape.rank();
    long[] starts = new long[rank];
    long[] ends = new long[rank];
    long[] axes = new long[rank];
    long[] steps = new long[rank];
    long[] extents = new long[rank];
    var ranges = new SliceRange[rank];
    for (int axis = 0; axis < rank; axis++) {
      long extent = shape.extent(axis);
      boolean backwards = random.nextBoolean();
      steps[axis] = (backwards ? -1L : 1L) * (1 + random.nextInt(3));
      long low = -extent + random.nextInt(reach);
      long high = extent - random.nextInt(reach);
      starts[axis] = backwards ? high : low;
      ends[axis] = backwards ? low : high;
      axes[axis] = random.nextBoolean() ? axis : axis - rank;
      ranges[axis] = SliceRange.of(starts[axis], ends[axis], steps[axis], extent);
      extents[axis] = ranges[axis].count();
    }
    MovedElements.check("Slice", Attributes.NONE, shape, Shape.of(extents), index -> {
      long[] source = index.clone();
      for (int axis = 0; axis < rank; axis++) {
        source[axis] = ranges[axis].start() + index[axis] * ranges[axis].step();
      }
      return source;
    }, TestTensors.int64s(starts), TestTensors.int64s(ends), TestTensors.int64s(axes), TestTensors.int64s(steps));
  }
}
