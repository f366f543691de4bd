package dev.cairn.kernels.cpu.image;

import static dev.cairn.kernels.cpu.vector.RegisterTile.LANES;
import static dev.cairn.kernels.cpu.vector.RegisterTile.SPECIES;
import static dev.cairn.kernels.cpu.vector.VectorRows.load;
import static dev.cairn.kernels.cpu.vector.VectorRows.store;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.ResizeAxis;
import dev.cairn.kernels.attribute.ResizeForm;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.catalog.PlannedKernel;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import jdk.incubator.vector.FloatVector;
import org.jspecify.annotations.Nullable;

/**
 * {@code Resize} of {@code float32}, one axis after the other, the innermost first. Constant scales or sizes are read
 * once: the weights of a step's axes stay the same. {@code nearest} moves bits as they are.
 */
public final class VectorResize implements Kernel {
  private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;
  private static final int FIRST_OPTION = 1;
  private static final int OPTIONS_END = 4;
  /** Elements of a line up to which vectors are faster than a copy. */
  private static final int SHORT_LINE = 256;
  /** Bytes that are worth a second thread, to copy. */
  private static final long GRAIN_BYTES = 64 << 10;

  /** Whether all calls resize the same shape by the same numbers. */
  private final boolean isFixed;

  public VectorResize() {
    this(false);
  }

  private VectorResize(boolean isFixed) {
    this.isFixed = isFixed;
  }

  @Override
  public boolean accepts(KernelSignature signature) {
    return !ResizeForm.of(signature.attributes()).crops()
      && signature.input(0).shape().rank() > 0 && signature.output(0).shape().elementCount() < Integer.MAX_VALUE;
  }

  @Override
  public PlannedKernel planned(KernelSignature signature, Set<Integer> constants) {
    boolean fixed = true;
    for (int input = FIRST_OPTION; input < OPTIONS_END; input++) {
      fixed &= !signature.has(input) || constants.contains(input);
    }
    return new PlannedKernel(fixed ? new VectorResize(true) : this, Map.of());
  }

  @Override
  public void run(KernelCall call) {
    Plan.of(call).run(call);
  }

  @Override
  public Runnable prepare(KernelCall call) {
    if (!isFixed) {
      return () -> run(call);
    }
    return new Runnable() {
      private @Nullable Plan plan;

      @Override
      public void run() {
        Plan known = plan == null ? Plan.of(call) : plan;
        plan = known;
        known.run(call);
      }
    };
  }

  /**
   * One axis of a plane: in each of {@code outer} groups, {@code input} lines of {@code inner} neighbours become {@code
   * output} lines. The taps of an element lie beside each other, or where the axis is the innermost one, equal taps of
   * all elements do.
   */
  private static final class Axis {
    private final int outer;
    private final int input;
    private final int output;
    private final int inner;
    private final int taps;
    private final int[] indexes;
    private final float[] weights;
    /** Whether each line of the result is a copy of a line of the input. */
    private final boolean copiesLines;

    Axis(Attributes attributes, ResizeAxis[] axes, int first, int axis) {
      var found = ResizeTaps.of(attributes, axes[axis]);
      input = Math.toIntExact(axes[axis].input());
      output = Math.toIntExact(axes[axis].output());
      taps = output == 0 ? 0 : found.count(0);
      outer = Math.toIntExact(Arrays.stream(axes, first, axis).mapToLong(ResizeAxis::input).reduce(1,
        Math::multiplyExact));
      inner = Math.toIntExact(Arrays.stream(axes, axis + 1, axes.length).mapToLong(ResizeAxis::output).reduce(1,
        Math::multiplyExact));
      indexes = new int[taps * output];
      weights = new float[taps * output];
      for (int to = 0; to < output; to++) {
        for (int tap = 0; tap < taps; tap++) {
          int at = inner == 1 ? tap * output + to : to * taps + tap;
          indexes[at] = found.index(to, tap);
          weights[at] = (float) found.weight(to, tap);
        }
      }
      copiesLines = inner > 1 && taps == 1;
    }

    /** Copies a line for each element along the axis, from and to lines with these numbers. */
    void copyRow(MemorySegment x, long read, MemorySegment y, long written) {
      int whole = inner <= SHORT_LINE ? SPECIES.loopBound(inner) : 0;
      for (int i = 0; i < whole; i += LANES) {
        for (int to = 0; to < output; to++) {
          store(load(x, (read + indexes[to]) * inner + i), y, (written + to) * inner + i);
        }
      }
      for (int to = 0; whole < inner && to < output; to++) {
        MemorySegment.copy(x, ((read + indexes[to]) * inner + whole) * Float.BYTES, y, ((written + to) * inner + whole)
          * Float.BYTES, (long) (inner - whole) * Float.BYTES);
      }
    }

    /** The first element of the line that a row copies. */
    int copiedFrom(int row) {
      return (row / output * input + indexes[row % output]) * inner;
    }

    /** How many rows the result has; a row is a line, or of the innermost axis all elements along it. */
    int rows() {
      return inner == 1 ? outer : outer * output;
    }

    int width() {
      return inner == 1 ? output : inner;
    }

    void row(float[] from, int row, float[] to, int at) {
      if (inner == 1) {
        gather(from, row * input, to, at);
      } else {
        mix(from, row / output * input, row % output * taps, to, at);
      }
    }

    /** Neighbouring elements of the result from wherever their taps are. */
    private void gather(float[] from, int start, float[] to, int at) {
      int whole = SPECIES.loopBound(output);
      for (int i = 0; i < whole; i += LANES) {
        FloatVector sum = FloatVector.fromArray(SPECIES, from, start, indexes, i).mul(FloatVector.fromArray(SPECIES,
          weights, i));
        for (int tap = output; tap < taps * output; tap += output) {
          sum = FloatVector.fromArray(SPECIES, from, start, indexes, tap + i).fma(FloatVector.fromArray(SPECIES,
            weights, tap + i), sum);
        }
        sum.intoArray(to, at + i);
      }
      for (int i = whole; i < output; i++) {
        float sum = weights[i] * from[start + indexes[i]];
        for (int tap = output; tap < taps * output; tap += output) {
          sum = Math.fma(weights[tap + i], from[start + indexes[tap + i]], sum);
        }
        to[at + i] = sum;
      }
    }

    /** A line from the lines that are its taps. */
    private void mix(float[] from, int firstLine, int tap, float[] to, int at) {
      int whole = SPECIES.loopBound(inner);
      for (int i = 0; i < whole; i += LANES) {
        FloatVector sum = FloatVector.fromArray(SPECIES, from, (firstLine + indexes[tap]) * inner + i).mul(
          weights[tap]);
        for (int k = tap + 1; k < tap + taps; k++) {
          sum = FloatVector.fromArray(SPECIES, from, (firstLine + indexes[k]) * inner + i).fma(FloatVector.broadcast(
            SPECIES, weights[k]), sum);
        }
        sum.intoArray(to, at + i);
      }
      for (int i = whole; i < inner; i++) {
        float sum = weights[tap] * from[(firstLine + indexes[tap]) * inner + i];
        for (int k = tap + 1; k < tap + taps; k++) {
          sum = Math.fma(weights[k], from[(firstLine + indexes[k]) * inner + i], sum);
        }
        to[at + i] = sum;
      }
    }
  }

  /** How every plane is resized; a plane has all axes from the first that changes. */
  private record Plan(long planes, int read, int written, List<Axis> axes) {
    static Plan of(KernelCall call) {
      TensorView x = call.input(0);
      ResizeAxis[] axes = ResizeAxis.of(call.attributes(), x.shape(), optional(call, 1), optional(call, 2), optional(
        call, 3));
      int first = 0;
      while (first < axes.length && axes[first].isUntouched()) {
        first++;
      }
      List<Axis> changed = new ArrayList<>();
      for (int axis = axes.length - 1; axis >= first; axis--) {
        if (!axes[axis].isUntouched()) {
          changed.add(new Axis(call.attributes(), axes, first, axis));
        }
      }
      return new Plan(x.shape().elementCount(0, first), Math.toIntExact(x.shape().elementCount(first, axes.length)),
        Math.toIntExact(call.output(0).shape().elementCount(first, axes.length)), changed);
    }

    private static @Nullable TensorView optional(KernelCall call, int input) {
      return call.has(input) ? call.input(input) : null;
    }

    void run(KernelCall call) {
      MemorySegment x = call.input(0).segment();
      MemorySegment y = call.output(0).segment();
      if (written == 0) {
        return;
      }
      if (axes.isEmpty()) {
        MemorySegment.copy(x, 0, y, 0, planes * written * Float.BYTES);
        return;
      }
      if (copiesLines()) {
        copyLines(call, x, y);
        return;
      }
      CpuStream.of(call).parallel(planes, 1, (from, to) -> {
        float[][] values = new float[axes.size() + 1][];
        values[0] = new float[read];
        for (int i = 0; i < axes.size(); i++) {
          boolean isLast = i == axes.size() - 1;
          values[i + 1] = new float[isLast ? axes.get(i).width() : axes.get(i).rows() * axes.get(i).width()];
        }
        for (long plane = from; plane < to; plane++) {
          MemorySegment.copy(x, FLOAT, plane * read * Float.BYTES, values[0], 0, read);
          resize(values, y, plane * written * Float.BYTES);
        }
      });
    }

    /** Whether each line below one axis, or below two neighbours, is a copy: the pixels of images, channels last. */
    private boolean copiesLines() {
      return axes.size() <= 2 && axes.stream().allMatch(it -> it.copiesLines) && axes.getLast().inner == (axes
        .size() == 1 ? axes.getFirst().inner : axes.getFirst().inner * axes.getFirst().output);
    }

    private void copyLines(KernelCall call, MemorySegment x, MemorySegment y) {
      Axis columns = axes.getFirst();
      int[] rows = axes.size() == 1 ? new int[1] : axes.getLast().indexes;
      int rowsOfPlane = axes.size() == 1 ? 1 : axes.getLast().input;
      long line = (long) columns.inner * Float.BYTES;
      CpuStream.of(call).parallel(planes * rows.length, Math.max(1, GRAIN_BYTES / (columns.output * line)), (from,
        to) -> {
        for (long row = from; row < to; row++) {
          long read = (row / rows.length * rowsOfPlane + rows[(int) (row % rows.length)]) * columns.input;
          columns.copyRow(x, read, y, row * columns.output);
        }
      });
    }

    private void resize(float[][] values, MemorySegment y, long start) {
      int last = axes.size() - 1;
      for (int i = 0; i < last; i++) {
        Axis axis = axes.get(i);
        for (int row = 0; row < axis.rows(); row++) {
          axis.row(values[i], row, values[i + 1], row * axis.width());
        }
      }
      Axis axis = axes.get(last);
      int width = axis.width();
      for (int row = 0; axis.copiesLines && row < axis.rows(); row++) {
        MemorySegment.copy(values[last], axis.copiedFrom(row), y, FLOAT, start + (long) row * width * Float.BYTES,
          width);
      }
      for (int row = 0; !axis.copiesLines && row < axis.rows(); row++) {
        axis.row(values[last], row, values[last + 1], 0);
        MemorySegment.copy(values[last + 1], 0, y, FLOAT, start + (long) row * width * Float.BYTES, width);
      }
    }
  }
}
