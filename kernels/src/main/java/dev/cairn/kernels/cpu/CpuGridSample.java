package dev.cairn.kernels.cpu;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;

/**
 * {@code GridSample(x, grid)}: images of any number of spatial axes, sampled at positions from -1 to 1 along each axis,
 * the last axis first. Computed in {@code double}; {@code nearest} rounds halves to even.
 */
public final class CpuGridSample implements Kernel {
  private static final double CUBIC = -0.75;

  /** How many elements along an axis make one sample. */
  private enum Mode {
    NEAREST(1),
    LINEAR(2),
    CUBIC(4);

    private final int taps;

    Mode(int taps) {
      this.taps = taps;
    }

    static Mode of(Attributes attributes) {
      return switch (attributes.getText("mode", "linear")) {
        case "nearest" -> NEAREST;
        case "cubic", "bicubic" -> CUBIC;
        default -> LINEAR;
      };
    }
  }

  @Override
  public void run(KernelCall call) {
    TensorView x = call.input(0);
    TensorView grid = call.input(1);
    TensorView y = call.output(0);
    Shape shape = x.shape();
    if (y.elementCount() == 0) {
      return;
    }
    int axes = shape.rank() - 2;
    long channels = shape.extent(1);
    long positions = grid.shape().elementCount(1, axes + 1);
    long plane = shape.elementCount(2, shape.rank());
    CpuStream.of(call).parallel(shape.extent(0) * positions, 64, (first, end) -> {
      var sample = new Sample(call.attributes(), shape);
      double[] position = new double[axes];
      for (long item = first; item < end; item++) {
        for (int axis = 0; axis < axes; axis++) {
          position[axis] = grid.doubleAt(item * axes + axes - 1 - axis);
        }
        sample.place(position);
        long image = item / positions;
        for (long channel = 0; channel < channels; channel++) {
          double[] value = {sample.of(x, (image * channels + channel) * plane)};
          write(value, y, (image * channels + channel) * positions + item % positions);
        }
      }
    });
  }

  private static void write(double[] value, TensorView y, long at) {
    if (y.dtype().isFloat()) {
      Elements.write(value, y, at, 1);
    } else {
      Elements.write(new long[] {(long) value[0]}, y, at, 1);
    }
  }

  /**
   * The elements of a plane that make one sample. A cubic one pads elements, the others positions first. For one
   * thread.
   */
  private static final class Sample {
    private final Mode mode;
    private final String padding;
    private final boolean alignCorners;
    private final long[] extents;
    /** By axis and tap: the index, or -1 for zero, and its weight. */
    private final long[][] indexes;
    private final double[][] weights;

    Sample(Attributes attributes, Shape shape) {
      mode = Mode.of(attributes);
      padding = attributes.getText("padding_mode", "zeros");
      alignCorners = attributes.getFlag("align_corners", false);
      extents = new long[shape.rank() - 2];
      for (int axis = 0; axis < extents.length; axis++) {
        extents[axis] = shape.extent(axis + 2);
      }
      indexes = new long[extents.length][mode.taps];
      weights = new double[extents.length][mode.taps];
    }

    void place(double[] position) {
      for (int axis = 0; axis < extents.length; axis++) {
        long extent = extents[axis];
        double least = alignCorners ? 0 : -0.5;
        double greatest = extent - 1 - least;
        double at = alignCorners
          ? (position[axis] + 1) / 2 * (extent - 1)
          : ((position[axis] + 1) * extent - 1) / 2;
        if (mode != Mode.CUBIC && (at < least || at > greatest)) {
          at = padding.equals("border")
            ? Math.clamp(at, 0.0, Math.max(0.0, extent - 1.0))
            : padding.equals("reflection") ? reflected(at, least, greatest) : at;
        }
        place(axis, at, least, greatest);
      }
    }

    private void place(int axis, double at, double least, double greatest) {
      double base = mode == Mode.NEAREST ? Math.rint(at) : Math.floor(at);
      double part = at - base;
      for (int tap = 0; tap < mode.taps; tap++) {
        double index = base + tap - (mode == Mode.CUBIC ? 1 : 0);
        weights[axis][tap] = switch (mode) {
          case NEAREST -> 1;
          case LINEAR -> tap == 0 ? 1 - part : part;
          case CUBIC -> ResizeTaps.cubic(Math.abs(at - index), CUBIC);
        };
        boolean within = index >= 0 && index < extents[axis];
        indexes[axis][tap] = within ? (long) index : switch (padding) {
          case "border" -> (long) Math.clamp(index, 0.0, Math.max(0.0, extents[axis] - 1.0));
          case "reflection" -> (long) Math.clamp(reflected(index, least, greatest), 0.0, Math.max(0.0, extents[axis]
            - 1.0));
          default -> -1;
        };
      }
    }

    /** Back and forth between two ends. */
    private static double reflected(double at, double least, double greatest) {
      double span = greatest - least;
      if (!(span > 0)) {
        return least;
      }
      double beyond = Math.abs(at < least ? least - at : at - greatest);
      double rest = beyond % span;
      boolean even = (beyond - rest) / span % 2 < 0.5;
      return (at < least) == even ? least + rest : greatest - rest;
    }

    double of(TensorView x, long plane) {
      return along(x, plane, 0, 0);
    }

    private double along(TensorView x, long plane, int axis, long before) {
      double sum = 0;
      for (int tap = 0; tap < mode.taps; tap++) {
        long index = indexes[axis][tap];
        if (index >= 0) {
          long at = before * extents[axis] + index;
          double value = axis == extents.length - 1 ? x.doubleAt(plane + at) : along(x, plane, axis + 1, at);
          sum += mode == Mode.NEAREST ? value : weights[axis][tap] * value;
        }
      }
      return sum;
    }
  }
}
