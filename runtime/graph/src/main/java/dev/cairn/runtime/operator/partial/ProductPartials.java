package dev.cairn.runtime.operator.partial;

import static dev.cairn.runtime.graph.PartialType.OPEN;

import dev.cairn.kernels.attribute.ConvolutionForm;
import dev.cairn.kernels.attribute.GemmForm;
import dev.cairn.kernels.attribute.SlidingWindow;
import dev.cairn.kernels.attribute.TransposedWindow;
import dev.cairn.kernels.attribute.WindowForm;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.runtime.graph.PartialType;
import java.util.Arrays;

/** Matrix products, convolutions and pools. */
public final class ProductPartials {
  /** The most bits of an open extent while windows are counted, and of all extents together. */
  private static final int OPEN_BITS = 30;
  private static final int ALL_BITS = 60;

  private ProductPartials() {}

  public static void matmul(PartialCall call) {
    call.sameElement(0, 1);
    PartialType a = call.operand(0);
    PartialType b = call.operand(1);
    if (a.rank() < 2 || b.rank() < 2) {
      return;
    }
    int rank = Math.max(a.rank(), b.rank());
    long[] result = PartialCall.open(rank);
    for (int axis = 0; axis < rank - 2; axis++) {
      result[axis] = batch(call, a, b, axis, rank);
    }
    result[rank - 2] = a.extent(a.rank() - 2);
    result[rank - 1] = b.extent(b.rank() - 1);
    call.tellResultShape(0, result);
    long[] left = PartialCall.extents(a);
    long[] right = PartialCall.extents(b);
    PartialType y = call.result(0);
    left[left.length - 2] = y.extent(rank - 2);
    left[left.length - 1] = b.extent(b.rank() - 2);
    right[right.length - 2] = a.extent(a.rank() - 1);
    right[right.length - 1] = y.extent(rank - 1);
    call.tellShape(0, left);
    call.tellShape(1, right);
  }

  private static long batch(PartialCall call, PartialType a, PartialType b, int axis, int rank) {
    int atA = axis - (rank - a.rank());
    int atB = axis - (rank - b.rank());
    long left = atA < 0 ? 1 : a.extent(atA);
    long right = atB < 0 ? 1 : b.extent(atB);
    if (left > 1 && right > 1 && left != right) {
      throw call.fault("batches do not broadcast: axis=%d extents=%d,%d".formatted(axis, left, right));
    }
    return left == 1 ? right : right == 1 || left != OPEN ? left : right > 1 ? right : OPEN;
  }

  public static void gemm(PartialCall call) {
    call.sameElement(0, 1, 2);
    call.tellShape(0, OPEN, OPEN);
    call.tellShape(1, OPEN, OPEN);
    GemmForm form = GemmForm.of(call.attributes());
    int rows = form.transA() ? 1 : 0;
    int columns = form.transB() ? 0 : 1;
    call.tellResultShape(0, call.operand(0).extent(rows), call.operand(1).extent(columns));
    PartialType y = call.result(0);
    long inner = call.operand(0).extent(1 - rows) == OPEN
      ? call.operand(1).extent(1 - columns)
      : call.operand(0).extent(1 - rows);
    call.tellShape(0, pair(rows, y.extent(0), inner));
    call.tellShape(1, pair(columns, y.extent(1), inner));
    if (call.has(2) && call.operand(2).rank() < 0 && y.extent(1) != OPEN) {
      call.tellShape(2, y.extent(1));
    }
  }

  /** Two extents, the first at this index. */
  private static long[] pair(int index, long first, long second) {
    return index == 0 ? new long[] {first, second} : new long[] {second, first};
  }

  public static void convolution(PartialCall call) {
    call.sameElement(0, 1, 2);
    int rank = rank(call);
    if (rank < 2) {
      return;
    }
    long group = ConvolutionForm.of(call.attributes()).group();
    long[] x = PartialCall.extents(call.operand(0));
    long[] w = PartialCall.extents(call.operand(1));
    long channels = x[1] != OPEN || w[1] == OPEN ? x[1] : Math.multiplyExact(w[1], group);
    long[] y = spatial(call, x, Arrays.copyOfRange(w, 2, rank));
    y[0] = x[0];
    y[1] = w[0] == OPEN ? channelsOfBias(call) : w[0];
    call.tellResultShape(0, y);
    PartialType known = call.result(0);
    x[0] = known.extent(0);
    x[1] = channels;
    unspatial(call, x, w, known);
    w[0] = known.extent(1);
    w[1] = channels == OPEN || group < 1 ? OPEN : channels / group;
    call.tellShape(0, x);
    call.tellShape(1, w);
    call.tellShape(2, known.extent(1));
  }

  private static long channelsOfBias(PartialCall call) {
    return call.has(2) && call.operand(2).rank() == 1 ? call.operand(2).extent(0) : OPEN;
  }

  /** The common rank of images, weights and results. Adds it to each of them, and the window's size to weights. */
  private static int rank(PartialCall call) {
    long[] kernel = WindowForm.of(call.attributes()).kernel();
    int rank = Math.max(call.operand(0).rank(), Math.max(call.operand(1).rank(), call.result(0).rank()));
    rank = rank < 0 && kernel.length > 0 ? kernel.length + 2 : rank;
    if (rank >= 2) {
      long[] weights = PartialCall.open(rank);
      if (kernel.length == rank - 2) {
        System.arraycopy(kernel, 0, weights, 2, kernel.length);
      }
      call.tellShape(0, PartialCall.open(rank));
      call.tellShape(1, weights);
    }
    return rank;
  }

  /** The extents of windows over images, open where they cannot be counted; batch and channels stay open. */
  private static long[] spatial(PartialCall call, long[] x, long[] taps) {
    long[] result = PartialCall.open(x.length);
    // Larger than any window.
    long large = 1L << Math.min(OPEN_BITS, ALL_BITS / Math.max(1, x.length - 2));
    long[] known = x.clone();
    for (int axis = 0; axis < x.length; axis++) {
      known[axis] = axis < 2 ? 1 : x[axis] == OPEN || (x[axis] == 0) ? large : x[axis];
    }
    if (Arrays.stream(taps).anyMatch(it -> it == OPEN)) {
      return result;
    }
    long[] counted;
    try {
      counted = SlidingWindow.of(call.attributes(), Shape.of(known), taps).outputShape(1, 1).extents();
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw call.fault(String.valueOf(e.getMessage()));
    }
    for (int axis = 2; axis < x.length; axis++) {
      result[axis] = known[axis] == large ? OPEN : counted[axis];
    }
    return result;
  }

  /** Fills in open extents of images that follow from results: where windows move by 1 and padding is given. */
  private static void unspatial(PartialCall call, long[] x, long[] w, PartialType y) {
    int axes = x.length - 2;
    WindowForm form = WindowForm.of(call.attributes());
    long[] strides = form.strides();
    long[] dilations = form.dilations();
    long[] pads = form.pads();
    if (!form.isPadded()) {
      return;
    }
    for (int i = 0; i < axes; i++) {
      boolean byOne = strides.length == 0 || strides[i] == 1;
      if (x[i + 2] == OPEN && byOne && w[i + 2] != OPEN && y.extent(i + 2) != OPEN) {
        long dilation = dilations.length == 0 ? 1 : dilations[i];
        long padding = pads.length == 0 ? 0 : pads[i] + pads[i + axes];
        x[i + 2] = Math.max(0, y.extent(i + 2) + (w[i + 2] - 1) * dilation - padding);
      }
    }
  }

  public static void transposed(PartialCall call) {
    call.sameElement(0, 1, 2);
    int rank = rank(call);
    if (rank < 2) {
      return;
    }
    long group = ConvolutionForm.of(call.attributes()).group();
    long[] x = PartialCall.extents(call.operand(0));
    long[] w = PartialCall.extents(call.operand(1));
    long[] y = unpooled(call, x, w);
    y[0] = x[0];
    y[1] = w[1] == OPEN ? channelsOfBias(call) : Math.multiplyExact(w[1], group);
    call.tellResultShape(0, y);
    PartialType known = call.result(0);
    long channels = x[1] == OPEN ? w[0] : x[1];
    x[0] = known.extent(0);
    x[1] = channels;
    w[0] = channels;
    w[1] = known.extent(1) == OPEN || group < 1 ? OPEN : known.extent(1) / group;
    call.tellShape(0, x);
    call.tellShape(1, w);
    call.tellShape(2, known.extent(1));
  }

  /** The extents of results of a transposed convolution; batch and channels stay open. */
  private static long[] unpooled(PartialCall call, long[] x, long[] w) {
    long[] result = PartialCall.open(x.length);
    boolean known = x.length > 2;
    for (int axis = 2; axis < x.length; axis++) {
      known &= x[axis] != OPEN && w[axis] != OPEN;
    }
    if (known) {
      long[] images = x.clone();
      long[] windows = w.clone();
      Arrays.fill(images, 0, 2, 1);
      Arrays.fill(windows, 0, 2, 1);
      try {
        result = TransposedWindow.of(call.attributes(), Shape.of(images), Shape.of(windows)).outputShape(1, 1)
          .extents();
      } catch (IllegalArgumentException | ArithmeticException e) {
        throw call.fault(String.valueOf(e.getMessage()));
      }
    }
    return result;
  }

  public static void pool(PartialCall call) {
    call.sameElement(0);
    long[] kernel = WindowForm.of(call.attributes()).kernel();
    if (kernel.length == 0) {
      return;
    }
    call.tellShape(0, PartialCall.open(kernel.length + 2));
    long[] x = PartialCall.extents(call.operand(0));
    long[] y = spatial(call, x, kernel);
    y[0] = x[0];
    y[1] = x[1];
    call.tellResultShape(0, y);
    if (call.results() > 1) {
      call.tellResult(1, call.result(0).withoutDType());
    }
    long[] back = PartialCall.open(x.length);
    back[0] = call.result(0).extent(0);
    back[1] = call.result(0).extent(1);
    call.tellShape(0, back);
  }

  public static void globalPool(PartialCall call) {
    call.sameElement(0);
    int rank = Math.max(call.operand(0).rank(), call.result(0).rank());
    if (rank < 2) {
      return;
    }
    call.tellShape(0, PartialCall.open(rank));
    long[] y = new long[rank];
    Arrays.fill(y, 1);
    y[0] = call.operand(0).extent(0);
    y[1] = call.operand(0).extent(1);
    call.tellResultShape(0, y);
    long[] back = PartialCall.open(rank);
    back[0] = call.result(0).extent(0);
    back[1] = call.result(0).extent(1);
    call.tellShape(0, back);
  }
}
