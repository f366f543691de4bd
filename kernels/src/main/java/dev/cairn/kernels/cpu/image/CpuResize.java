package dev.cairn.kernels.cpu.image;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.ResizeAxis;
import dev.cairn.kernels.attribute.ResizeForm;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.access.Elements;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code Resize(x, roi?, scales?, sizes?)} of any axes, one after the other; edges repeat. {@code nearest} moves
 * elements as they are. Other modes compute in {@code double}; whole numbers are cut towards zero and to the range of
 * their type.
 */
public final class CpuResize implements Kernel {

  /**
   * One axis of a plane: in each of {@code outer} groups, {@code input} lines of {@code inner} neighbours become {@code
   * output} lines.
   */
  private record Step(ResizeTaps taps, int outer, int input, int output, int inner) {
    int elements() {
      return Math.multiplyExact(outer, Math.multiplyExact(output, inner));
    }

    /** Where a tap of a line of the output begins in the input. */
    int from(int line, int tap) {
      return (line / output * input + taps.index(line % output, tap)) * inner;
    }
  }

  @Override
  public void run(KernelCall call) {
    TensorView x = call.input(0);
    TensorView y = call.output(0);
    Attributes attributes = call.attributes();
    ResizeAxis[] axes = ResizeAxis.of(attributes, x.shape(), optional(call, 1), optional(call, 2), optional(call, 3));
    if (y.elementCount() == 0) {
      return;
    }
    int first = 0;
    while (first < axes.length && axes[first].isUntouched()) {
      first++;
    }
    List<Step> steps = steps(attributes, axes, first);
    int read = Math.toIntExact(x.shape().elementCount(first, axes.length));
    int written = Math.toIntExact(y.shape().elementCount(first, axes.length));
    double outside = ResizeForm.of(attributes).outside();
    boolean moves = ResizeForm.of(attributes).isNearest();
    CpuStream.of(call).parallel(x.shape().elementCount(0, first), 1, (from, to) -> {
      for (long plane = from; plane < to; plane++) {
        if (moves) {
          Elements.write(moved(steps, x, plane, read, bits(y, outside)), Elements.bits(y), plane * written, written);
        } else {
          write(mixed(steps, x, plane, read, outside), y, plane * written);
        }
      }
    });
  }

  private static @Nullable TensorView optional(KernelCall call, int input) {
    return call.has(input) ? call.input(input) : null;
  }

  /** The innermost axis first. */
  private static List<Step> steps(Attributes attributes, ResizeAxis[] axes, int first) {
    List<Step> steps = new ArrayList<>();
    for (int axis = axes.length - 1; axis >= first; axis--) {
      if (!axes[axis].isUntouched()) {
        long outer = Arrays.stream(axes, first, axis).mapToLong(ResizeAxis::input).reduce(1, Math::multiplyExact);
        long inner = Arrays.stream(axes, axis + 1, axes.length).mapToLong(ResizeAxis::output).reduce(1,
          Math::multiplyExact);
        steps.add(new Step(ResizeTaps.of(attributes, axes[axis]), Math.toIntExact(outer), (int) axes[axis].input(),
          (int) axes[axis].output(), Math.toIntExact(inner)));
      }
    }
    return steps;
  }

  /** The bits of a number in a tensor's element type. */
  private static long bits(TensorView like, double value) {
    var one = new TensorView(TensorType.of(like.dtype(), 1), MemorySegment.ofArray(new byte[like.dtype().bytes()]));
    if (like.dtype().isFloat()) {
      Elements.write(new double[] {value}, one, 0, 1);
    } else {
      Elements.write(new long[] {(long) value}, one, 0, 1);
    }
    long[] bits = new long[1];
    Elements.read(Elements.bits(one), 0, bits, 1);
    return bits[0];
  }

  private static long[] moved(List<Step> steps, TensorView x, long plane, int read, long outside) {
    long[] values = new long[read];
    Elements.read(Elements.bits(x), plane * values.length, values, values.length);
    for (Step step : steps) {
      long[] moved = new long[step.elements()];
      for (int line = 0; line < step.outer * step.output; line++) {
        int at = line * step.inner;
        if (step.taps.count(line % step.output) == 0) {
          Arrays.fill(moved, at, at + step.inner, outside);
        } else {
          System.arraycopy(values, step.from(line, 0), moved, at, step.inner);
        }
      }
      values = moved;
    }
    return values;
  }

  private static double[] mixed(List<Step> steps, TensorView x, long plane, int read, double outside) {
    double[] values = new double[read];
    Elements.read(x, plane * values.length, values, values.length);
    for (Step step : steps) {
      double[] mixed = new double[step.elements()];
      for (int line = 0; line < step.outer * step.output; line++) {
        int at = line * step.inner;
        int taps = step.taps.count(line % step.output);
        if (taps == 0) {
          Arrays.fill(mixed, at, at + step.inner, outside);
        }
        for (int tap = 0; tap < taps; tap++) {
          int begin = step.from(line, tap);
          double weight = step.taps.weight(line % step.output, tap);
          for (int i = 0; i < step.inner; i++) {
            mixed[at + i] += weight * values[begin + i];
          }
        }
      }
      values = mixed;
    }
    return values;
  }

  private static void write(double[] values, TensorView y, long to) {
    if (y.dtype().isFloat()) {
      Elements.write(values, y, to, values.length);
    } else {
      Elements.write(whole(values, y), y, to, values.length);
    }
  }

  private static long[] whole(double[] values, TensorView y) {
    double high = Math.scalb(1.0, y.dtype().bytes() * Byte.SIZE - (y.dtype().isUnsigned() ? 0 : 1)) - 1;
    double low = y.dtype().isUnsigned() ? 0 : -high - 1;
    return Arrays.stream(values).mapToLong(value -> (long) Math.clamp(value, low, high)).toArray();
  }
}
