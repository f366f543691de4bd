package dev.cairn.runtime.memory.order;

import java.util.Arrays;

/**
 * A stretch of an order as a problem of its own: the nodes before it have run, those after it have not. Nodes and
 * values are numbered from 0; values that outlive the stretch are part of what is live, and have no number. Immutable.
 */
final class Segment {
  private final int[] nodes;
  private final int[][] before;
  private final int[][] after;
  private final int[][] read;
  private final int[][] inPlace;
  private final int[][] readers;
  private final long[] bytes;
  private final long[] made;
  private final long[] staying;
  private final long liveAtStart;

  private Segment(Numbering numbering) {
    OrderProblem problem = numbering.problem;
    nodes = numbering.nodes;
    int size = nodes.length;
    before = new int[size][];
    after = new int[size][];
    read = new int[size][];
    inPlace = new int[size][];
    made = new long[size];
    staying = new long[size];
    for (int node = 0; node < size; node++) {
      before[node] = numbering.local(problem.before(nodes[node]));
      after[node] = numbering.local(problem.after(nodes[node]));
      read[node] = numbering.mortal(problem.read(nodes[node]));
      inPlace[node] = numbering.mortalPairs(problem.inPlace(nodes[node]));
      made[node] = problem.workspace(nodes[node]);
      for (int v : problem.made(nodes[node])) {
        made[node] += problem.value(v).bytes();
        staying[node] += problem.value(v).outlivesItsNode() ? problem.value(v).bytes() : 0;
      }
    }
    readers = numbering.readersOfMortal();
    bytes = numbering.bytesOfMortal();
    liveAtStart = numbering.liveAtStart();
  }

  /** The positions {@code from} to {@code to} (not included) of an order of the problem's nodes. */
  static Segment of(OrderProblem problem, int[] order, int from, int to) {
    return new Segment(new Numbering(problem, order, from, to));
  }

  int size() {
    return nodes.length;
  }

  /** The problem's number of a node. */
  int node(int local) {
    return nodes[local];
  }

  int[] before(int node) {
    return before[node];
  }

  int[] after(int node) {
    return after[node];
  }

  /** The values read by a node that die within the segment. */
  int[] read(int node) {
    return read[node];
  }

  /** Pairs of such a value and a value made, a number of no other meaning, in the order of the problem's pairs. */
  int[] inPlace(int node) {
    return inPlace[node];
  }

  int[] readers(int value) {
    return readers[value];
  }

  long bytes(int value) {
    return bytes[value];
  }

  /** Bytes that a node adds while it runs: its values and its workspace. */
  long made(int node) {
    return made[node];
  }

  /** Bytes of its values that stay when it has run. */
  long staying(int node) {
    return staying[node];
  }

  long liveAtStart() {
    return liveAtStart;
  }

  /** From the problem's numbers to the segment's. */
  private static final class Numbering {
    private final OrderProblem problem;
    private final int[] nodes;
    private final int[] position;
    private final int from;
    private final int to;
    private final int[] mortalIds;
    private int[] mortal = new int[0];

    Numbering(OrderProblem problem, int[] order, int from, int to) {
      this.problem = problem;
      this.from = from;
      this.to = to;
      nodes = Arrays.copyOfRange(order, from, to);
      position = new int[order.length];
      for (int i = 0; i < order.length; i++) {
        position[order[i]] = i;
      }
      mortalIds = new int[problem.values()];
      Arrays.fill(mortalIds, -1);
      numberMortal();
    }

    private void numberMortal() {
      mortal = new int[problem.values()];
      int count = 0;
      for (int node : nodes) {
        for (int v : problem.read(node)) {
          if (mortalIds[v] < 0 && !problem.value(v).kept() && lastRead(v) < to) {
            mortalIds[v] = count;
            mortal[count++] = v;
          }
        }
      }
      mortal = Arrays.copyOf(mortal, count);
    }

    private int lastRead(int v) {
      int last = -1;
      for (int reader : problem.value(v).readers()) {
        last = Math.max(last, position[reader]);
      }
      return last;
    }

    int[] local(int[] ofProblem) {
      return Arrays.stream(ofProblem).map(node -> position[node]).filter(it -> it >= from && it < to)
        .map(it -> it - from).toArray();
    }

    int[] mortal(int[] ofProblem) {
      return Arrays.stream(ofProblem).map(v -> mortalIds[v]).filter(it -> it >= 0).toArray();
    }

    int[] mortalPairs(int[] pairs) {
      int[] kept = new int[pairs.length];
      int count = 0;
      for (int i = 0; i < pairs.length; i += 2) {
        if (mortalIds[pairs[i]] >= 0) {
          kept[count++] = mortalIds[pairs[i]];
          kept[count++] = pairs[i + 1];
        }
      }
      return Arrays.copyOf(kept, count);
    }

    int[][] readersOfMortal() {
      return Arrays.stream(mortal).mapToObj(v -> local(problem.value(v).readers())).toArray(int[][]::new);
    }

    long[] bytesOfMortal() {
      return Arrays.stream(mortal).mapToLong(v -> problem.value(v).bytes()).toArray();
    }

    long liveAtStart() {
      long live = 0;
      for (int v = 0; v < problem.values(); v++) {
        boolean read = problem.value(v).kept() || lastRead(v) >= from;
        live += read && position[problem.value(v).producer()] < from ? problem.value(v).bytes() : 0;
      }
      return live;
    }
  }
}
