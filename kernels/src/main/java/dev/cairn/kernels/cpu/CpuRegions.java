package dev.cairn.kernels.cpu;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import java.util.Arrays;

/** Regions of images, and where to sample them: {@code RoiAlign}, {@code AffineGrid}, {@code CenterCropPad}. */
public final class CpuRegions {
  private CpuRegions() {}

  /**
   * {@code RoiAlign(x, rois, batch_indices)}: the mean, or with mode {@code max} the maximum, of samples in each bin
   * of a region. A sample mixes the four elements around it; the maximum is that of their weighted values.
   *
   * @throws IllegalArgumentException when there is no such image
   */
  public static void roiAlign(KernelCall call) {
    TensorView x = call.input(0);
    TensorView y = call.output(0);
    Shape shape = y.shape();
    if (y.elementCount() == 0) {
      return;
    }
    var images = new IndexInput(call.input(2));
    long channels = shape.extent(1);
    int bins = Math.toIntExact(shape.elementCount(2, 4));
    CpuStream.of(call).parallel(shape.extent(0) * channels, 1, (first, end) -> {
      double[] results = new double[bins];
      double[] plane = new double[Math.toIntExact(x.shape().elementCount(2, 4))];
      for (long item = first; item < end; item++) {
        long region = item / channels;
        long image = images.at(region, x.shape().extent(0));
        Elements.read(x, (image * channels + item % channels) * plane.length, plane, plane.length);
        var bin = new RegionBins(call.attributes(), call.input(1), region, shape);
        for (int i = 0; i < bins; i++) {
          results[i] = bin.value(plane, x.shape(), i);
        }
        Elements.write(results, y, item * bins, bins);
      }
    });
  }

  /**
   * {@code AffineGrid(theta, size)}: each position from -1 to 1 along the axes, the last first, transformed. A single
   * element is in the middle.
   */
  public static void affineGrid(KernelCall call) {
    TensorView theta = call.input(0);
    TensorView grid = call.output(0);
    Shape shape = grid.shape();
    boolean alignCorners = call.attributes().getFlag("align_corners", false);
    int axes = shape.rank() - 2;
    double[] position = new double[axes + 1];
    double[] result = new double[axes];
    position[axes] = 1;
    long positions = shape.elementCount(1, axes + 1);
    for (long item = 0; item < shape.extent(0) * positions; item++) {
      long rest = item % positions;
      for (int axis = axes; axis >= 1; axis--) {
        long extent = shape.extent(axis);
        long index = rest % extent;
        rest /= extent;
        position[axes - axis] = alignCorners
          ? extent == 1 ? 0 : 2.0 * index / (extent - 1) - 1
          : (2.0 * index + 1) / extent - 1;
      }
      for (int row = 0; row < axes; row++) {
        result[row] = 0;
        for (int i = 0; i <= axes; i++) {
          result[row] += theta.doubleAt((item / positions * axes + row) * (axes + 1) + i) * position[i];
        }
      }
      Elements.write(result, grid, item * axes, axes);
    }
  }

  /** {@code CenterCropPad(x, extents)}: the middle of the input in the middle of zeros, axis by axis. */
  public static void centerCropPad(KernelCall call) {
    TensorView x = call.input(0);
    TensorView y = call.output(0);
    long[] from = x.shape().extents();
    long[] to = y.shape().extents();
    long[] kept = new long[from.length];
    long begin = 0;
    long target = 0;
    long[] strides = Strided.strides(from);
    long[] targetStrides = Strided.strides(to);
    for (int axis = 0; axis < from.length; axis++) {
      kept[axis] = Math.min(from[axis], to[axis]);
      begin += (from[axis] - kept[axis]) / 2 * strides[axis];
      target += (to[axis] - kept[axis]) / 2 * targetStrides[axis];
    }
    if (!Arrays.equals(kept, to)) {
      y.segment().fill((byte) 0);
    }
    StridedCopy.run(CpuStream.of(call), x.dtype().bytes(), kept, Strided.of(x).shifted(begin), Strided.of(y).shifted(
      target));
  }

  /** The bins of one region, in elements of the image. */
  private static final class RegionBins {
    private final boolean greatest;
    private final double top;
    private final double left;
    private final double height;
    private final double width;
    private final long rows;
    private final long columns;
    private final long columnsOfBins;

    RegionBins(Attributes attributes, TensorView regions, long region, Shape result) {
      greatest = attributes.getText("mode", "avg").equals("max");
      double scale = attributes.getFloat("spatial_scale", 1);
      boolean half = attributes.getText("coordinate_transformation_mode", "half_pixel").equals("half_pixel");
      double offset = half ? 0.5 : 0;
      left = regions.doubleAt(region * 4) * scale - offset;
      top = regions.doubleAt(region * 4 + 1) * scale - offset;
      double fullWidth = regions.doubleAt(region * 4 + 2) * scale - offset - left;
      double fullHeight = regions.doubleAt(region * 4 + 3) * scale - offset - top;
      height = (half ? fullHeight : Math.max(fullHeight, 1)) / result.extent(2);
      width = (half ? fullWidth : Math.max(fullWidth, 1)) / result.extent(3);
      long samples = attributes.getLong("sampling_ratio", 0);
      rows = samples > 0 ? samples : (long) Math.ceil(height);
      columns = samples > 0 ? samples : (long) Math.ceil(width);
      columnsOfBins = result.extent(3);
    }

    double value(double[] plane, Shape image, int bin) {
      double sum = 0;
      double max = Double.NEGATIVE_INFINITY;
      int imageHeight = Math.toIntExact(image.extent(2));
      int imageWidth = Math.toIntExact(image.extent(3));
      long rowOfBins = bin / columnsOfBins;
      for (long row = 0; row < rows; row++) {
        double y = top + (rowOfBins + (row + 0.5) / rows) * height;
        for (long column = 0; column < columns; column++) {
          double x = left + (bin % columnsOfBins + (column + 0.5) / columns) * width;
          double[] parts = parts(plane, imageHeight, imageWidth, y, x);
          sum += parts[0] + parts[1] + parts[2] + parts[3];
          max = Math.max(max, Arrays.stream(parts).max().orElse(max));
        }
      }
      boolean none = rows <= 0 || columns <= 0;
      return none ? 0 : greatest ? max : sum / (rows * columns);
    }

    /** The weighted elements around a position; zeros where it is more than one element outside. */
    private static double[] parts(double[] plane, int height, int width, double y, double x) {
      if (!(y >= -1 && y <= height && x >= -1 && x <= width) || plane.length == 0) {
        return new double[4];
      }
      int row = (int) Math.min(Math.max(y, 0), height - 1);
      int column = (int) Math.min(Math.max(x, 0), width - 1);
      int below = Math.min(row + 1, height - 1);
      int right = Math.min(column + 1, width - 1);
      double down = row == below ? 0 : Math.max(y, 0) - row;
      double across = column == right ? 0 : Math.max(x, 0) - column;
      return new double[] {(1 - down) * (1 - across) * plane[row * width + column], (1 - down) * across * plane[row
        * width + right], down * (1 - across) * plane[below * width + column], down * across * plane[below * width
          + right]};
    }
  }
}
