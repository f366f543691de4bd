package dev.cairn.runtime.memory.order;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Nodes in a given order, and the values that they make and read: what can be put into another order. Node {@code i} is
 * the i-th of the given order, so that every value is read after its node only. Immutable; built by {@link #builder}.
 *
 * <p>While a node runs, memory holds the values made before that are still to be read or are kept, the node's own
 * values, and its workspace; less the bytes of values that it makes in the place of one which it reads last. Values
 * that come from outside, such as weights, take no bytes and are left out.
 */
public final class OrderProblem {
  private final List<Value> values;
  private final int[][] made;
  private final int[][] read;
  private final int[][] before;
  private final int[][] after;
  private final int[][] edges;
  private final long[] workspace;
  private final int[][] inPlace;

  /** A value; its readers ascending and distinct. */
  static final class Value {
    private final int producer;
    private final long bytes;
    private final boolean kept;
    private final int[] readers;

    private Value(int producer, long bytes, boolean kept, int[] readers) {
      this.producer = producer;
      this.bytes = bytes;
      this.kept = kept;
      this.readers = readers;
    }

    int producer() {
      return producer;
    }

    long bytes() {
      return bytes;
    }

    boolean kept() {
      return kept;
    }

    int[] readers() {
      return readers;
    }

    boolean outlivesItsNode() {
      return kept || readers.length > 0;
    }
  }

  private OrderProblem(Builder builder) {
    int nodes = builder.workspace.length;
    values = List.copyOf(builder.values);
    workspace = builder.workspace.clone();
    inPlace = toArrays(builder.inPlace);
    List<List<Integer>> madeBy = lists(nodes);
    List<List<Integer>> readBy = lists(nodes);
    List<List<Integer>> predecessors = lists(nodes);
    List<List<Integer>> successors = lists(nodes);
    List<List<Integer>> told = lists(nodes);
    for (int[] pair : builder.edges) {
      told.get(pair[0]).add(pair[1]);
      link(pair[0], pair[1], predecessors, successors);
    }
    for (int v = 0; v < values.size(); v++) {
      Value value = values.get(v);
      madeBy.get(value.producer).add(v);
      for (int reader : value.readers) {
        readBy.get(reader).add(v);
        link(value.producer, reader, predecessors, successors);
      }
    }
    made = toArrays(madeBy);
    read = toArrays(readBy);
    before = distinct(predecessors);
    after = distinct(successors);
    edges = distinct(told);
  }

  private static void link(int first, int second, List<List<Integer>> predecessors, List<List<Integer>> successors) {
    predecessors.get(second).add(first);
    successors.get(first).add(second);
  }

  private static List<List<Integer>> lists(int count) {
    List<List<Integer>> lists = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      lists.add(new ArrayList<>(2));
    }
    return lists;
  }

  private static int[][] toArrays(List<List<Integer>> lists) {
    return lists.stream().map(it -> it.stream().mapToInt(Integer::intValue).toArray()).toArray(int[][]::new);
  }

  private static int[][] distinct(List<List<Integer>> lists) {
    return lists.stream().map(it -> it.stream().mapToInt(Integer::intValue).sorted().distinct().toArray())
      .toArray(int[][]::new);
  }

  /** A problem of this many nodes, of which nothing is known yet. */
  public static Builder builder(int nodes) {
    return new Builder(nodes);
  }

  public int nodes() {
    return made.length;
  }

  Value value(int index) {
    return values.get(index);
  }

  /** How many values the nodes make. */
  public int values() {
    return values.size();
  }

  /** The node that makes a value. */
  public int producer(int value) {
    return values.get(value).producer;
  }

  /** The bytes of a value. */
  public long bytes(int value) {
    return values.get(value).bytes;
  }

  /** Whether a value is still wanted when all nodes have run. */
  public boolean isKept(int value) {
    return values.get(value).kept;
  }

  /** The nodes that read a value, ascending; not to be changed, as all arrays of this class. */
  public int[] readers(int value) {
    return values.get(value).readers;
  }

  /** The values that a node makes. */
  public int[] made(int node) {
    return made[node];
  }

  /** The values that a node reads, each once. */
  public int[] read(int node) {
    return read[node];
  }

  /** The nodes that must run before this one, ascending. */
  public int[] before(int node) {
    return before[node];
  }

  /** The nodes that must run after this one, ascending. */
  public int[] after(int node) {
    return after[node];
  }

  /** The nodes that {@link Builder#before} puts after this one, ascending, whatever they read. */
  public int[] edges(int node) {
    return edges[node];
  }

  /** The bytes that a node wants while it runs, beside its values. */
  public long workspace(int node) {
    return workspace[node];
  }

  /**
   * Pairs of a value read and a value made of equal bytes, one after the other. When the node runs they are gone
   * through in order, and each takes place whose value dies there and whose two values are in no earlier one that took
   * place.
   */
  public int[] inPlace(int node) {
    return inPlace[node];
  }

  /** Sets what the nodes make and read. Not thread-safe. */
  public static final class Builder {
    private static final int MOST_PAIRS = 32;

    private final List<Value> values = new ArrayList<>();
    private final List<int[]> edges = new ArrayList<>();
    private final long[] workspace;
    private final List<List<Integer>> inPlace;
    private long totalBytes;

    private Builder(int nodes) {
      workspace = new long[nodes];
      inPlace = lists(nodes);
    }

    /**
     * A value, whose number is returned: 0, 1, …
     *
     * @param producer the node that makes it
     * @param kept whether it is still wanted when all nodes have run
     * @param readers nodes after the producer; one that is named twice reads it once
     */
    public int value(int producer, long bytes, boolean kept, int... readers) {
      int[] distinct = Arrays.stream(readers).sorted().distinct().toArray();
      requireNode(producer);
      if (distinct.length > 0 && (distinct[0] <= producer || distinct[distinct.length - 1] >= workspace.length)) {
        throw new IllegalArgumentException("a value is read after its node, by a node: producer=%d readers=%s nodes=%d"
          .formatted(producer, Arrays.toString(distinct), workspace.length));
      }
      count(bytes);
      values.add(new Value(producer, bytes, kept, distinct));
      return values.size() - 1;
    }

    /** Bytes that a node wants while it runs, beside its values. */
    public Builder workspace(int node, long bytes) {
      requireNode(node);
      count(bytes);
      workspace[node] += bytes;
      return this;
    }

    /** One node must run before another, whatever they read. */
    public Builder before(int first, int second) {
      requireNode(second);
      if (first < 0 || first >= second) {
        throw new IllegalArgumentException("the given order breaks it: first=%d second=%d".formatted(first, second));
      }
      edges.add(new int[] {first, second});
      return this;
    }

    /**
     * A node may write one of its values over one that it reads, when no later node reads that; pairs that were added
     * earlier come first. Passed over when the two differ in bytes, and after {@value #MOST_PAIRS} pairs of a node.
     */
    public Builder inPlace(int node, int readValue, int madeValue) {
      Value input = values.get(readValue);
      Value output = values.get(madeValue);
      if (output.producer != node || Arrays.binarySearch(input.readers, node) < 0) {
        throw new IllegalArgumentException("not read and made by the node: node=%d read=%d made=%d".formatted(node,
          readValue, madeValue));
      }
      List<Integer> pairs = inPlace.get(node);
      if (input.bytes == output.bytes && !input.kept && pairs.size() < 2 * MOST_PAIRS) {
        pairs.add(readValue);
        pairs.add(madeValue);
      }
      return this;
    }

    public OrderProblem build() {
      return new OrderProblem(this);
    }

    private void requireNode(int node) {
      if (node < 0 || node >= workspace.length) {
        throw new IllegalArgumentException("no such node: node=%d nodes=%d".formatted(node, workspace.length));
      }
    }

    private void count(long bytes) {
      if (bytes < 0 || totalBytes > Long.MAX_VALUE - bytes) {
        throw new IllegalArgumentException("bytes are negative or overflow: bytes=%d before=%d".formatted(bytes,
          totalBytes));
      }
      totalBytes += bytes;
    }
  }
}
