package dev.cairn.kernels.cpu.selection;

import dev.cairn.kernels.attribute.AxisForm;
import dev.cairn.kernels.attribute.BoxSelection;
import dev.cairn.kernels.attribute.CopiedWords;
import dev.cairn.kernels.attribute.DistinctSlices;
import dev.cairn.kernels.attribute.WarpingPath;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.access.LinesAlong;
import dev.cairn.kernels.cpu.access.UnitLoop;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Operators whose results have as many elements as their inputs' values say: {@code NonZero}, {@code Compress},
 * {@code Unique}, {@code NonMaxSuppression}, {@code DynamicTimeWarping}, {@code BifurcationDetector}.
 */
public final class CpuSelection {
  private CpuSelection() {}

  /** The indexes of all elements that are not 0, in row-major order: a row for each axis. A NaN is not 0. */
  public static void nonZero(KernelCall call) {
    TensorView x = call.input(0);
    TensorView y = call.output(0);
    Shape shape = x.shape();
    long found = y.shape().extent(1);
    long column = 0;
    for (long at = 0; at < x.elementCount(); at++) {
      if (x.doubleAt(at) == 0) {
        continue;
      }
      long rest = at;
      for (int axis = shape.rank() - 1; axis >= 0; axis--) {
        setLong(y, axis * found + column, rest % shape.extent(axis));
        rest /= shape.extent(axis);
      }
      column++;
    }
  }

  /** The slices along {@code axis}, or without it the elements, at which the condition is true. */
  public static void compress(KernelCall call) {
    TensorView x = call.input(0);
    TensorView y = call.output(0);
    TensorView condition = call.input(1);
    boolean flat = !AxisForm.ofParts(call.attributes()).isGiven();
    var from = LinesAlong.of(flat ? Shape.of(x.elementCount()) : x.shape(), AxisForm.ofParts(call.attributes()).axis());
    var to = LinesAlong.of(y.shape(), flat ? 0 : AxisForm.ofParts(call.attributes()).axis());
    long[] chosen = LongStream.range(0, condition.elementCount()).filter(i -> condition.longAt(i) != 0).toArray();
    copySlices(x, y, from, to, slice -> chosen[(int) slice]);
  }

  /** @param place which slice of the source becomes a slice of the target */
  private static void copySlices(TensorView x, TensorView y, LinesAlong from, LinesAlong to,
    LongUnaryOperator place) {
    if (y.elementCount() == 0) {
      return;
    }
    var units = new UnitLoop(x.segment(), y.segment(), from.inner() * x.dtype().bytes());
    for (long slice = 0; slice < to.extent(); slice++) {
      long source = place.applyAsLong(slice);
      for (long outer = 0; outer < to.count() / to.inner(); outer++) {
        units.one((outer * from.extent() + source) * units.unit(), (outer * to.extent() + slice) * units.unit());
      }
    }
  }

  /** Distinct slices or elements, where each occurs first, which one each slice is, and how often each occurs. */
  public static void unique(KernelCall call) {
    TensorView x = call.input(0);
    DistinctSlices distinct = DistinctSlices.of(call.attributes(), x);
    int[] first = distinct.first();
    boolean flat = !AxisForm.ofParts(call.attributes()).isGiven();
    long axis = AxisForm.ofParts(call.attributes()).axis();
    copySlices(x, call.output(0), LinesAlong.of(flat ? Shape.of(x.elementCount()) : x.shape(), axis), LinesAlong.of(
      call.output(0).shape(), axis), slice -> first[(int) slice]);
    int[][] others = {first, distinct.inverse(), distinct.counts()};
    for (int output = 1; output < call.outputCount(); output++) {
      for (int i = 0; i < others[output - 1].length; i++) {
        setLong(call.output(output), i, others[output - 1][i]);
      }
    }
  }

  /** Rows of batch, class and box. */
  public static void nonMaxSuppression(KernelCall call) {
    @Nullable
    TensorView[] limits = new TensorView[3];
    for (int i = 0; i < limits.length; i++) {
      limits[i] = call.has(i + 2) ? call.input(i + 2) : null;
    }
    long[] selected = BoxSelection.of(call.attributes(), call.input(0), call.input(1), limits);
    for (int i = 0; i < selected.length; i++) {
      setLong(call.output(0), i, selected[i]);
    }
  }

  /** {@code DynamicTimeWarping}: the rows and columns of a path. */
  public static void warpingPath(KernelCall call) {
    if (call.output(0).elementCount() == 0) {
      return;
    }
    int[] path = WarpingPath.of(call.input(0));
    MemorySegment.copy(path, 0, call.output(0).segment(), ValueLayout.JAVA_INT_UNALIGNED, 0, path.length);
  }

  /** {@code BifurcationDetector}: words, some of them copied, and where the source goes on. */
  public static void copiedWords(KernelCall call) {
    CopiedWords copied = CopiedWords.of(call.attributes(), call.input(0), call.input(1), call.input(2), call.has(3)
      ? call.input(3)
      : null);
    for (int i = 0; i < copied.words().length; i++) {
      setLong(call.output(0), i, copied.words()[i]);
    }
    if (call.outputCount() > 1) {
      setLong(call.output(1), 0, copied.next());
    }
  }

  private static void setLong(TensorView to, long index, long value) {
    to.segment().set(ValueLayout.JAVA_LONG_UNALIGNED, index * Long.BYTES, value);
  }
}
