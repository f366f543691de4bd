package dev.cairn.kernels.attribute;

import dev.cairn.kernels.tensor.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * How {@code ConvTranspose} spreads each input over a window of outputs: input {@code i} of an axis meets tap {@code t}
 * at output {@code i * stride - padBegin + t * dilation}, where there is such an output.
 *
 * @param axes one for each spatial axis
 */
public record TransposedWindow(List<Axis> axes) {

  /** One spatial axis. */
  public record Axis(int input, int kernel, int stride, int dilation, int padBegin, int output) {
    private Axis fixed(long spread, long extent, String autoPad) {
      long total = Math.max(0, spread - extent);
      return padded(autoPad.equals("SAME_UPPER") ? total / 2 : total - total / 2, extent);
    }

    private Axis padded(long before, long extent) {
      return new Axis(input, kernel, stride, dilation, counted("padding", before), counted("result", extent));
    }

    /** The first input that meets a tap. */
    public int firstInput(int tap) {
      return Math.clamp(Math.ceilDiv(padBegin - (long) tap * dilation, stride), 0, input);
    }

    /** One past the last input that meets a tap. */
    public int endInput(int tap) {
      long end = Math.floorDiv(output - 1L + padBegin - (long) tap * dilation, (long) stride) + 1;
      return Math.clamp(end, firstInput(tap), input);
    }

    /** The output at which an input meets a tap. */
    public int at(int index, int tap) {
      return (int) ((long) index * stride - padBegin + (long) tap * dilation);
    }
  }

  public TransposedWindow {
    axes = List.copyOf(axes);
  }

  /**
   * Reads {@code strides}, {@code dilations}, {@code pads}, {@code output_padding}, {@code output_shape} and
   * {@code auto_pad}. Where the result's extent is given, or fixed by {@code SAME}, the pads follow from it: of an odd
   * number {@code SAME_UPPER} puts the smaller half first, everything else the larger one.
   *
   * @param input {@code N,C,spatial...}
   * @param weights {@code C,M/group,taps...}
   * @throws IllegalArgumentException when an attribute is out of range or has a wrong count
   */
  public static TransposedWindow of(Attributes attributes, Shape input, Shape weights) {
    int rank = input.rank() - 2;
    long[] kernel = Arrays.copyOfRange(weights.extents(), 2, weights.rank());
    WindowForm form = WindowForm.of(attributes);
    if (form.kernel().length > 0 && !Arrays.equals(form.kernel(), kernel)) {
      throw new IllegalArgumentException("kernel_shape is not that of the weights: kernel_shape=%s weights=%s"
        .formatted(Arrays.toString(form.kernel()), weights));
    }
    long[] strides = atLeast(1, "strides", form.strides(rank), rank);
    long[] dilations = atLeast(1, "dilations", form.dilations(rank), rank);
    long[] further = atLeast(0, "output_padding", attributes.getLongs("output_padding", new long[rank]), rank);
    long[] pads = atLeast(0, "pads", form.pads(rank), 2 * rank);
    var axes = new ArrayList<Axis>();
    for (int i = 0; i < rank; i++) {
      long extent = input.extent(i + 2);
      long spread = extent == 0 ? 0 : strides[i] * (extent - 1) + further[i] + (kernel[i] - 1) * dilations[i] + 1;
      var open = new Axis(counted("input", extent), counted("kernel", kernel[i]), (int) strides[i], (int) dilations[i],
        0, 0);
      axes.add(switch (form.autoPad()) {
        case String any when isSized(attributes) -> open.fixed(spread, atLeast(0, "output_shape", attributes.getLongs(
          "output_shape"), rank)[i], any);
        case "NOTSET" -> open.padded(pads[i], spread - pads[i] - pads[i + rank]);
        case "VALID" -> open.padded(0, spread);
        case "SAME_UPPER", "SAME_LOWER" -> open.fixed(spread, extent * strides[i], form.autoPad());
        default -> throw new IllegalArgumentException("no such padding: auto_pad=" + form.autoPad());
      });
    }
    return new TransposedWindow(axes);
  }

  private static int counted(String what, long count) {
    if (count < 0 || count > Integer.MAX_VALUE) {
      throw new IllegalArgumentException("out of range: %s=%d".formatted(what, count));
    }
    return (int) count;
  }

  /** Whether the node gives the extents of its result. */
  public static boolean isSized(Attributes attributes) {
    return attributes.has("output_shape");
  }

  private static long[] atLeast(long least, String name, long[] values, int count) {
    if (values.length != count || Arrays.stream(values).anyMatch(it -> it < least || it > Integer.MAX_VALUE)) {
      throw new IllegalArgumentException("bad attribute: %s=%s wantedCount=%d least=%d".formatted(name, Arrays.toString(
        values), count, least));
    }
    return values;
  }

  public Shape outputShape(long batch, long channels) {
    long[] extents = new long[axes.size() + 2];
    extents[0] = batch;
    extents[1] = channels;
    for (int i = 0; i < axes.size(); i++) {
      extents[i + 2] = axes.get(i).output;
    }
    return Shape.of(extents);
  }
}
