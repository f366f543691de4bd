package dev.cairn.kernels.cpu.elementwise;

import dev.cairn.kernels.KernelRunner;
import dev.cairn.kernels.TestTensors;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.row.ElementwiseKernels;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.testing.Rounds;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every kernel of {@code Where}: bit for bit what index by index gives, however its operands stretch. */
class WhereTest implements Rounds {

  @ParameterizedTest
  @EnumSource(value = DType.class, from = "FLOAT32", to = "BOOL")
  void operandsOfRandomShapes(DType dtype) {
    var random = new Random(51);
    for (int round = 0; round < rounds(40); round++) {
      long[] extents = random.longs(random.nextInt(1, 4), 1, random.nextInt(2, 70)).toArray();
      extents[extents.length - 1] *= random.nextInt(1, 4);
      TensorView condition = TestTensors.zeros(new TensorType(DType.BOOL, part(extents, random)));
      for (long i = 0; i < condition.elementCount(); i++) {
        TestTensors.set(condition, i, random.nextInt(2));
      }
      check(Shape.of(extents), condition, TestTensors.randomBits(dtype, part(extents, random), random), TestTensors
        .randomBits(dtype, Shape.of(extents), random), random.nextBoolean());
    }
  }

  /** The whole shape, or one in which some axes repeat. */
  private static Shape part(long[] extents, Random random) {
    long[] part = extents.clone();
    for (int axis = 0; axis < part.length; axis++) {
      part[axis] = random.nextInt(3) == 0 ? 1 : part[axis];
    }
    return Shape.of(part);
  }

  private static void check(Shape shape, TensorView condition, TensorView part, TensorView whole, boolean swap) {
    TensorView x = swap ? whole : part;
    TensorView y = swap ? part : whole;
    var type = new TensorType(x.dtype(), shape);
    TensorView expected = TestTensors.zeros(type);
    long bytes = x.dtype().bytes();
    for (long i = 0; i < shape.elementCount(); i++) {
      TensorView from = condition.longAt(index(shape, condition.shape(), i)) != 0 ? x : y;
      expected.segment().asSlice(i * bytes, bytes).copyFrom(from.segment().asSlice(index(shape, from.shape(), i)
        * bytes, bytes));
    }
    for (int threads : new int[] {1, 3}) {
      try (var runner = new KernelRunner(ElementwiseKernels.ROWS, threads)) {
        for (KernelRow row : runner.serving("Where",
          KernelRunner.signature(Attributes.NONE, List.of(type), condition, x,
            y))) {
          KernelRunner.checkBits(row.twin() + " of " + shape, expected, runner.runRow(row, Attributes.NONE, List.of(
            type), condition, x, y).getFirst());
          checkOverOperands(runner, row, expected, condition, x, y);
        }
      }
    }
  }

  /** An operand that does not repeat may be the output. */
  private static void checkOverOperands(KernelRunner runner, KernelRow row, TensorView expected,
    TensorView... operands) {
    for (int i = 0; i < operands.length; i++) {
      if (operands[i].type().bytes() == expected.type().bytes() && operands[i].shape().equals(expected.shape())) {
        TensorView[] given = operands.clone();
        given[i] = TestTensors.copy(operands[i]);
        var output = new TensorView(expected.type(), given[i].segment());
        runner.runInto(row, Attributes.NONE, List.of(output), given);
        KernelRunner.checkBits(row.twin() + " over operand " + i, expected, output);
      }
    }
  }

  /** Where an operand has what stands at an index of the result. */
  private static long index(Shape shape, Shape operand, long index) {
    long rest = index;
    long at = 0;
    long stride = 1;
    for (int axis = shape.rank() - 1; axis >= 0; axis--) {
      long place = rest % shape.extent(axis);
      rest /= shape.extent(axis);
      at += operand.extent(axis) == 1 ? 0 : place * stride;
      stride *= operand.extent(axis);
    }
    return at;
  }
}
