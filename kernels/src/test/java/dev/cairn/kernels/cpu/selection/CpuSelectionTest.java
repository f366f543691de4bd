package dev.cairn.kernels.cpu.selection;

import static dev.cairn.kernels.ByHand.floats;
import static dev.cairn.kernels.ByHand.run;
import static dev.cairn.kernels.ByHand.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.kernels.KernelRunner;
import dev.cairn.kernels.TestTensors;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.row.StandardKernels;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Operators that select elements, and those that scatter them. */
class CpuSelectionTest {
  private static final double NAN = Double.NaN;

  private static List<TensorView> top(Attributes attributes, DType dtype, long k, TensorView x) {
    return KernelRunner.checkTwins(StandardKernels.portableRows(), "TopK", attributes, List.of(TensorType.of(dtype, k),
      TensorType.of(DType.INT64, k)), 1, x, TestTensors.int64s(k));
  }

  @Test
  void topElementsAreInOrderAndTiesByLowerIndex() {
    var x = floats(1, 3, 3, -2, 3);
    List<TensorView> greatest = top(Attributes.NONE, DType.FLOAT32, 3, x);
    assertThat(TestTensors.doubles(greatest.get(0))).containsExactly(3, 3, 3);
    assertThat(greatest.get(1).toLongArray()).containsExactly(1, 2, 4);
    List<TensorView> least = top(Attributes.NONE.with("largest", 0), DType.FLOAT32, 5, x);
    assertThat(least.get(1).toLongArray()).containsExactly(3, 0, 1, 2, 4);
    assertThat(top(Attributes.NONE, DType.FLOAT32, 0, x).get(1).elementCount()).isZero();
  }

  @Test
  void aNanIsGreaterThanEveryNumberAndZerosAreEqual() {
    var x = floats(1, NAN, 3, Double.POSITIVE_INFINITY);
    assertThat(top(Attributes.NONE, DType.FLOAT32, 2, x).get(1).toLongArray()).containsExactly(1, 3);
    assertThat(top(Attributes.NONE.with("largest", 0), DType.FLOAT32, 4, x).get(1).toLongArray()).containsExactly(0, 2,
      3, 1);
    assertThat(top(Attributes.NONE, DType.FLOAT32, 2, floats(-0.0, 0.0)).get(1).toLongArray()).containsExactly(0, 1);
    var wide = TestTensors.ofLongs(DType.UINT64, Shape.of(2), 1, -1);
    assertThat(top(Attributes.NONE, DType.UINT64, 1, wide).get(1).toLongArray()).containsExactly(1);
  }

  @Test
  void placesOfExtremes() {
    TensorType one = TensorType.of(DType.INT64, 1);
    assertThat(run("ArgMax", Attributes.NONE, one, floats(1, 5, 5)).longAt(0)).isEqualTo(1);
    assertThat(run("ArgMax", Attributes.NONE.with("select_last_index", 1), one, floats(1, 5, 5)).longAt(0)).isEqualTo(
      2);
    assertThat(run("ArgMin", Attributes.NONE, one, floats(1, -5, -5, 7)).longAt(0)).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource(names = {"FLOAT32", "FLOAT64", "FLOAT16", "BFLOAT16"})
  void placesOfNanAreThoseOfExtremes(DType dtype) {
    TensorType one = TensorType.of(DType.INT64, 1);
    var x = TestTensors.of(dtype, Shape.of(6), 1, NAN, Double.NEGATIVE_INFINITY, NAN, Double.POSITIVE_INFINITY, 0);
    for (String operator : List.of("ArgMax", "ArgMin")) {
      assertThat(run(operator, Attributes.NONE, one, x).longAt(0)).isEqualTo(1);
      assertThat(run(operator, Attributes.NONE.with("select_last_index", 1), one, x).longAt(0)).isEqualTo(3);
    }
  }

  @Test
  void theGreatestWholeNumberIsNoNan() {
    var x = TestTensors.ofLongs(DType.INT64, Shape.of(3), 0, Long.MAX_VALUE, 0x7FF8000000000000L);
    assertThat(run("ArgMin", Attributes.NONE, TensorType.of(DType.INT64, 1), x).longAt(0)).isEqualTo(0);
  }

  @Test
  void indexesOfWhatIsNotZero() {
    var x = TestTensors.of(DType.FLOAT32, Shape.of(2, 2), 1, -0.0, NAN, 2);
    assertThat(run("NonZero", Attributes.NONE, TensorType.of(DType.INT64, 2, 3), x).toLongArray()).containsExactly(0, 1,
      1, 0, 0, 1);
    assertThat(run("NonZero", Attributes.NONE, TensorType.of(DType.INT64, 0, 1), TestTensors.of(DType.FLOAT32,
      Shape.SCALAR, 4)).elementCount()).isZero();
  }

  @Test
  void compressedSlices() {
    var x = TestTensors.counting(DType.INT32, Shape.of(2, 3));
    var condition = TestTensors.ofLongs(DType.BOOL, Shape.of(2), 0, 1);
    assertThat(run("Compress", Attributes.NONE.with("axis", 1), TensorType.of(DType.INT32, 2, 1), x, condition)
      .toLongArray()).containsExactly(1, 4);
    assertThat(run("Compress", Attributes.NONE, TensorType.of(DType.INT32, 1), x, condition).toLongArray())
      .containsExactly(1);
  }

  @Test
  void distinctElementsAndSlices() {
    var x = floats(2, 1, NAN, 1, NAN);
    List<TensorType> types = List.of(TensorType.of(DType.FLOAT32, 3), TensorType.of(DType.INT64, 3), TensorType.of(
      DType.INT64, 5), TensorType.of(DType.INT64, 3));
    List<TensorView> sorted = KernelRunner.checkTwins(StandardKernels.portableRows(), "Unique", Attributes.NONE, types,
      1, x);
    assertThat(TestTensors.doubles(sorted.get(0))).containsExactly(1, 2, NAN);
    assertThat(sorted.get(1).toLongArray()).containsExactly(1, 0, 2);
    assertThat(sorted.get(2).toLongArray()).containsExactly(1, 0, 2, 0, 2);
    assertThat(sorted.get(3).toLongArray()).containsExactly(2, 1, 2);
    List<TensorView> found = KernelRunner.checkTwins(StandardKernels.portableRows(), "Unique", Attributes.NONE.with(
      "sorted", 0), types, 1, x);
    assertThat(TestTensors.doubles(found.get(0))).containsExactly(2, 1, NAN);
    var rows = TestTensors.ofLongs(DType.INT32, Shape.of(3, 2), 1, 2, 0, 9, 1, 2);
    assertThat(run("Unique", Attributes.NONE.with("axis", 0), TensorType.of(DType.INT32, 2, 2), rows).toLongArray())
      .containsExactly(0, 9, 1, 2);
  }

  @Test
  void boxesThatDoNotOverlap() {
    var boxes = TestTensors.of(DType.FLOAT32, Shape.of(1, 4, 4), 0, 0, 1, 1, 1, 1.1, 0, 0.1, 0, 5, 1, 6, 0, 10, 1, 11);
    var scores = TestTensors.of(DType.FLOAT32, Shape.of(1, 1, 4), 0.9, 0.95, 0.5, 0.2);
    assertThat(run("NonMaxSuppression", Attributes.NONE, TensorType.of(DType.INT64, 2, 3), boxes, scores, TestTensors
      .int64s(9), floats(0.5), floats(0.2)).toLongArray()).containsExactly(0, 0, 1, 0, 0, 2);
    assertThat(run("NonMaxSuppression", Attributes.NONE, TensorType.of(DType.INT64, 1, 3), boxes, scores, TestTensors
      .int64s(1), floats(0.5)).toLongArray()).containsExactly(0, 0, 1);
  }

  @Test
  void updatesOfOnePlaceJoinInTheirOrder() {
    var data = floats(1, 2, 3);
    var indexes = TestTensors.int64s(0, -3, 2);
    var updates = floats(4, 5, 6);
    TensorType three = TensorType.of(DType.FLOAT32, 3);
    assertThat(TestTensors.doubles(run("ScatterElements", Attributes.NONE, three, data, indexes, updates)))
      .containsExactly(5, 2, 6);
    assertThat(TestTensors.doubles(run("ScatterElements", text("reduction", "add"), three, data, indexes, updates)))
      .containsExactly(10, 2, 9);
    assertThat(TestTensors.doubles(run("ScatterND", text("reduction", "mul"), three, data, indexes.reshaped(Shape.of(3,
      1)), updates))).containsExactly(20, 2, 18);
    assertThat(TestTensors.doubles(run("ScatterND", text("reduction", "min"), three, data, indexes.reshaped(Shape.of(3,
      1)), updates))).containsExactly(1, 2, 3);
    var wide = TestTensors.ofLongs(DType.UINT64, Shape.of(1), -1);
    assertThat(run("ScatterElements", text("reduction", "max"), TensorType.of(DType.UINT64, 1), wide, TestTensors
      .int64s(0), TestTensors.ofLongs(DType.UINT64, Shape.of(1), 1)).longAt(0)).isEqualTo(-1);
    assertThatThrownBy(() -> run("ScatterElements", Attributes.NONE, three, data, TestTensors.int64s(0, 3, 2), updates))
      .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("index=3 extent=3 position=1");
  }

  @Test
  void slicesByTuples() {
    var x = TestTensors.counting(DType.INT32, Shape.of(2, 2, 2));
    assertThat(run("GatherND", Attributes.NONE, TensorType.of(DType.INT32, 2, 2), x, TestTensors.ofLongs(DType.INT64,
      Shape.of(2, 2), 0, -1, 1, 0)).toLongArray()).containsExactly(2, 3, 4, 5);
    assertThat(run("GatherND", Attributes.NONE.with("batch_dims", 1), TensorType.of(DType.INT32, 2, 2), x, TestTensors
      .ofLongs(DType.INT64, Shape.of(2, 1), 1, 0)).toLongArray()).containsExactly(2, 3, 4, 5);
    assertThatThrownBy(() -> run("GatherND", Attributes.NONE, TensorType.of(DType.INT32, 1, 2), x, TestTensors.ofLongs(
      DType.INT64, Shape.of(1, 2), 0, 2))).isInstanceOf(IllegalArgumentException.class).hasMessageContaining(
        "index=2 extent=2");
  }

  @Test
  void negativeIndexesAreOnAndOthersOutsideAreOff() {
    assertThat(TestTensors.doubles(run("OneHot", Attributes.NONE, TensorType.of(DType.FLOAT32, 4, 3), TestTensors
      .int64s(0, -1, 3, -4), TestTensors.int64s(3), floats(2, 5)))).containsExactly(5, 2, 2, 2, 2, 5, 2, 2, 2, 2, 2,
        2);
  }

  @Test
  void cachesAreWrittenAroundTheirEnd() {
    var cache = TestTensors.counting(DType.INT32, Shape.of(1, 4, 1));
    var update = TestTensors.ofLongs(DType.INT32, Shape.of(1, 2, 1), 8, 9);
    TensorType type = TensorType.of(DType.INT32, 1, 4, 1);
    assertThat(run("TensorScatter", text("mode", "circular"), type, cache, update, TestTensors.int64s(3)).toLongArray())
      .containsExactly(9, 1, 2, 8);
    assertThatThrownBy(() -> run("TensorScatter", Attributes.NONE, type, cache, update, TestTensors.int64s(3)))
      .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("an update beyond the axis: batch=0 index=3");
    assertThat(run("ReverseSequence", Attributes.NONE, TensorType.of(DType.INT32, 3, 2), TestTensors.counting(
      DType.INT32, Shape.of(3, 2)), TestTensors.int64s(2, 3)).toLongArray()).containsExactly(2, 5, 0, 3, 4, 1);
  }

  /** Boxes of whole corners, of which many touch or have equal scores. */
  @Test
  void manyBoxesAreSelectedAsTheDefinitionSays() {
    var random = new SplittableRandom(9);
    for (double threshold : new double[] {0, 0.3, 0.7}) {
      int count = 200;
      double[] corners = random.ints(4L * count, 0, 20).asDoubleStream().toArray();
      double[] scores = random.ints(count, 0, 30).asDoubleStream().toArray();
      long[] wanted = selected(corners, scores, threshold);
      TensorView found = run("NonMaxSuppression", Attributes.NONE, TensorType.of(DType.INT64, wanted.length, 3),
        TestTensors.of(DType.FLOAT32, Shape.of(1, count, 4), corners), TestTensors.of(DType.FLOAT32, Shape.of(1, 1,
          count), scores),
        TestTensors.int64s(count), TestTensors.of(DType.FLOAT32, Shape.of(1), threshold), TestTensors
          .of(DType.FLOAT32, Shape.of(1), 2));
      for (int i = 0; i < wanted.length; i++) {
        assertThat(found.longAt(3L * i + 2)).isEqualTo(wanted[i]);
      }
    }
  }

  private static long[] selected(double[] corners, double[] scores, double threshold) {
    List<Integer> taken = new ArrayList<>();
    IntStream.range(0, scores.length).filter(box -> scores[box] > 2).boxed()
      .sorted(Comparator.comparingDouble((Integer box) -> -scores[box])).forEach(box -> {
        if (taken.stream().noneMatch(other -> overlap(corners, box, other) > (float) threshold)) {
          taken.add(box);
        }
      });
    return taken.stream().mapToLong(Integer::longValue).toArray();
  }

  private static double overlap(double[] corners, int a, int b) {
    double[] common = new double[2];
    double[] areas = {1, 1};
    for (int axis = 0; axis < 2; axis++) {
      double[] ends = {corners[4 * a + axis], corners[4 * a + axis + 2], corners[4 * b + axis], corners[4 * b + axis
        + 2]};
      areas[0] *= Math.abs(ends[0] - ends[1]);
      areas[1] *= Math.abs(ends[2] - ends[3]);
      common[axis] = Math.max(0, Math.min(Math.max(ends[0], ends[1]), Math.max(ends[2], ends[3])) - Math.max(Math.min(
        ends[0], ends[1]), Math.min(ends[2], ends[3])));
    }
    double both = common[0] * common[1];
    return both == 0 ? 0 : both / (areas[0] + areas[1] - both);
  }
}
