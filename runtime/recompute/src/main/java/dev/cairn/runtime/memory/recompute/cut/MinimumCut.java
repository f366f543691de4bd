package dev.cairn.runtime.memory.recompute.cut;

import java.util.Arrays;

/** A flow network and its minimum cut, after Dinic (1970). Vertices are numbers; vertex 0 is the source, 1 the sink. */
public final class MinimumCut {
  public static final int SOURCE = 0;
  public static final int SINK = 1;
  public static final long UNLIMITED = Long.MAX_VALUE / 4;

  private final int[] firstEdge;
  /** Edge e and its reverse {@code e ^ 1}. */
  private int[] nextEdge = new int[64];
  private int[] target = new int[64];
  private long[] capacity = new long[64];
  /** The remaining capacity of an edge. */
  private long[] left = new long[0];
  private int edges;
  private final int[] level;
  private final int[] current;
  private final int[] queue;
  private final int[] path;

  public MinimumCut(int vertices) {
    firstEdge = new int[vertices];
    Arrays.fill(firstEdge, -1);
    level = new int[vertices];
    current = new int[vertices];
    queue = new int[vertices];
    path = new int[vertices];
  }

  /** An edge, whose number is returned. */
  public int edge(int from, int to, long most) {
    if (edges + 2 > target.length) {
      nextEdge = Arrays.copyOf(nextEdge, 2 * edges);
      target = Arrays.copyOf(target, 2 * edges);
      capacity = Arrays.copyOf(capacity, 2 * edges);
    }
    half(from, to, most);
    half(to, from, 0);
    return edges - 2;
  }

  private void half(int from, int to, long most) {
    target[edges] = to;
    capacity[edges] = most;
    nextEdge[edges] = firstEdge[from];
    firstEdge[from] = edges++;
  }

  /** Changes the capacity of an edge. */
  void capacity(int edge, long most) {
    capacity[edge] = most;
  }

  /** The most that flows from source to sink; afterwards {@link #isOnSourceSide} gives the cut. */
  public long flow() {
    return flow(new CutWork(Long.MAX_VALUE));
  }

  /**
   * Like {@link #flow()}, as far as the work suffices: if it is spent then, the most may be more, and there is no cut.
   */
  public long flow(CutWork work) {
    left = capacity.clone();
    long flow = 0;
    while (!work.isSpent() && reachSink(work)) {
      System.arraycopy(firstEdge, 0, current, 0, current.length);
      for (long more = augment(work); more > 0; more = work.isSpent() ? 0 : augment(work)) {
        flow += more;
      }
    }
    return flow;
  }

  /** Whether a vertex is before the cut that is nearest to the source. */
  public boolean isOnSourceSide(int vertex) {
    return level[vertex] >= 0;
  }

  private boolean reachSink(CutWork work) {
    Arrays.fill(level, -1);
    level[SOURCE] = 0;
    int size = 1;
    long looked = 0;
    queue[0] = SOURCE;
    for (int i = 0; i < size; i++) {
      for (int e = firstEdge[queue[i]]; e >= 0; e = nextEdge[e]) {
        looked++;
        if (left[e] > 0 && level[target[e]] < 0) {
          level[target[e]] = level[queue[i]] + 1;
          queue[size++] = target[e];
        }
      }
    }
    work.spend(looked);
    return level[SINK] >= 0;
  }

  /** Sends flow along one shortest path, found depth first; 0 when there is none. */
  private long augment(CutWork work) {
    int depth = 0;
    long looked = 0;
    int at = SOURCE;
    while (at != SINK) {
      int e = current[at];
      while (e >= 0 && (left[e] == 0 || level[target[e]] != level[at] + 1)) {
        e = nextEdge[e];
        looked++;
      }
      current[at] = e;
      if (e >= 0) {
        path[depth++] = e;
        at = target[e];
      } else if (depth == 0) {
        work.spend(looked);
        return 0;
      } else {
        int back = path[--depth];
        at = target[back ^ 1];
        current[at] = nextEdge[back];
      }
    }
    long least = UNLIMITED;
    for (int i = 0; i < depth; i++) {
      least = Math.min(least, left[path[i]]);
    }
    for (int i = 0; i < depth; i++) {
      left[path[i]] -= least;
      left[path[i] ^ 1] += least;
    }
    work.spend(looked + 3L * depth);
    return least;
  }
}
