package dev.cairn.kernels.attribute;

import dev.cairn.kernels.tensor.TensorView;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Which boxes {@code NonMaxSuppression} selects. A box counts when its score is greater than the threshold; boxes are
 * taken by falling score, ties by lower index, unless they overlap one that is taken by more than the IoU threshold.
 */
public final class BoxSelection {
  private final TensorView boxes;
  private final TensorView scores;
  private final long most;
  private final double overlap;
  private final double threshold;
  private final boolean centred;

  private BoxSelection(TensorView boxes, TensorView scores, long most, double overlap, double threshold,
    boolean centred) {
    this.boxes = boxes;
    this.scores = scores;
    this.most = most;
    this.overlap = overlap;
    this.threshold = threshold;
    this.centred = centred;
  }

  /**
   * @param boxes {@code [batch,box,4]}: two opposite corners {@code y,x,y,x}, or with attribute
   * {@code center_point_box} centre and size {@code x,y,width,height}
   * @param scores {@code [batch,class,box]}
   * @param limits boxes of each class (default 0), IoU threshold (0) and score threshold (none); null where left out
   * @return triples of batch, class and box
   */
  public static long[] of(Attributes attributes, TensorView boxes, TensorView scores, @Nullable TensorView... limits) {
    return new BoxSelection(boxes, scores, limits[0] == null ? 0 : limits[0].longAt(0),
      limits[1] == null ? 0 : limits[1].doubleAt(0),
      limits[2] == null ? Double.NEGATIVE_INFINITY : limits[2].doubleAt(0),
      attributes.getFlag("center_point_box", false)).all();
  }

  private long[] all() {
    var selected = LongStream.builder();
    int count = Math.toIntExact(boxes.shape().extent(1));
    for (long batch = 0; batch < boxes.shape().extent(0); batch++) {
      double[][] corners = corners(batch, count);
      for (long group = 0; group < scores.shape().extent(1); group++) {
        for (int box : ofClass(corners, (batch * scores.shape().extent(1) + group) * count)) {
          selected.add(batch).add(group).add(box);
        }
      }
    }
    return selected.build().toArray();
  }

  /** Least and greatest y and x, and the area, of each box. */
  private double[][] corners(long batch, int count) {
    double[][] corners = new double[count][];
    for (int box = 0; box < count; box++) {
      double[] given = new double[4];
      for (int i = 0; i < 4; i++) {
        given[i] = boxes.doubleAt((batch * count + box) * 4 + i);
      }
      double[] ends = centred
        ? new double[] {given[1] - given[3] / 2, given[0] - given[2] / 2, given[1] + given[3] / 2, given[0] + given[2]
          / 2}
        : given;
      double top = Math.min(ends[0], ends[2]);
      double left = Math.min(ends[1], ends[3]);
      double bottom = Math.max(ends[0], ends[2]);
      double right = Math.max(ends[1], ends[3]);
      corners[box] = new double[] {top, left, bottom, right, (bottom - top) * (right - left)};
    }
    return corners;
  }

  private int[] ofClass(double[][] corners, long firstScore) {
    double[] score = new double[corners.length];
    Arrays.setAll(score, box -> scores.doubleAt(firstScore + box));
    int[] order = IntStream.range(0, score.length).filter(box -> score[box] > threshold).boxed()
      .sorted(Comparator.comparingDouble((Integer box) -> -score[box])).mapToInt(Integer::intValue).toArray();
    int[] taken = new int[Math.clamp(most, 0, order.length)];
    int count = 0;
    for (int i = 0; i < order.length && count < taken.length; i++) {
      boolean clear = true;
      for (int k = count - 1; clear && k >= 0; k--) {
        clear = !(overlapOf(corners[order[i]], corners[taken[k]]) > overlap);
      }
      if (clear) {
        taken[count++] = order[i];
      }
    }
    return Arrays.copyOf(taken, count);
  }

  /** Intersection over union; 0 for a box without an area. */
  private static double overlapOf(double[] a, double[] b) {
    double height = Math.min(a[2], b[2]) - Math.max(a[0], b[0]);
    double width = Math.min(a[3], b[3]) - Math.max(a[1], b[1]);
    if (height <= 0 || width <= 0 || a[4] <= 0 || b[4] <= 0) {
      return 0;
    }
    double both = height * width;
    return both / (a[4] + b[4] - both);
  }
}
