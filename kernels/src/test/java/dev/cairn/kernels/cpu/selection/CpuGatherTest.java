package dev.cairn.kernels.cpu.selection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.kernels.KernelRunner;
import dev.cairn.kernels.MovedElements;
import dev.cairn.kernels.TestTensors;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.catalog.KernelCatalog;
import dev.cairn.kernels.row.MovementKernels;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.testing.Rounds;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class CpuGatherTest implements Rounds {

  @Test
  void byHand() {
    var x = TestTensors.counting(DType.INT32, Shape.of(3, 2));
    var rows = MovedElements.run("Gather", Attributes.NONE, TensorType.of(DType.INT32, 2, 2), x,
      TestTensors.int64s(-1, 0));
    assertThat(rows.toLongArray()).containsExactly(4, 5, 0, 1);
    var column = MovedElements.run("Gather", Attributes.NONE.with("axis", 1), TensorType.of(DType.INT32, 3), x,
      TestTensors.ofLongs(DType.INT64, Shape.SCALAR, 1));
    assertThat(column.toLongArray()).containsExactly(1, 3, 5);
    var picked = MovedElements.run("GatherElements", Attributes.NONE.with("axis", -1), TensorType.of(DType.INT32, 2, 2),
      x, TestTensors.ofLongs(DType.INT64, Shape.of(2, 2), 1, 0, -1, -2));
    assertThat(picked.toLongArray()).containsExactly(1, 0, 3, 2);
  }

  @ParameterizedTest
  @EnumSource(value = DType.class, names = {"INT32", "INT64"})
  void randomIndexesOfRandomShapes(DType indexes) {
    var random = new Random(21);
    for (int round = 0; round < rounds(100); round++) {
      int rank = 1 + random.nextInt(4);
      Shape shape = Shape.of(random.longs(rank, 1, 7).toArray());
      int axis = random.nextInt(rank);
      gather(shape, axis, indices(indexes, MovedElements.randomShape(random, 3, 4), shape.extent(axis), random));
      long[] within = shape.extents();
      for (int i = 0; i < rank; i++) {
        within[i] = 1L + random.nextInt((int) within[i] + (i == axis ? 3 : 0));
      }
      gatherElements(shape, axis, indices(indexes, Shape.of(within), shape.extent(axis), random));
    }
  }

  @Test
  void largeEnoughForSeveralThreads() {
    var random = new Random(22);
    gather(Shape.of(1000, 64), 0, indices(DType.INT64, Shape.of(2, 400), 1000, random));
    gather(Shape.of(40, 50, 7), 1, indices(DType.INT32, Shape.of(300), 50, random));
    gather(Shape.of(300, 100), 1, indices(DType.INT64, Shape.of(250), 100, random));
    gatherElements(Shape.of(300, 100), 1, indices(DType.INT64, Shape.of(300, 250), 100, random));
  }

  @Test
  void noIndexesGiveNothing() {
    gather(Shape.of(3, 4), 1, TestTensors.int64s());
    gather(Shape.of(0, 4), 1, TestTensors.int64s(1, 2));
  }

  @ParameterizedTest
  @ValueSource(longs = {3, -4, Long.MAX_VALUE, Long.MIN_VALUE, 1L << 32})
  void anIndexOutsideItsAxisIsRefused(long index) {
    var x = TestTensors.counting(DType.INT32, Shape.of(3, 3));
    var bad = TestTensors.ofLongs(DType.INT64, Shape.of(1, 2), 0, index);
    var type = TensorType.of(DType.INT32, 1, 2, 3);
    assertThatThrownBy(() -> MovedElements.run("Gather", Attributes.NONE, type, x, bad))
      .isInstanceOf(IllegalArgumentException.class)
      .hasMessageContaining("index=%d extent=3 position=1".formatted(index));
    var pair = TensorType.of(DType.INT32, 1, 2);
    assertThatThrownBy(() -> MovedElements.run("GatherElements", Attributes.NONE, pair, x, bad))
      .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("index=" + index);
    assertThatThrownBy(() -> MovedElements.run("ScatterND", Attributes.NONE, x.type(), x, bad,
      TestTensors.counting(DType.INT32, Shape.of(1))))
      .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("index=" + index);
  }

  @Test
  void indicesOfAnotherTypeOrShapeAreRefused() {
    var x = TestTensors.counting(DType.INT32, Shape.of(3));
    var type = TensorType.of(DType.INT32, 1);
    assertThatThrownBy(
      () -> MovedElements.run("Gather", Attributes.NONE, type, x, TestTensors.of(DType.FLOAT32, Shape.of(1), 1)))
      .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("float32");
    assertThatThrownBy(() -> MovedElements.run("Gather", Attributes.NONE, type, x, TestTensors.int64s(1, 2)))
      .hasMessageContaining("count=2");
    var square = x.reshaped(Shape.of(1, 3));
    assertThatThrownBy(() -> MovedElements.run("GatherElements", Attributes.NONE.with("axis", 1),
      TensorType.of(DType.INT32, 2, 1), square, TestTensors.ofLongs(DType.INT64, Shape.of(2, 1), 0, 0)))
      .hasMessageContaining("reach beyond");
  }

  @Test
  void scatteredSlicesReplaceInOrder() {
    var x = TestTensors.counting(DType.INT32, Shape.of(3, 2));
    var at = TestTensors.ofLongs(DType.INT64, Shape.of(3, 1), 2, 0, -1);
    var updates = TestTensors.ofLongs(DType.INT32, Shape.of(3, 2), 10, 11, 20, 21, 30, 31);
    var y = MovedElements.run("ScatterND", Attributes.NONE, x.type(), x, at, updates);
    assertThat(y.toLongArray()).containsExactly(20, 21, 2, 3, 30, 31);
  }

  @Test
  void randomScatters() {
    var random = new Random(23);
    for (DType dtype : MovedElements.SIZES) {
      for (int round = 0; round < rounds(60); round++) {
        int rank = 1 + random.nextInt(4);
        Shape shape = Shape.of(random.longs(rank, 1, 6).toArray());
        scatter(TestTensors.randomBits(dtype, shape, random), random.nextInt(rank + 1), random);
      }
    }
  }

  @Test
  void scatterMayWriteOverItsData() {
    var x = TestTensors.counting(DType.INT32, Shape.of(4));
    var row = new KernelCatalog(MovementKernels.ROWS).rows("ScatterND").getFirst();
    try (var runner = new KernelRunner(MovementKernels.ROWS, 1)) {
      runner.runInto(row, Attributes.NONE, List.of(x), x, TestTensors.ofLongs(DType.INT64, Shape.of(1, 1), 2),
        TestTensors.ofLongs(DType.INT32, Shape.of(1), 9));
    }
    assertThat(x.toLongArray()).containsExactly(0, 1, 9, 3);
  }

  private static TensorView indices(DType dtype, Shape shape, long extent, Random random) {
    return TestTensors.ofLongs(dtype, shape,
      random.longs(shape.elementCount(), -extent, extent).toArray());
  }

  private static void gather(Shape shape, int axis, TensorView indices) {
    long[] extents = new long[shape.rank() - 1 + indices.shape().rank()];
    int picked = indices.shape().rank();
    for (int i = 0; i < extents.length; i++) {
      extents[i] = i < axis
        ? shape.extent(i)
        : i < axis + picked
          ? indices.shape().extent(i - axis)
          : shape.extent(i - picked + 1);
    }
    MovedElements.check("Gather", Attributes.NONE.with("axis", axis), shape, Shape.of(extents), index -> {
      long[] source = new long[shape.rank()];
      long[] pick = new long[picked];
      System.arraycopy(index, 0, source, 0, axis);
      System.arraycopy(index, axis, pick, 0, picked);
      System.arraycopy(index, axis + picked, source, axis + 1, shape.rank() - axis - 1);
      long at = indices.longAt(MovedElements.flat(pick, indices.shape()));
      source[axis] = at < 0 ? at + shape.extent(axis) : at;
      return source;
    }, indices);
  }

  private static void gatherElements(Shape shape, int axis, TensorView indices) {
    MovedElements.check("GatherElements", Attributes.NONE.with("axis", axis), shape, indices.shape(), index -> {
      long[] source = index.clone();
      long at = indices.longAt(MovedElements.flat(index, indices.shape()));
      source[axis] = at < 0 ? at + shape.extent(axis) : at;
      return source;
    }, indices);
  }

  private static void scatter(TensorView x, int depth, Random random) {
    long bytes = x.dtype().bytes();
    int slices = random.nextInt(5);
    long[] at = new long[slices * depth];
    for (int i = 0; i < at.length; i++) {
      long extent = x.shape().extent(i % depth);
      at[i] = random.nextLong(-extent, extent);
    }
    long behind = x.shape().elementCount(depth, x.shape().rank());
    TensorView updates = TestTensors.randomBits(x.dtype(), Shape.of(slices, behind), random);
    TensorView expected = TestTensors.copy(x);
    for (int slice = 0; slice < slices; slice++) {
      long[] index = new long[x.shape().rank()];
      for (int i = 0; i < depth; i++) {
        index[i] = Math.floorMod(at[slice * depth + i], x.shape().extent(i));
      }
      MemorySegment.copy(updates.segment(), slice * behind * bytes, expected.segment(),
        MovedElements.flat(index, x.shape()) * bytes, behind * bytes);
    }
    TensorView indices = TestTensors.ofLongs(DType.INT64, Shape.of(slices, depth), at);
    TensorView actual = MovedElements.run("ScatterND", Attributes.NONE, x.type(), x, indices, updates);
    KernelRunner.checkBits("ScatterND into " + x.type(), expected, actual);
  }
}
