package dev.cairn.kernels.cpu.image;

import dev.cairn.kernels.attribute.GridForm;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.access.Elements;
import dev.cairn.kernels.cpu.access.IndexInput;
import dev.cairn.kernels.cpu.access.Strided;
import dev.cairn.kernels.cpu.access.StridedCopy;
import dev.cairn.kernels.cpu.team.CpuStream;
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
        var bin = new RegionBins(call.attributes(), call.input(1), region, x.shape(), shape);
        for (int i = 0; i < bins; i++) {
          results[i] = bin.value(plane, i);
        }
        Elements.write(results, y, item * bins, bins);
      }
    });
  }

  /**
   * {@code RoiAlignGradient(h, x, rois, batch_indices)}: the gradient of the images of a {@code RoiAlign}, whose result
   * has the gradient {@code h}. A thread takes one plane and adds the bins of its regions in their order.
   *
   * @throws IllegalArgumentException when there is no such image
   */
  public static void roiAlignGradient(KernelCall call) {
    TensorView h = call.input(0);
    TensorView x = call.input(1);
    TensorView gradient = call.output(0);
    if (gradient.elementCount() == 0) {
      return;
    }
    var indexes = new IndexInput(call.input(3));
    int channels = Math.toIntExact(x.shape().extent(1));
    int bins = Math.toIntExact(h.shape().elementCount(2, 4));
    long[] images = new long[Math.toIntExact(h.shape().extent(0))];
    Arrays.setAll(images, region -> indexes.at(region, x.shape().extent(0)));
    CpuStream.of(call).parallel(x.shape().extent(0) * channels, 1, (first, end) -> {
      double[] plane = new double[Math.toIntExact(x.shape().elementCount(2, 4))];
      double[] sums = new double[plane.length];
      for (long item = first; item < end; item++) {
        Elements.read(x, item * plane.length, plane, plane.length);
        Arrays.fill(sums, 0);
        for (int region = 0; region < images.length; region++) {
          if (images[region] == item / channels) {
            var bin = new RegionBins(call.attributes(), call.input(2), region, x.shape(), h.shape());
            long heads = ((long) region * channels + item % channels) * bins;
            for (int i = 0; i < bins; i++) {
              bin.addGradient(plane, i, h.doubleAt(heads + i), sums);
            }
          }
        }
        Elements.write(sums, gradient, item * plane.length, plane.length);
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
    boolean alignCorners = GridForm.of(call.attributes()).alignsCorners();
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
}
