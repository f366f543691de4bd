package dev.cairn.kernels.cpu.image;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.RegionForm;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import java.util.Arrays;

/**
 * The bins of one region of {@code RoiAlign}, in elements of the image. A sample mixes the four elements around it. For
 * one thread.
 */
final class RegionBins {
  private static final int CORNERS = 4;

  private final boolean greatest;
  private final double top;
  private final double left;
  private final double height;
  private final double width;
  private final long rows;
  private final long columns;
  private final long columnsOfBins;
  private final int imageHeight;
  private final int imageWidth;
  private final int[] elements = new int[CORNERS];
  private final double[] weights = new double[CORNERS];
  private boolean isInside;

  /**
   * @param image {@code N,C,H,W}
   * @param result {@code R,C,rows of bins,columns of bins}
   */
  RegionBins(Attributes attributes, TensorView regions, long region, Shape image, Shape result) {
    RegionForm form = RegionForm.of(attributes);
    greatest = form.mode().equals("max");
    double scale = form.scale();
    boolean half = form.coordinates().equals("half_pixel");
    double offset = half ? 0.5 : 0;
    left = regions.doubleAt(region * 4) * scale - offset;
    top = regions.doubleAt(region * 4 + 1) * scale - offset;
    double fullWidth = regions.doubleAt(region * 4 + 2) * scale - offset - left;
    double fullHeight = regions.doubleAt(region * 4 + 3) * scale - offset - top;
    height = (half ? fullHeight : Math.max(fullHeight, 1)) / result.extent(2);
    width = (half ? fullWidth : Math.max(fullWidth, 1)) / result.extent(3);
    long samples = form.samples();
    rows = samples > 0 ? samples : (long) Math.ceil(height);
    columns = samples > 0 ? samples : (long) Math.ceil(width);
    columnsOfBins = result.extent(3);
    imageHeight = Math.toIntExact(image.extent(2));
    imageWidth = Math.toIntExact(image.extent(3));
  }

  /** The mean of a bin's samples, or the greatest of their weighted elements; 0 where there are no samples. */
  double value(double[] plane, int bin) {
    double sum = 0;
    double max = Double.NEGATIVE_INFINITY;
    for (long sample = 0; sample < samples(); sample++) {
      place(bin, sample);
      double[] parts = parts(plane);
      sum += parts[0] + parts[1] + parts[2] + parts[3];
      max = Math.max(max, Arrays.stream(parts).max().orElse(max));
    }
    return samples() == 0 ? 0 : greatest ? max : sum / samples();
  }

  /** Adds a bin's gradient to that of the elements that make its value: of equal parts to the first. */
  void addGradient(double[] plane, int bin, double head, double[] gradient) {
    double max = Double.NEGATIVE_INFINITY;
    int element = -1;
    double weight = 0;
    for (long sample = 0; sample < samples(); sample++) {
      place(bin, sample);
      double[] parts = parts(plane);
      for (int i = 0; i < CORNERS; i++) {
        if (!greatest && isInside) {
          gradient[elements[i]] += head * weights[i] / samples();
        }
        if (greatest && parts[i] > max) {
          max = parts[i];
          element = isInside ? elements[i] : -1;
          weight = weights[i];
        }
      }
    }
    if (element >= 0) {
      gradient[element] += head * weight;
    }
  }

  private long samples() {
    return Math.max(0, rows) * Math.max(0, columns);
  }

  /** The weighted elements around a sample; zeros where it is more than one element outside. */
  private double[] parts(double[] plane) {
    double[] parts = new double[CORNERS];
    for (int i = 0; isInside && i < CORNERS; i++) {
      parts[i] = weights[i] * plane[elements[i]];
    }
    return parts;
  }

  /** Finds the elements around a sample, and their weights. */
  private void place(int bin, long sample) {
    long rowOfBins = bin / columnsOfBins;
    long rowOfBin = sample / columns;
    double y = top + (rowOfBins + (rowOfBin + 0.5) / rows) * height;
    double x = left + (bin % columnsOfBins + (sample % columns + 0.5) / columns) * width;
    isInside = y >= -1 && y <= imageHeight && x >= -1 && x <= imageWidth && imageHeight > 0 && imageWidth > 0;
    int row = (int) Math.min(Math.max(y, 0), imageHeight - 1);
    int column = (int) Math.min(Math.max(x, 0), imageWidth - 1);
    int below = Math.min(row + 1, imageHeight - 1);
    int right = Math.min(column + 1, imageWidth - 1);
    double down = row == below ? 0 : Math.max(y, 0) - row;
    double across = column == right ? 0 : Math.max(x, 0) - column;
    for (int i = 0; i < CORNERS; i++) {
      boolean isBelow = i >= 2;
      boolean isRight = i % 2 == 1;
      elements[i] = (isBelow ? below : row) * imageWidth + (isRight ? right : column);
      weights[i] = (isBelow ? down : 1 - down) * (isRight ? across : 1 - across);
    }
  }
}
