package dev.cairn.kernels;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.row.MovementKernels;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Checks an operator that moves elements against a rule that says, for each output element, where it comes from. */
public final class MovedElements {
  /** One type of each size. */
  public static final List<DType> SIZES = List.of(DType.UINT8, DType.FLOAT16, DType.FLOAT32, DType.INT64);

  private MovedElements() {}

  /** From an index of the output to one of the input; null where the output is zero. */
  @FunctionalInterface
  public interface Rule {
    long @Nullable [] source(long[] index);
  }

  /** Runs on every element size, on one thread and three, and compares all bits with the rule. */
  public static void check(String operator, Attributes attributes, Shape from, Shape to, Rule rule,
    @Nullable TensorView... more) {
    long[] sources = sources(from, to, rule);
    for (DType dtype : SIZES) {
      TensorView data = TestTensors.randomBits(dtype, from, new Random(from.elementCount() * 31 + to.elementCount()));
      TensorView expected = expected(data, to, sources);
      TensorView actual = run(operator, attributes, new TensorType(dtype, to), data, more);
      KernelRunner.checkBits(operator + attributes + " of " + data.type(), expected, actual);
    }
  }

  /** The one output of an operator whose first input is {@code data}. */
  public static TensorView run(String operator, Attributes attributes, TensorType output, TensorView data,
    @Nullable TensorView... more) {
    @Nullable
    TensorView[] inputs = new @Nullable TensorView[more.length + 1];
    inputs[0] = data;
    System.arraycopy(more, 0, inputs, 1, more.length);
    return KernelRunner.checkTwins(MovementKernels.ROWS, operator, attributes, List.of(output), 1, inputs).getFirst();
  }

  /** What the rule says, element by element. */
  static TensorView expected(TensorView data, Shape to, Rule rule) {
    return expected(data, to, sources(data.shape(), to, rule));
  }

  /** The flat positions that the rule says, for each element of the output; -1 for zero. */
  private static long[] sources(Shape from, Shape to, Rule rule) {
    long[] sources = new long[(int) to.elementCount()];
    for (int i = 0; i < sources.length; i++) {
      long[] source = rule.source(index(i, to));
      sources[i] = source == null ? -1 : flat(source, from);
    }
    return sources;
  }

  private static TensorView expected(TensorView data, Shape to, long[] sources) {
    TensorView expected = TestTensors.zeros(new TensorType(data.dtype(), to));
    long bytes = data.dtype().bytes();
    for (int i = 0; i < sources.length; i++) {
      if (sources[i] >= 0) {
        MemorySegment.copy(data.segment(), sources[i] * bytes, expected.segment(), i * bytes, bytes);
      }
    }
    return expected;
  }

  /** The index of a flat position. */
  public static long[] index(long position, Shape shape) {
    long[] index = new long[shape.rank()];
    long rest = position;
    for (int axis = index.length - 1; axis >= 0; axis--) {
      index[axis] = rest % shape.extent(axis);
      rest /= shape.extent(axis);
    }
    return index;
  }

  /** The flat position of an index, which must be one of the shape. */
  public static long flat(long[] index, Shape shape) {
    long position = 0;
    for (int axis = 0; axis < index.length; axis++) {
      if (index[axis] < 0 || index[axis] >= shape.extent(axis)) {
        throw new AssertionError(
          "the rule leaves the input: index=%s shape=%s".formatted(Arrays.toString(index), shape));
      }
      position = position * shape.extent(axis) + index[axis];
    }
    return position;
  }

  /** A shape of up to {@code rank} axes, each up to {@code extent} long. */
  public static Shape randomShape(Random random, int rank, int extent) {
    return Shape.of(random.longs(random.nextInt(rank + 1), 1, extent + 1).toArray());
  }
}
