package dev.cairn.kernels.attribute;

import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Which boxes {@code NonMaxSuppression} selects. A box counts when its score is greater than the threshold; boxes are
 * taken by falling score, ties by lower index, unless they overlap one that is taken by more than the IoU threshold.
 */
public final class BoxSelection {
  private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;
  /** Far more than the rounding of a few sums, and far less than the precision of a float. */
  private static final double SLACK = 0x1p-40;

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
    long[] waiting = new long[count];
    var taken = new Taken(Math.clamp(most, 0, count));
    for (long batch = 0; batch < boxes.shape().extent(0); batch++) {
      for (long group = 0; group < scores.shape().extent(1); group++) {
        long first = (batch * scores.shape().extent(1) + group) * count;
        taken.fill(waiting, above(first, waiting), batch * count);
        for (int i = 0; i < taken.count; i++) {
          selected.add(batch).add(group).add(taken.boxes[i]);
        }
      }
    }
    return selected.build().toArray();
  }

  /** Keys of the boxes whose score is above the threshold; a key is the order of the score, then the box. */
  private int above(long firstScore, long[] keys) {
    MemorySegment from = scores.segment();
    int count = 0;
    for (int box = 0; box < keys.length; box++) {
      float score = from.get(FLOAT, (firstScore + box) * Float.BYTES);
      if (score > threshold) {
        int bits = Float.floatToRawIntBits(score);
        keys[count++] = (long) ~(bits ^ ((bits >> 31) & Integer.MAX_VALUE)) << Integer.SIZE | box;
      }
    }
    return count;
  }

  /** Moves a key down to its place in a heap with the least key on top. */
  private static void sink(long[] heap, int from, int size) {
    long moved = heap[from];
    int at = from;
    while (2 * at + 1 < size) {
      int child = 2 * at + 1;
      if (child + 1 < size && heap[child + 1] < heap[child]) {
        child++;
      }
      if (heap[child] >= moved) {
        break;
      }
      heap[at] = heap[child];
      at = child;
    }
    heap[at] = moved;
  }

  /** The boxes that are taken of one class. */
  private final class Taken {
    private final int[] boxes;
    private final double[] tops;
    private final double[] lefts;
    private final double[] bottoms;
    private final double[] rights;
    private final double[] areas;
    /**
     * For each axis, the middle of each box, how far it reaches from there, and more than rounding may lose of both.
     */
    private final double[] middlesY;
    private final double[] middlesX;
    private final double[] reachesY;
    private final double[] reachesX;
    /** Whether each taken box may overlap the next one: then both numbers have no sign. */
    private final double[] nearY;
    private final double[] nearX;
    private int count;

    Taken(int most) {
      boxes = new int[most];
      tops = new double[most];
      lefts = new double[most];
      bottoms = new double[most];
      rights = new double[most];
      areas = new double[most];
      middlesY = new double[most];
      middlesX = new double[most];
      reachesY = new double[most];
      reachesX = new double[most];
      nearY = new double[most];
      nearX = new double[most];
    }

    /** Only as many boxes are brought into order as are looked at. */
    void fill(long[] heap, int waiting, long firstBox) {
      count = 0;
      for (int i = waiting / 2 - 1; i >= 0; i--) {
        sink(heap, i, waiting);
      }
      for (int size = waiting; size > 0 && count < boxes.length; size--) {
        int box = (int) heap[0];
        heap[0] = heap[size - 1];
        sink(heap, 0, size - 1);
        place(firstBox + box);
        if (isClear()) {
          boxes[count++] = box;
        }
      }
    }

    /** Least and greatest y and x, and the area, of the box that comes next. */
    private void place(long box) {
      double first = corner(box, 0);
      double second = corner(box, 1);
      double third = corner(box, 2);
      double fourth = corner(box, 3);
      double y = centred ? second - fourth / 2 : first;
      double x = centred ? first - third / 2 : second;
      double otherY = centred ? second + fourth / 2 : third;
      double otherX = centred ? first + third / 2 : fourth;
      tops[count] = Math.min(y, otherY);
      lefts[count] = Math.min(x, otherX);
      bottoms[count] = Math.max(y, otherY);
      rights[count] = Math.max(x, otherX);
      areas[count] = (bottoms[count] - tops[count]) * (rights[count] - lefts[count]);
      middlesY[count] = (tops[count] + bottoms[count]) / 2;
      middlesX[count] = (lefts[count] + rights[count]) / 2;
      reachesY[count] = reach(tops[count], bottoms[count]);
      reachesX[count] = reach(lefts[count], rights[count]);
    }

    private static double reach(double least, double most) {
      return (most - least) / 2 + SLACK * (Math.abs(least) + Math.abs(most));
    }

    private double corner(long box, int which) {
      return BoxSelection.this.boxes.segment().get(FLOAT, (box * 4 + which) * Float.BYTES);
    }

    /** Finds near boxes. Its loops have no branches and no comparisons, so that the compiler makes vectors of them. */
    private void findNear() {
      double middleY = middlesY[count];
      double reachY = reachesY[count];
      double middleX = middlesX[count];
      double reachX = reachesX[count];
      for (int i = 0; i < count; i++) {
        nearY[i] = reachesY[i] + reachY - Math.abs(middlesY[i] - middleY);
      }
      for (int i = 0; i < count; i++) {
        nearX[i] = reachesX[i] + reachX - Math.abs(middlesX[i] - middleX);
      }
    }

    private boolean isClear() {
      findNear();
      for (int i = 0; i < count; i++) {
        long signs = Double.doubleToRawLongBits(nearY[i]) | Double.doubleToRawLongBits(nearX[i]);
        if (signs >= 0 && overlapOf(count, i) > overlap) {
          return false;
        }
      }
      return !(0 > overlap) || count == 0;
    }

    /** Intersection over union; 0 for a box without an area. */
    private double overlapOf(int a, int b) {
      double height = Math.min(bottoms[a], bottoms[b]) - Math.max(tops[a], tops[b]);
      double width = Math.min(rights[a], rights[b]) - Math.max(lefts[a], lefts[b]);
      if (!(height > 0 && width > 0)) {
        return 0;
      }
      double both = height * width;
      return both / (areas[a] + areas[b] - both);
    }
  }
}
