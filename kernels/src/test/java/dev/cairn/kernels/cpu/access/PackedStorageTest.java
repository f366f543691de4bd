package dev.cairn.kernels.cpu.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.kernels.KernelRunner;
import dev.cairn.kernels.TestTensors;
import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.row.MovementKernels;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.NarrowElements;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** Moves of narrow elements are the moves of bytes with the same codes, whatever the number of elements. */
class PackedStorageTest {
  private final Random random = new Random(7);

  private void check(String operator, Attributes attributes, DType dtype, List<Shape> results, TensorView... inputs) {
    TensorView[] bytes = Arrays.stream(inputs).map(it -> it.dtype() == dtype ? bytes(it) : it).toArray(
      TensorView[]::new);
    List<TensorView> wanted = run(operator, attributes, DType.UINT8, results, bytes);
    List<TensorView> given = run(operator, attributes, dtype, results, inputs);
    for (int i = 0; i < wanted.size(); i++) {
      KernelRunner.checkBits(operator + " of " + dtype, wanted.get(i), bytes(given.get(i)));
    }
  }

  private static List<TensorView> run(String operator, Attributes attributes, DType dtype, List<Shape> results,
    TensorView... inputs) {
    return KernelRunner.checkTwins(MovementKernels.ROWS, operator, attributes, results.stream().map(
      it -> new TensorType(dtype, it)).toList(), 1, inputs);
  }

  private static TensorView bytes(TensorView narrow) {
    TensorView bytes = TestTensors.zeros(narrow.type().withDType(DType.UINT8));
    NarrowElements.unpack(narrow, bytes.segment(), 0, narrow.elementCount());
    return bytes;
  }

  private TensorView tensor(DType dtype, long... extents) {
    return TestTensors.randomBits(dtype, Shape.of(extents), random);
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.MATCH_ALL, names = "(FLOAT8.*|FLOAT4.*|U?INT[24])")
  void movesAreThoseOfBytes(DType dtype) {
    Attributes none = Attributes.NONE;
    Attributes axis = none.with("axis", 1);
    check("Transpose", none.with("perm", AttributeValue.Ints.of(2, 0, 1)), dtype, List.of(Shape.of(7, 3, 5)), tensor(
      dtype, 3, 5, 7));
    check("Concat", axis, dtype, List.of(Shape.of(3, 9)), tensor(dtype, 3, 1), tensor(dtype, 3, 3), tensor(dtype, 3,
      5));
    check("Split", axis, dtype, List.of(Shape.of(3, 2), Shape.of(3, 3), Shape.of(3, 1)), tensor(dtype, 3, 6),
      TestTensors.int64s(2, 3, 1));
    check("Slice", none, dtype, List.of(Shape.of(2, 3)), tensor(dtype, 3, 9), TestTensors.int64s(1, 8),
      TestTensors.int64s(3, 1), TestTensors.int64s(0, 1), TestTensors.int64s(1, -3));
    check("Expand", none, dtype, List.of(Shape.of(3, 5)), tensor(dtype, 5), TestTensors.int64s(3, 5));
    check("Tile", none, dtype, List.of(Shape.of(3, 10)), tensor(dtype, 3, 5), TestTensors.int64s(1, 2));
    check("Pad", none, dtype, List.of(Shape.of(4, 8)), tensor(dtype, 3, 5), TestTensors.int64s(1, 1, 0, 2), tensor(
      dtype));
    check("Gather", none, dtype, List.of(Shape.of(2, 5)), tensor(dtype, 3, 5), TestTensors.int64s(2, -3));
    check("Gather", none, dtype, List.of(Shape.of(2, 8)), tensor(dtype, 3, 8), TestTensors.int64s(2, -3));
    check("Gather", axis, dtype, List.of(Shape.of(3, 2, 4)), tensor(dtype, 3, 5, 4), TestTensors.int64s(4, 1));
    check("GatherElements", axis, dtype, List.of(Shape.of(1, 3)), tensor(dtype, 1, 5), TestTensors.int64s(4, 0, 1)
      .reshaped(Shape.of(1, 3)));
    check("GatherND", none, dtype, List.of(Shape.of(2)), tensor(dtype, 3, 5), TestTensors.int64s(2, 1, 0, 4).reshaped(
      Shape.of(2, 2)));
    check("ReverseSequence", none.with("batch_axis", 0).with("time_axis", 1), dtype, List.of(Shape.of(2, 5)), tensor(
      dtype, 2, 5), TestTensors.int64s(3, 5));
    check("Reshape", none, dtype, List.of(Shape.of(15)), tensor(dtype, 3, 5), TestTensors.int64s(15));
    check("DepthToSpace", none.with("blocksize", 3), dtype, List.of(Shape.of(1, 1, 3, 15)), tensor(dtype, 1, 9, 1, 5));
  }

  @ParameterizedTest
  @EnumSource(names = {"INT4", "INT2", "FLOAT8E5M2"})
  void manyElementsAreMovedByManyThreads(DType dtype) {
    check("Transpose", Attributes.NONE, dtype, List.of(Shape.of(501, 403)), tensor(dtype, 403, 501));
    assertThat(DType.WHOLE_BYTES.contains(dtype)).isNotEqualTo(dtype.isPacked());
  }
}
