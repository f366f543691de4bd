package dev.cairn.kernels.cpu.image;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.GridForm;
import dev.cairn.kernels.tensor.Shape;

/**
 * The elements of a plane that make one sample of {@code GridSample}. A cubic one pads elements, the others positions
 * first. For one thread.
 */
public final class GridTaps {
  private static final double CUBIC = -0.75;

  private final Mode mode;
  private final Padding padding;
  private final boolean alignCorners;
  private final long[] extents;
  /** For each axis and tap: the index, or -1 for zero, its weight, and the derivative of the weight by the position. */
  private final long[][] indexes;
  private final double[][] weights;
  private final double[][] slopes;

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
      return switch (GridForm.of(attributes).mode()) {
        case "nearest" -> NEAREST;
        case "cubic", "bicubic" -> CUBIC;
        default -> LINEAR;
      };
    }
  }

  /** Which elements lie outside an image. */
  private enum Padding {
    ZEROS,
    BORDER,
    REFLECTION;

    static Padding of(String mode) {
      return switch (mode) {
        case "border" -> BORDER;
        case "reflection" -> REFLECTION;
        default -> ZEROS;
      };
    }
  }

  /** @param shape of the images, with batch and channels */
  public GridTaps(Attributes attributes, Shape shape) {
    mode = Mode.of(attributes);
    padding = Padding.of(GridForm.of(attributes).padding());
    alignCorners = GridForm.of(attributes).alignsCorners();
    extents = new long[shape.rank() - 2];
    for (int axis = 0; axis < extents.length; axis++) {
      extents[axis] = shape.extent(axis + 2);
    }
    indexes = new long[extents.length][mode.taps];
    weights = new double[extents.length][mode.taps];
    slopes = new double[extents.length][mode.taps];
  }

  /** Spatial axes. */
  public int axes() {
    return extents.length;
  }

  /** Elements along each axis. */
  public int count() {
    return mode.taps;
  }

  /** Whether a sample is one element as it is. */
  public boolean areNearest() {
    return mode == Mode.NEAREST;
  }

  /** The extent of a spatial axis. */
  public long extent(int axis) {
    return extents[axis];
  }

  /** The place of an element along an axis; -1 for a zero outside the image. */
  public long index(int axis, int tap) {
    return indexes[axis][tap];
  }

  /** The weight of an element along an axis. */
  public double weight(int axis, int tap) {
    return weights[axis][tap];
  }

  /** The derivative of an element's weight by the number of the position for this axis. */
  public double slope(int axis, int tap) {
    return slopes[axis][tap];
  }

  /** Finds the elements for a position, with one number from -1 to 1 for each axis. */
  public void place(double[] position) {
    for (int axis = 0; axis < extents.length; axis++) {
      long extent = extents[axis];
      double least = alignCorners ? 0 : -0.5;
      double greatest = extent - 1 - least;
      double at = alignCorners
        ? (position[axis] + 1) / 2 * (extent - 1)
        : ((position[axis] + 1) * extent - 1) / 2;
      double slope = (alignCorners ? extent - 1 : extent) / 2.0;
      if (mode != Mode.CUBIC && (at < least || at > greatest)) {
        switch (padding) {
          case BORDER -> {
            at = Math.clamp(at, 0.0, Math.max(0.0, extent - 1.0));
            slope = 0;
          }
          case REFLECTION -> {
            slope *= isTurned(at, least, greatest) ? -1 : 1;
            at = reflected(at, least, greatest);
          }
          case ZEROS -> {}
        }
      }
      place(axis, at, slope, least, greatest);
    }
  }

  private void place(int axis, double at, double slope, double least, double greatest) {
    double base = mode == Mode.NEAREST ? Math.rint(at) : Math.floor(at);
    double part = at - base;
    for (int tap = 0; tap < mode.taps; tap++) {
      double index = base + tap - (mode == Mode.CUBIC ? 1 : 0);
      weights[axis][tap] = switch (mode) {
        case NEAREST -> 1;
        case LINEAR -> tap == 0 ? 1 - part : part;
        case CUBIC -> ResizeTaps.cubic(Math.abs(at - index), CUBIC);
      };
      slopes[axis][tap] = slope * switch (mode) {
        case NEAREST -> 0;
        case LINEAR -> tap == 0 ? -1 : 1;
        case CUBIC -> Math.signum(at - index) * ResizeTaps.cubicSlope(Math.abs(at - index), CUBIC);
      };
      boolean within = index >= 0 && index < extents[axis];
      indexes[axis][tap] = within ? (long) index : switch (padding) {
        case BORDER -> (long) Math.clamp(index, 0.0, Math.max(0.0, extents[axis] - 1.0));
        case REFLECTION -> (long) Math.clamp(reflected(index, least, greatest), 0.0, Math.max(0.0, extents[axis]
          - 1.0));
        case ZEROS -> -1;
      };
    }
  }

  /** Back and forth between two ends. */
  private static double reflected(double at, double least, double greatest) {
    double span = greatest - least;
    if (!(span > 0)) {
      return least;
    }
    double rest = Math.abs(at < least ? least - at : at - greatest) % span;
    return (at < least) == isTurned(at, least, greatest) ? least + rest : greatest - rest;
  }

  /** Whether a reflected sample moves against its position, so that its derivative changes its sign. */
  private static boolean isTurned(double at, double least, double greatest) {
    double span = greatest - least;
    double beyond = Math.abs(at < least ? least - at : at - greatest);
    return !(span > 0) || (beyond - beyond % span) / span % 2 < 0.5;
  }
}
