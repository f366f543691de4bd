package dev.cairn.runtime.memory.order;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A set of a segment's nodes that have run, and how they did. Which values are live depends on the set alone; the peak
 * depends on the path to it.
 *
 * <p>A node is <em>free</em> when it can run within the peak that is allowed anyway and leaves no more live than
 * before. To run it at once is never wrong, whatever the order of the rest. No value dies later than it would
 * otherwise, and no result loses its place over an input, so each later node finds as many live bytes or fewer.
 */
final class OrderPrefix {
  private final Segment segment;
  private final long[] run;
  private final PrefixPath trail;
  private int[] ready;
  private int readyCount;
  private int count;
  private long live;
  private long peak;

  /** The path to a set, without the set: the order that is kept of prefixes that were left behind. */
  private static final class PrefixPath {
    private final @Nullable PrefixPath parent;
    private int[] moves = new int[1];
    private int count;

    PrefixPath(@Nullable PrefixPath parent) {
      this.parent = parent;
    }

    void add(int node) {
      if (count == moves.length) {
        moves = Arrays.copyOf(moves, 2 * count);
      }
      moves[count++] = node;
    }
  }

  private OrderPrefix(Segment segment, long[] run, PrefixPath trail, int[] ready, int readyCount) {
    this.segment = segment;
    this.run = run;
    this.trail = trail;
    this.ready = ready;
    this.readyCount = readyCount;
  }

  /** Only the nodes that are free within this peak. */
  static OrderPrefix start(Segment segment, long allowedPeak) {
    int size = segment.size();
    var start = new OrderPrefix(segment, new long[(size + 63) / 64], new PrefixPath(null), new int[8], 0);
    start.live = segment.liveAtStart();
    for (int node = 0; node < size; node++) {
      if (segment.before(node).length == 0) {
        start.addReady(node);
      }
    }
    start.runFree(allowedPeak);
    return start;
  }

  /** After one more node, the i-th of those ready, and all that are free then. */
  OrderPrefix after(int i, long allowedPeak) {
    var next = new OrderPrefix(segment, run.clone(), new PrefixPath(trail), Arrays.copyOf(ready, readyCount + 2),
      readyCount);
    next.count = count;
    next.live = live;
    next.peak = peak;
    next.runReady(i);
    next.runFree(Math.max(allowedPeak, next.peak));
    return next;
  }

  private void runFree(long allowedPeak) {
    int at = 0;
    for (int passedOver = 0; passedOver < readyCount;) {
      at = at < readyCount ? at : 0;
      int node = ready[at];
      if (segment.staying(node) <= dying(node) && bytesWhileRunning(node) <= allowedPeak) {
        runReady(at);
        passedOver = 0;
      } else {
        at++;
        passedOver++;
      }
    }
  }

  private void runReady(int i) {
    int node = ready[i];
    peak = Math.max(peak, bytesWhileRunning(node));
    live += segment.staying(node) - dying(node);
    System.arraycopy(ready, i + 1, ready, i, --readyCount - i);
    run[node >> 6] |= 1L << node;
    count++;
    trail.add(node);
    for (int next : segment.after(node)) {
      if (haveRun(segment.before(next))) {
        addReady(next);
      }
    }
  }

  private void addReady(int node) {
    if (readyCount == ready.length) {
      ready = Arrays.copyOf(ready, 2 * readyCount);
    }
    ready[readyCount++] = node;
  }

  private boolean hasRun(int node) {
    return (run[node >> 6] >>> node & 1) != 0;
  }

  private boolean haveRun(int[] nodes) {
    for (int node : nodes) {
      if (!hasRun(node)) {
        return false;
      }
    }
    return true;
  }

  private boolean isLastReader(int node, int value) {
    for (int reader : segment.readers(value)) {
      if (reader != node && !hasRun(reader)) {
        return false;
      }
    }
    return true;
  }

  private long dying(int node) {
    long bytes = 0;
    for (int value : segment.read(node)) {
      bytes += isLastReader(node, value) ? segment.bytes(value) : 0;
    }
    return bytes;
  }

  private long bytesWhileRunning(int node) {
    return live + segment.made(node) - savedInPlace(node);
  }

  private long savedInPlace(int node) {
    int[] pairs = segment.inPlace(node);
    long saved = 0;
    long taken = 0;
    for (int i = 0; i < pairs.length; i += 2) {
      if (isLastReader(node, pairs[i]) && !isTaken(pairs, i, taken)) {
        taken |= 1L << i;
        saved += segment.bytes(pairs[i]);
      }
    }
    return saved;
  }

  /** Whether one of the i-th pair's values is in an earlier pair that took place. */
  private static boolean isTaken(int[] pairs, int i, long taken) {
    for (long left = taken; left != 0; left &= left - 1) {
      int j = Long.numberOfTrailingZeros(left);
      if (pairs[j] == pairs[i] || pairs[j + 1] == pairs[i + 1]) {
        return true;
      }
    }
    return false;
  }

  /** The peak if the i-th of the ready nodes runs next. */
  long peakAfter(int i) {
    return Math.max(peak, bytesWhileRunning(ready[i]));
  }

  /** The live bytes if the i-th of the ready nodes runs next. */
  long liveAfter(int i) {
    return live + segment.staying(ready[i]) - dying(ready[i]);
  }

  int ready() {
    return readyCount;
  }

  /** How many nodes have run. */
  int count() {
    return count;
  }

  long live() {
    return live;
  }

  /** The most bytes held on the way. */
  long peak() {
    return peak;
  }

  boolean isComplete() {
    return count == segment.size();
  }

  /** About how many words it takes, which is also about what it costs to make. */
  int words() {
    return 8 + run.length + readyCount;
  }

  /** The problem's numbers of the nodes that have run, in their order. */
  int[] order() {
    int[] order = new int[count];
    int position = count;
    for (PrefixPath it = trail; it != null; it = it.parent) {
      for (int i = it.count - 1; i >= 0; i--) {
        order[--position] = segment.node(it.moves[i]);
      }
    }
    return order;
  }

  /** Equal for two that have run the same nodes of one segment. */
  Object nodes() {
    return new NodeSet(run);
  }

  /**
   * A set of nodes as a key. The hash mixes all bits of all words: sets of a large segment differ in few bits, and
   * thousands of them are in one table.
   */
  private static final class NodeSet {
    private final long[] words;

    NodeSet(long[] words) {
      this.words = words;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof NodeSet set && Arrays.equals(words, set.words);
    }

    @Override
    public int hashCode() {
      long hash = 0;
      for (long word : words) {
        hash = (hash ^ word) * 0x9E3779B97F4A7C15L;
        hash ^= hash >>> 32;
      }
      return (int) hash;
    }
  }
}
