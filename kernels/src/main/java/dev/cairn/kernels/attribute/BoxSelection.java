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
    /** How far each taken box and the next one overlap, along the shorter way; not above 0 where they don't. */
    private final double[] reaches;
    private int count;

    Taken(int most) {
      boxes = new int[most];
      tops = new double[most];
      lefts = new double[most];
      bottoms = new double[most];
      rights = new double[most];
      areas = new double[most];
      reaches = new double[most];
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
    }

    private double corner(long box, int which) {
      return BoxSelection.this.boxes.segment().get(FLOAT, (box * 4 + which) * Float.BYTES);
    }

    /** Without branches in its loop, so that the compiler makes vectors of it. */
    private void findReaches() {
      double top = tops[count];
      double left = lefts[count];
      double bottom = bottoms[count];
      double right = rights[count];
      for (int i = 0; i < count; i++) {
        double height = Math.min(bottom, bottoms[i]) - Math.max(top, tops[i]);
        double width = Math.min(right, rights[i]) - Math.max(left, lefts[i]);
        reaches[i] = Math.min(height, width);
      }
    }

    private boolean isClear() {
      findReaches();
      for (int i = 0; i < count; i++) {
        // A box without an area overlaps none: its height or width is not above 0.
        if (reaches[i] > 0 && overlapOf(count, i) > overlap) {
          return false;
        }
      }
      return !(0 > overlap) || count == 0;
    }

    /** Intersection over union. */
    private double overlapOf(int a, int b) {
      double both = (Math.min(bottoms[a], bottoms[b]) - Math.max(tops[a], tops[b])) * (Math.min(rights[a], rights[b])
        - Math.max(lefts[a], lefts[b]));
      return both / (areas[a] + areas[b] - both);
    }
  }
}
