package dev.cairn.runtime.memory.planner.nnvm;

import dev.cairn.runtime.memory.Buffer;
import dev.cairn.runtime.memory.Lifetime;
import dev.cairn.runtime.memory.MemoryPlan;
import dev.cairn.runtime.memory.MemoryProblem;
import dev.cairn.runtime.memory.Placement;
import dev.cairn.runtime.memory.Pool;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * NNVM's answer in the common form, for the validator and for tables: a buffer for each run of entries that took one
 * another's storage in place, a pool for each storage id, offset 0. Steps are node ids.
 *
 * @param bufferOf by entry id; {@value #NO_BUFFER} for entries without a storage
 */
public record PooledStorages(MemoryProblem problem, MemoryPlan plan, List<Integer> bufferOf) {
  /** The index that stands for no buffer. */
  public static final int NO_BUFFER = -1;

  public PooledStorages {
    bufferOf = List.copyOf(bufferOf);
  }

  /** The common form of what PlanMemory says. */
  public static PooledStorages of(NnvmGraph graph, StoragePlan plan) {
    return new Gathering(graph, plan).gather();
  }

  /** Buffers while they are found. */
  private static final class Gathering {
    private final NnvmGraph graph;
    private final StoragePlan plan;
    private final List<Integer> ids;
    private final int[] bufferOf;
    private final int[] lastUse;
    private final List<Growing> growing = new ArrayList<>();

    /** One buffer: the first entry in it, and what later ones make of it. */
    private static final class Growing {
      private final int entry;
      private final int birth;
      private final boolean kept;
      private long bytes;
      private int lastUse;

      Growing(int entry, int birth, boolean kept) {
        this.entry = entry;
        this.birth = birth;
        this.kept = kept;
        this.lastUse = birth;
      }
    }

    Gathering(NnvmGraph graph, StoragePlan plan) {
      this.graph = graph;
      this.plan = plan;
      this.ids = plan.storageIds();
      this.bufferOf = new int[graph.entryCount()];
      this.lastUse = new int[graph.entryCount()];
    }

    PooledStorages gather() {
      findLastUses();
      Map<Integer, Integer> variableBuffers = variableBuffers();
      for (int entry = 0; entry < bufferOf.length; entry++) {
        int id = ids.get(entry);
        bufferOf[entry] = id < 0 ? NO_BUFFER : bufferOf(entry, id, variableBuffers);
        if (id >= 0) {
          Growing buffer = growing.get(bufferOf[entry]);
          buffer.bytes = Math.max(buffer.bytes, graph.entry(entry).bytes());
          buffer.lastUse = Math.max(buffer.lastUse, lastUse[entry]);
        }
      }
      return new PooledStorages(problem(), memoryPlan(), Arrays.stream(bufferOf).boxed().toList());
    }

    private void findLastUses() {
      for (int nodeId = 0; nodeId < graph.nodes().size(); nodeId++) {
        NnvmNode node = graph.node(nodeId);
        for (int position = 0; position < node.inputs().size(); position++) {
          if (!node.traits().ignoredInputs().contains(position)) {
            lastUse[node.inputs().get(position)] = nodeId;
          }
        }
      }
      graph.outputs().forEach(entry -> lastUse[entry] = graph.nodes().size());
    }

    /** For each storage id. Before all others, since a value may be written into a variable that comes after it. */
    private Map<Integer, Integer> variableBuffers() {
      Map<Integer, Integer> buffers = new HashMap<>();
      for (int nodeId = 0; nodeId < graph.nodes().size(); nodeId++) {
        int entry = graph.firstEntryId(nodeId);
        if (graph.node(nodeId).isVariable() && ids.get(entry) >= 0) {
          buffers.put(ids.get(entry), growing.size());
          growing.add(new Growing(entry, nodeId, true));
        }
      }
      return buffers;
    }

    private int bufferOf(int entry, int id, Map<Integer, Integer> variableBuffers) {
      int nodeId = graph.producer(entry);
      NnvmNode node = graph.node(nodeId);
      Integer variable = variableBuffers.get(id);
      if (variable != null) {
        return variable;
      }
      int taken = plan.inPlaceIndex().get(entry);
      if (taken >= 0 && ids.get(node.inputs().get(taken)) == id) {
        return bufferOf[node.inputs().get(taken)];
      }
      growing.add(new Growing(entry, nodeId, false));
      return growing.size() - 1;
    }

    private MemoryProblem problem() {
      int steps = graph.nodes().size();
      List<Buffer> buffers = new ArrayList<>();
      for (Growing it : growing) {
        String name = graph.node(graph.producer(it.entry)).name() + "#" + it.entry;
        var lifetime = new Lifetime(it.kept ? 0 : it.birth, it.kept ? steps : Math.min(it.lastUse + 1, steps));
        Buffer buffer = Buffer.of(name, it.bytes, lifetime).onDevice(device(it));
        buffer = it.kept ? buffer.withoutReuse() : buffer;
        buffers.add(it.lastUse == steps ? buffer.asOutput() : buffer);
      }
      return new MemoryProblem(buffers);
    }

    private MemoryPlan memoryPlan() {
      long[] poolBytes = new long[ids.stream().mapToInt(id -> id + 1).max().orElse(0)];
      int[] poolDevice = new int[poolBytes.length];
      List<Placement> placements = new ArrayList<>();
      for (Growing it : growing) {
        int id = ids.get(it.entry);
        poolDevice[id] = device(it);
        poolBytes[id] = Math.max(poolBytes[id], it.bytes);
        placements.add(new Placement(id, 0));
      }
      List<Pool> pools = IntStream.range(0, poolBytes.length)
        .mapToObj(id -> new Pool(poolBytes[id], 1, poolDevice[id])).toList();
      return new MemoryPlan("nnvm", pools, placements);
    }

    private int device(Growing buffer) {
      return graph.node(graph.producer(buffer.entry)).device();
    }
  }
}
