package dev.cairn.kernels.cpu.image;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.ResizeAxis;
import dev.cairn.kernels.attribute.ResizeForm;
import java.util.Arrays;

/**
 * Which elements along an axis of the input make each element of the output, and by what weights. An element without
 * taps lies outside the region that is resized.
 */
public final class ResizeTaps {
  private static final int[] NO_INDEXES = {};
  private static final double[] NO_WEIGHTS = {};

  private final int[][] indexes;
  private final double[][] weights;

  private ResizeTaps(int count) {
    indexes = new int[count][];
    weights = new double[count][];
  }

  /** How many elements of the input make an element of the output. */
  public int count(int output) {
    return indexes[output].length;
  }

  /** The place of such an element. */
  public int index(int output, int tap) {
    return indexes[output][tap];
  }

  /** The weight of a tap. */
  public double weight(int output, int tap) {
    return weights[output][tap];
  }

  /** The taps of one axis. */
  public static ResizeTaps of(Attributes attributes, ResizeAxis axis) {
    int count = Math.toIntExact(axis.output());
    var taps = new ResizeTaps(count);
    ResizeForm form = ResizeForm.of(attributes);
    for (int i = 0; i < count; i++) {
      double position = axis.position(form.coordinates(), i);
      if (form.crops() && (position < 0 || position > axis.input() - 1)) {
        taps.indexes[i] = NO_INDEXES;
        taps.weights[i] = NO_WEIGHTS;
      } else {
        taps.set(i, form, axis, position);
      }
    }
    return taps;
  }

  private void set(int output, ResizeForm form, ResizeAxis axis, double position) {
    int last = Math.toIntExact(axis.input() - 1);
    if (form.isNearest()) {
      double nearest = nearest(form.rounding(), axis, position);
      indexes[output] = new int[] {(int) Math.clamp(nearest, 0, last)};
      weights[output] = new double[] {1};
      return;
    }
    double stretch = form.smooths() ? Math.min(axis.scale(), 1) : 1;
    int reach = form.mode().equals("cubic") ? 2 : 1;
    long base = (long) Math.floor(position);
    long first = base + (long) Math.floor(-reach / stretch) + 1;
    int count = Math.toIntExact(2 * (base - first + 1));
    int[] places = new int[count];
    double[] shares = new double[count];
    boolean within = form.excludesOutside();
    for (int i = 0; i < count; i++) {
      double distance = Math.abs(first + i - position) * stretch;
      places[i] = Math.clamp(first + i, 0, last);
      boolean counts = !within || places[i] == first + i;
      shares[i] = !counts
        ? 0
        : reach == 1
          ? Math.max(0, 1 - distance)
          : cubic(distance, form.cubic());
    }
    double sum = Arrays.stream(shares).sum();
    indexes[output] = places;
    weights[output] = within || stretch < 1 ? Arrays.stream(shares).map(share -> share / sum).toArray() : shares;
  }

  private static double nearest(String mode, ResizeAxis axis, double position) {
    return switch (mode) {
      case "round_prefer_floor" -> Math.ceil(position - 0.5);
      case "round_prefer_ceil" -> Math.floor(position + 0.5);
      case "floor" -> Math.floor(position);
      case "ceil" -> Math.ceil(position);
      case ResizeAxis.FLOOR_OR_CEIL -> axis.scale() < 1 ? Math.ceil(position) : Math.floor(position);
      default -> throw new IllegalArgumentException("no such mode: nearest_mode=" + mode);
    };
  }

  /** Keys's cubic convolution. */
  static double cubic(double distance, double a) {
    if (distance <= 1) {
      return ((a + 2) * distance - (a + 3)) * distance * distance + 1;
    }
    return distance < 2 ? ((a * distance - 5 * a) * distance + 8 * a) * distance - 4 * a : 0;
  }

  /** The derivative of {@link #cubic} by the distance. */
  static double cubicSlope(double distance, double a) {
    if (distance <= 1) {
      return (3 * (a + 2) * distance - 2 * (a + 3)) * distance;
    }
    return distance < 2 ? (3 * a * distance - 10 * a) * distance + 8 * a : 0;
  }
}
