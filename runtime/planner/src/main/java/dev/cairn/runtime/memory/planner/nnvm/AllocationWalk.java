package dev.cairn.runtime.memory.planner.nnvm;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * One walk over a graph's nodes with one match range (NNVM's AllocMemory). Counts are kept by storage, so that entries
 * that share one live and die together. A node's outputs are placed before its inputs are released.
 */
final class AllocationWalk {
  private final NnvmGraph graph;
  private final NnvmOptions options;
  /** For each entry id. */
  private final int[] wanted;
  /** For each node id; empty without colours. */
  private final int[] colours;
  private final long matchRange;
  private final GraphAllocator allocator;
  private final int[] storage;
  private final int[] inPlaceIndex;
  /** For each storage id: how often its present contents are still wanted. */
  private final int[] counts;
  /** For each storage id: the node that released it last. */
  private final int[] releasedBy;
  private int notAllocated;

  /**
   * @param wanted reference counts by entry id
   * @param colours by node id; empty when storages may go from any node to any other
   */
  AllocationWalk(NnvmGraph graph, NnvmOptions options, int[] wanted, int[] colours, long matchRange) {
    this.graph = graph;
    this.options = options;
    this.wanted = wanted;
    this.colours = colours;
    this.matchRange = matchRange;
    this.allocator = new GraphAllocator(matchRange);
    this.storage = IntStream.range(0, graph.entryCount()).map(entry -> graph.entry(entry).storage()).toArray();
    this.inPlaceIndex = new int[graph.entryCount()];
    Arrays.fill(inPlaceIndex, StoragePlan.NOT_IN_PLACE);
    this.counts = new int[graph.entryCount()];
    this.releasedBy = new int[graph.entryCount()];
  }

  StoragePlan run() {
    for (int nodeId = graph.range().first(); nodeId < graph.range().end(); nodeId++) {
      NnvmNode node = graph.node(nodeId);
      if (!node.isVariable()) {
        takeInputs(nodeId, node);
        requestOutputs(nodeId, node);
        releaseInputs(nodeId, node);
        releaseUnread(nodeId, node);
      }
    }
    return new StoragePlan(boxed(storage), boxed(inPlaceIndex), allocator.storageBytes(), notAllocated, matchRange);
  }

  private void takeInputs(int nodeId, NnvmNode node) {
    boolean[] taken = new boolean[node.inputs().size()];
    for (NodeTraits.InPlacePair pair : node.traits().inPlace()) {
      int in = node.inputs().get(pair.input());
      int out = graph.firstEntryId(nodeId) + pair.output();
      if (!taken[pair.input()] && storage[out] == StorageId.NONE && storage[in] >= 0 && wanted[out] > 0
        && mayShare(node, pair, graph.entry(in), graph.entry(out), counts[storage[in]])) {
        taken[pair.input()] = true;
        storage[out] = storage[in];
        counts[storage[in]] += wanted[out];
        inPlaceIndex[out] = pair.input();
      }
    }
  }

  private boolean mayShare(NnvmNode node, NodeTraits.InPlacePair pair, NnvmEntry in, NnvmEntry out, int count) {
    InPlaceRule rule = options.inPlaceRule();
    boolean identity = pair.identity() && rule.isIdentity(out.type(), in.type());
    boolean lastReader = count == 1 && !node.ignoresEveryInput();
    return (lastReader || identity) && out.elements() == in.elements() && rule.allows(out.type(), in.type());
  }

  private void requestOutputs(int nodeId, NnvmNode node) {
    int first = graph.firstEntryId(nodeId);
    IntPredicate sameColour = colours.length == 0
      ? it -> true
      : it -> colours[releasedBy[it]] == colours[nodeId];
    // An unknown shape counts as no elements here; the later of equals comes first.
    int[] order = IntStream.range(first, first + node.outputs().size())
      .filter(entry -> storage[entry] == StorageId.NONE)
      .boxed()
      .sorted(Comparator.comparingLong((Integer entry) -> Math.max(0, graph.entry(entry).elements()))
        .thenComparing(Comparator.naturalOrder()).reversed())
      .mapToInt(Integer::intValue).toArray();
    for (int entry : order) {
      if (graph.entry(entry).isShapeKnown()) {
        storage[entry] = allocator.request(options.requestBytes(graph.entry(entry)), node.device(), sameColour);
        counts[storage[entry]] = wanted[entry];
      }
    }
  }

  private void releaseInputs(int nodeId, NnvmNode node) {
    for (int position = 0; position < node.inputs().size(); position++) {
      int id = storage[node.inputs().get(position)];
      if (id >= 0 && !node.traits().ignoredInputs().contains(position) && --counts[id] == 0) {
        release(id, nodeId);
      }
    }
  }

  private void releaseUnread(int nodeId, NnvmNode node) {
    for (int output = 0; output < node.outputs().size(); output++) {
      int entry = graph.firstEntryId(nodeId) + output;
      if (storage[entry] >= 0 && counts[storage[entry]] == 0) {
        release(storage[entry], nodeId);
        inPlaceIndex[entry] = StoragePlan.NEVER_READ;
      } else if (storage[entry] == StorageId.NONE) {
        notAllocated++;
      }
    }
  }

  private void release(int id, int nodeId) {
    releasedBy[id] = nodeId;
    allocator.release(id);
  }

  private static List<Integer> boxed(int[] values) {
    return IntStream.of(values).boxed().toList();
  }
}
