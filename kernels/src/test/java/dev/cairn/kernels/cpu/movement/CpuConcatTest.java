package dev.cairn.kernels.cpu.movement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.kernels.KernelRunner;
import dev.cairn.kernels.MovedElements;
import dev.cairn.kernels.TestTensors;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.row.MovementKernels;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.testing.Rounds;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CpuConcatTest implements Rounds {

  @Test
  void byHand() {
    var a = TestTensors.ofLongs(DType.INT32, Shape.of(2, 1), 1, 2);
    var b = TestTensors.ofLongs(DType.INT32, Shape.of(2, 2), 3, 4, 5, 6);
    var joined = MovedElements.run("Concat", Attributes.NONE.with("axis", -1), TensorType.of(DType.INT32, 2, 3), a, b);
    assertThat(joined.toLongArray()).containsExactly(1, 3, 4, 2, 5, 6);
    var parts = KernelRunner.checkTwins(MovementKernels.ROWS, "Split", Attributes.NONE.with("axis", 1),
      List.of(a.type(), b.type()), 1, joined);
    KernelRunner.checkBits("first part", a, parts.get(0));
    KernelRunner.checkBits("second part", b, parts.get(1));
  }

  /** Each element of the whole is checked by its index; splitting gives the parts back. */
  @Test
  void randomPartsOfRandomShapes() {
    var random = new Random(3);
    for (int round = 0; round < rounds(120); round++) {
      int rank = 1 + random.nextInt(4);
      joinAndSplit(Shape.of(random.longs(rank, 1, 8).toArray()), random.nextInt(rank), random, 5);
    }
  }

  @Test
  void largeEnoughForSeveralThreads() {
    var random = new Random(4);
    joinAndSplit(Shape.of(1, 1, 60, 60), 1, random, 40);
    joinAndSplit(Shape.of(2, 1, 150_001), 1, random, 3);
    joinAndSplit(Shape.of(20_000, 1), 1, random, 6);
    joinAndSplit(Shape.of(1, 170_000), 0, random, 4);
  }

  @Test
  void wrongPartsAreRefused() {
    var a = TestTensors.counting(DType.INT32, Shape.of(2, 2));
    var joined = TensorType.of(DType.INT32, 2, 4);
    var axis = Attributes.NONE.with("axis", 1);
    assertThatThrownBy(() -> MovedElements.run("Concat", axis, joined, a)).hasMessageContaining("do not fill");
    assertThatThrownBy(() -> MovedElements.run("Concat", axis, joined, a, a, a)).hasMessageContaining("part=2");
    assertThatThrownBy(() -> MovedElements.run("Concat", Attributes.NONE, joined, a)).hasMessageContaining("part=0");
    assertThatThrownBy(() -> MovedElements.run("Concat", Attributes.NONE.with("axis", 2), joined, a, a))
      .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("axis=2");
  }

  private static void joinAndSplit(Shape like, int axis, Random random, int most) {
    var attributes = Attributes.NONE.with("axis", random.nextBoolean() ? axis : axis - like.rank());
    for (DType dtype : MovedElements.SIZES) {
      List<TensorView> parts = new ArrayList<>();
      long extent = 0;
      for (int i = 0; i <= random.nextInt(5); i++) {
        parts.add(TestTensors.randomBits(dtype, like.with(axis, random.nextInt(most + 1)), random));
        extent += parts.getLast().shape().extent(axis);
      }
      var type = new TensorType(dtype, like.with(axis, extent));
      TensorView[] inputs = parts.toArray(TensorView[]::new);
      TensorView whole = KernelRunner.checkTwins(MovementKernels.ROWS, "Concat", attributes, List.of(type), 1, inputs)
        .getFirst();
      checkWhole(whole, parts, axis);
      List<TensorView> back = KernelRunner.checkTwins(MovementKernels.ROWS, "Split", attributes,
        parts.stream().map(TensorView::type).toList(), 1, whole);
      for (int i = 0; i < parts.size(); i++) {
        KernelRunner.checkBits("part " + i, parts.get(i), back.get(i));
      }
    }
  }

  private static void checkWhole(TensorView whole, List<TensorView> parts, int axis) {
    long bytes = whole.dtype().bytes();
    for (long i = 0; i < whole.elementCount(); i++) {
      long[] index = MovedElements.index(i, whole.shape());
      int part = 0;
      while (index[axis] >= parts.get(part).shape().extent(axis)) {
        index[axis] -= parts.get(part++).shape().extent(axis);
      }
      TensorView from = parts.get(part);
      long at = MovedElements.flat(index, from.shape()) * bytes;
      if (from.segment().asSlice(at, bytes).mismatch(whole.segment().asSlice(i * bytes, bytes)) != -1) {
        throw new AssertionError("element differs: index=%d part=%d whole=%s".formatted(i, part, whole.type()));
      }
    }
  }
}
