package dev.cairn.kernels.attribute;

import dev.cairn.kernels.tensor.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The windows of a convolution or pooling over the spatial axes of a tensor {@code N,C,spatial...}. Window {@code o} of
 * an axis covers the inputs {@code o * stride - padBegin + tap * dilation} for {@code tap} in {@code [0, kernel)}.
 * Positions outside of the input are padding. Immutable.
 *
 * @param axes the spatial axes, in the order of the tensor
 */
public record SlidingWindow(List<Axis> axes) {

  /**
   * One spatial axis, in elements.
   *
   * @param kernel taps of the window
   * @param padBegin padding before the first input, with {@code auto_pad} resolved
   * @param padEnd padding after the last input; with {@code ceil_mode} the last window may reach beyond it
   * @param outputExtent the number of windows
   */
  public record Axis(int kernel, int stride, int padBegin, int padEnd, int dilation, int outputExtent) {
    /** An int counts the elements under a window, and every position that a window covers from the first input on. */
    public Axis {
      long reach = counted("positions", (kernel - 1L) * dilation + 1);
      int _ = counted("positions", Math.max(0, outputExtent - 1L) * stride - padBegin + reach);
    }
  }

  public SlidingWindow {
    axes = List.copyOf(axes);
  }

  /**
   * Reads {@code strides}, {@code dilations}, {@code pads}, {@code auto_pad} and {@code ceil_mode}, with ONNX's
   * meanings and defaults. With {@code ceil_mode}, a last window that would start in the end padding is dropped (ONNX
   * operator set 22). Ignores {@code pads} if {@code auto_pad} is not {@code NOTSET}.
   *
   * @param input {@code N,C,spatial...}, with at least one spatial axis
   * @param kernelShape taps along each spatial axis
   * @throws IllegalArgumentException if an attribute is out of range or has a wrong length, or if no window fits
   */
  public static SlidingWindow of(Attributes attributes, Shape input, long[] kernelShape) {
    int rank = input.rank() - 2;
    if (rank < 1) {
      throw new IllegalArgumentException("a window needs a spatial axis after N and C: input=" + input);
    }
    WindowForm form = WindowForm.of(attributes);
    if (form.kernel().length > 0 && !Arrays.equals(form.kernel(), kernelShape)) {
      throw new IllegalArgumentException("kernel_shape is not that of the weights: kernel_shape=%s weights=%s"
        .formatted(Arrays.toString(form.kernel()), Arrays.toString(kernelShape)));
    }
    int[] kernel = atLeast(1, "kernel_shape", kernelShape, rank);
    int[] strides = atLeast(1, "strides", form.strides(rank), rank);
    int[] dilations = atLeast(1, "dilations", form.dilations(rank), rank);
    int[] pads = form.isPadded() ? atLeast(0, "pads", form.pads(rank), 2 * rank) : new int[2 * rank];
    var axes = new ArrayList<Axis>(rank);
    for (int i = 0; i < rank; i++) {
      var unpadded = new Axis(kernel[i], strides[i], 0, 0, dilations[i], 0);
      long extent = input.extent(i + 2);
      axes.add(switch (form.autoPad()) {
        case "NOTSET", "VALID" -> padded(unpadded, extent, pads[i], pads[i + rank], form.roundsUp());
        case "SAME_UPPER" -> same(unpadded, extent, false);
        case "SAME_LOWER" -> same(unpadded, extent, true);
        default -> throw new IllegalArgumentException("no such padding: auto_pad=" + form.autoPad());
      });
    }
    return new SlidingWindow(axes);
  }

  /**
   * The windows of a pool, whose size is the attribute {@code kernel_shape}.
   *
   * @throws IllegalArgumentException as {@link #of}, or if the attribute is missing
   */
  public static SlidingWindow ofPool(Attributes attributes, Shape input) {
    return of(attributes, input, WindowForm.of(attributes).kernel());
  }

  /** The windows of a convolution. The weights {@code M,C/group,kernel...} give the number of taps. */
  public static SlidingWindow ofWeights(Attributes attributes, Shape input, Shape weights) {
    return of(attributes, input, Arrays.copyOfRange(weights.extents(), Math.min(2, weights.rank()), weights.rank()));
  }

  private static Axis padded(Axis axis, long extent, int padBegin, int padEnd, boolean roundUp) {
    long reach = (axis.kernel - 1L) * axis.dilation + 1;
    long slack = extent + padBegin + padEnd - reach;
    // With ceil_mode, a window that is longer than the input by less than a stride is the only window.
    if (slack < 0 && (!roundUp || slack <= -axis.stride)) {
      throw new IllegalArgumentException(
        "the window is larger than the padded input: window=%d padded=%d".formatted(reach, slack + reach));
    }
    long count = (roundUp ? Math.ceilDiv(slack, (long) axis.stride) : slack / axis.stride) + 1;
    if (roundUp && (count - 1) * axis.stride >= extent + padBegin) {
      count--;
    }
    return new Axis(axis.kernel, axis.stride, padBegin, padEnd, axis.dilation, counted("windows", count));
  }

  private static int counted(String what, long count) {
    if (count > Integer.MAX_VALUE) {
      throw new IllegalArgumentException("the window makes more than an int counts: %s=%d".formatted(what, count));
    }
    return (int) count;
  }

  /** An axis with one window for each stride that begins in the input. Odd padding goes before or after the input. */
  private static Axis same(Axis axis, long extent, boolean oddBefore) {
    long count = Math.ceilDiv(extent, (long) axis.stride);
    long reach = (axis.kernel - 1L) * axis.dilation + 1;
    int total = counted("padding", Math.max(0, (count - 1) * axis.stride + reach - extent));
    int before = oddBefore ? total - total / 2 : total / 2;
    return new Axis(axis.kernel, axis.stride, before, total - before, axis.dilation, counted("windows", count));
  }

  private static int[] atLeast(int least, String name, long[] values, int count) {
    boolean good = values.length == count;
    for (long value : values) {
      good &= value >= least && value <= Integer.MAX_VALUE;
    }
    if (!good) {
      throw new IllegalArgumentException(
        "bad attribute: %s=%s wantedCount=%d least=%d".formatted(name, Arrays.toString(values), count, least));
    }
    return Arrays.stream(values).mapToInt(Math::toIntExact).toArray();
  }

  /** The number of spatial axes. */
  public int rank() {
    return axes.size();
  }

  /** Taps along a spatial axis; axis 0 is the first after {@code N,C}. */
  public int kernel(int axis) {
    return axes.get(axis).kernel;
  }

  public int stride(int axis) {
    return axes.get(axis).stride;
  }

  public int padBegin(int axis) {
    return axes.get(axis).padBegin;
  }

  public int padEnd(int axis) {
    return axes.get(axis).padEnd;
  }

  public int dilation(int axis) {
    return axes.get(axis).dilation;
  }

  /** The number of windows along a spatial axis. */
  public int outputExtent(int axis) {
    return axes.get(axis).outputExtent;
  }

  /** The shape of the output: its spatial extents are the numbers of windows. */
  public Shape outputShape(long batch, long channels) {
    long[] extents = new long[rank() + 2];
    extents[0] = batch;
    extents[1] = channels;
    for (int axis = 0; axis < rank(); axis++) {
      extents[axis + 2] = outputExtent(axis);
    }
    return Shape.of(extents);
  }

  /** The input under tap 0 of window {@code output}; negative in the padding before the input. */
  public int start(int axis, int output) {
    Axis a = axes.get(axis);
    return output * a.stride - a.padBegin;
  }

  /** The first tap of window {@code output} that is not in the padding before the input. */
  public int firstTap(int axis, int output) {
    Axis a = axes.get(axis);
    int start = output * a.stride - a.padBegin;
    return start >= 0 ? 0 : Math.min(a.kernel, Math.ceilDiv(-start, a.dilation));
  }

  /** One past the last tap of window {@code output} before the end of the input; at least {@link #firstTap}. */
  public int endTap(int axis, int output, int inputExtent) {
    Axis a = axes.get(axis);
    long room = inputExtent + (long) a.padBegin - (long) output * a.stride;
    long end = room <= 0 ? 0 : Math.min(a.kernel, Math.ceilDiv(room, a.dilation));
    return Math.max((int) end, firstTap(axis, output));
  }
}
