package dev.cairn.kernels.cpu.selection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.kernels.KernelRunner;
import dev.cairn.kernels.TestTensors;
import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.row.MovementKernels;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** {@code ScatterAdd} beside the operators whose gradient it is. */
class CpuScatterAddTest {
  private final Random random = new Random(3);

  private static Attributes of(String picker, Shape data, String name, long value) {
    return Attributes.NONE.with("of", new AttributeValue.Text(picker)).with("shape", new AttributeValue.Ints(LongStream
      .of(data.extents()).boxed().toList())).with(name, value);
  }

  private static TensorView run(Attributes attributes, TensorView h, TensorView indices) {
    TensorType data = h.type().withShape(Shape.of(attributes.getLongs("shape")));
    return KernelRunner.checkTwins(MovementKernels.ROWS, "ScatterAdd", attributes, List.of(data), 8, h, indices)
      .getFirst();
  }

  @Test
  void duplicatesAddUp() {
    TensorView h = TestTensors.of(DType.FLOAT32, Shape.of(4, 2), 1, 2, 3, 4, 5, 6, 7, 8);
    TensorView y = run(of("Gather", Shape.of(3, 2), "axis", 0), h, TestTensors.int64s(2, 0, -1, 2));
    assertThat(TestTensors.doubles(y)).containsExactly(3, 4, 0, 0, 13, 16);
  }

  /** In {@code float32} the order of terms shows: 1e8 swallows what is added to it one by one. */
  @Test
  void halfSumsAreRoundedOnce() {
    TensorView h = TestTensors.of(DType.FLOAT16, Shape.of(3, 1), 2048, 1, 1);
    TensorView y = run(of("Gather", Shape.of(2, 1), "axis", 0), h, TestTensors.int64s(1, 1, 1));
    assertThat(TestTensors.doubles(y)).containsExactly(0, 2050);
  }

  /** The gradient of a pick is its transpose: {@code <h, pick(x)> = <scatter(h), x>}, for each unit tensor x. */
  @Test
  void itIsTheTransposeOfThePick() {
    for (int axis = 0; axis < 3; axis++) {
      Shape data = Shape.of(3, 4, 5);
      transposes("Gather", data, indices(Shape.of(2, 3), data.extent(axis)), "axis", axis, data.with(axis, 6));
      transposes("GatherElements", data, indices(Shape.of(2, 3, 4), data.extent(axis)), "axis", axis, Shape.of(2, 3,
        4));
    }
    transposes("Gather", Shape.of(300, 2), indices(Shape.of(1000), 300), "axis", 0, Shape.of(1000, 2));
    transposes("GatherND", Shape.of(3, 4, 5), indices(Shape.of(7, 2), 3), "batch_dims", 0, Shape.of(7, 5));
    transposes("GatherND", Shape.of(3, 4, 5), indices(Shape.of(3, 6, 1), 4), "batch_dims", 1, Shape.of(3, 6, 5));
    transposes("GatherND", Shape.of(3, 4), indices(Shape.of(3, 1), 4), "batch_dims", 1, Shape.of(3));
  }

  private TensorView indices(Shape shape, long extent) {
    return TestTensors.ofLongs(shape.rank() == 1 ? DType.INT32 : DType.INT64, shape, random.longs(shape.elementCount(),
      -extent, extent).toArray());
  }

  private void transposes(String picker, Shape data, TensorView indices, String name, long value, Shape flat) {
    TensorView indexes = picker.equals("GatherND")
      ? TestTensors.ofLongs(DType.INT64, indices.shape(), indices
        .toLongArray())
      : indices;
    Attributes attributes = of(picker, data, name, value);
    TensorView x = TestTensors.counting(DType.FLOAT64, data);
    TensorType picked = TensorType.of(DType.FLOAT64, flat.elementCount());
    Shape shape = picker.equals("Gather") && indices.shape().rank() == 2
      ? gathered(data, indices.shape(), (int) value)
      : flat;
    TensorView y = KernelRunner.checkTwins(MovementKernels.ROWS, picker, attributes, List.of(picked.withShape(shape)),
      1, x, indexes).getFirst();
    TensorView h = TestTensors.random(DType.FLOAT64, shape, random);
    double[] wanted = new double[(int) data.elementCount()];
    for (long i = 0; i < y.elementCount(); i++) {
      wanted[(int) Math.round(y.doubleAt(i) - x.doubleAt(0))] += h.doubleAt(i);
    }
    assertThat(TestTensors.doubles(run(attributes, h, indexes))).as(picker + attributes).containsExactly(wanted);
  }

  private static Shape gathered(Shape data, Shape indices, int axis) {
    LongStream before = LongStream.of(data.extents()).limit(axis);
    LongStream after = LongStream.of(data.extents()).skip(axis + 1L);
    return Shape.of(LongStream.concat(LongStream.concat(before, LongStream.of(indices.extents())), after).toArray());
  }

  @Test
  void noPicksGiveZeros() {
    TensorView y = run(of("Gather", Shape.of(2, 2), "axis", 0), TestTensors.zeros(TensorType.of(DType.FLOAT32, 0, 2)),
      TestTensors.ofLongs(DType.INT64, Shape.of(0)));
    assertThat(TestTensors.doubles(y)).containsExactly(0, 0, 0, 0);
  }

  @Test
  void anIndexOutsideItsAxisIsNamed() {
    TensorView h = TestTensors.of(DType.FLOAT32, Shape.of(1, 1), 1);
    assertThatThrownBy(() -> run(of("Gather", Shape.of(2, 1), "axis", 0), h, TestTensors.int64s(2)))
      .hasMessageContaining(
        "index=2 extent=2");
  }
}
