package dev.cairn.kernels.cpu.image;

import dev.cairn.kernels.attribute.RegionForm;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.access.Elements;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;

/**
 * {@code MaxRoiPool(x, rois)}: the maxima of the bins of regions, which begin and end at whole elements. A region is
 * the index of an image and two corners. A bin without elements is 0.
 */
public final class CpuRegionPool implements Kernel {
  private static final int REGION = 5;

  /** @throws IllegalArgumentException if there is no such image */
  @Override
  public void run(KernelCall call) {
    TensorView y = call.output(0);
    Shape shape = y.shape();
    long channels = shape.extent(1);
    int bins = Math.toIntExact(shape.elementCount(2, 4));
    CpuStream.of(call).parallel(shape.extent(0) * channels, 1, (first, end) -> {
      double[] results = new double[bins];
      for (long item = first; item < end; item++) {
        pool(call, item / channels, item % channels, results);
        Elements.write(results, y, item * bins, bins);
      }
    });
  }

  private static void pool(KernelCall call, long region, long channel, double[] results) {
    TensorView x = call.input(0);
    TensorView regions = call.input(1);
    double scale = RegionForm.of(call.attributes()).scale();
    long image = (long) regions.doubleAt(region * REGION);
    if (image < 0 || image >= x.shape().extent(0)) {
      throw new IllegalArgumentException(
        "a region names an image outside the batch: region=%d image=%d images=%d".formatted(region, image, x.shape()
          .extent(0)));
    }
    int height = Math.toIntExact(x.shape().extent(2));
    int width = Math.toIntExact(x.shape().extent(3));
    double[] plane = new double[height * width];
    Elements.read(x, (image * x.shape().extent(1) + channel) * plane.length, plane, plane.length);
    long[] corner = new long[REGION];
    for (int i = 1; i < REGION; i++) {
      corner[i] = Math.round(regions.doubleAt(region * REGION + i) * scale);
    }
    int rows = Math.toIntExact(call.output(0).shape().extent(2));
    int columns = results.length / rows;
    for (int bin = 0; bin < results.length; bin++) {
      int[] y = range(corner[2], corner[4], bin / columns, rows, height);
      int[] across = range(corner[1], corner[3], bin % columns, columns, width);
      double most = Double.NEGATIVE_INFINITY;
      for (int row = y[0]; row < y[1]; row++) {
        for (int column = across[0]; column < across[1]; column++) {
          most = Math.max(most, plane[row * width + column]);
        }
      }
      results[bin] = y[0] < y[1] && across[0] < across[1] ? most : 0;
    }
  }

  /** The first element of a bin, and the one after its last. */
  private static int[] range(long begin, long end, int bin, int bins, int extent) {
    double size = (double) Math.max(1, end - begin + 1) / bins;
    return new int[] {Math.clamp((long) Math.floor(bin * size) + begin, 0, extent), Math.clamp((long) Math.ceil((bin
      + 1) * size) + begin, 0, extent)};
  }
}
