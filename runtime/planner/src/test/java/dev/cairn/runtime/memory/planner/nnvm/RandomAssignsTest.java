package dev.cairn.runtime.memory.planner.nnvm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.runtime.memory.PlanValidator;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Random graphs with assigns: the decorated plan must compute what a run with a place for every entry computes. */
class RandomAssignsTest {
  private static final int GRAPHS = 4_000;

  @Test
  void decoratedPlansComputeWhatARunWithoutSharingComputes() {
    int nops = 0;
    int copies = 0;
    int refused = 0;
    for (long seed = 0; seed < GRAPHS; seed++) {
      NnvmGraph graph = RandomNnvmGraphs.withAssigns(seed);
      StoragePlan plan = PlanMemory.plan(graph, NnvmOptions.DEFAULT);
      DecoratedPlan decorated;
      try {
        decorated = DecoratedPlan.of(graph, plan);
      } catch (IllegalArgumentException e) {
        assertThat(e).hasMessageContaining("two identities");
        refused++;
        continue;
      }
      nops += (int) decorated.flags().stream().filter(AssignFlag.NOP::equals).count();
      copies += (int) decorated.flags().stream().filter(AssignFlag.COPY::equals).count();
      // Two runs: what the first leaves in the variables is what the second finds.
      assertThat(new Storages(graph, decorated).run(2)).as("seed %d", seed).isEqualTo(new Cells(graph).run(2));
      PooledStorages pooled = PooledStorages.of(graph, plan, decorated);
      assertThat(PlanValidator.validate(pooled.problem(), pooled.plan())).as("seed %d", seed).isEmpty();
      assertThat(StorageSetup.of(graph, decorated.storageIds()).bytes()).isEqualTo(pooled.plan().peakBytes());
    }
    assertThat(refused).isBetween(1, GRAPHS / 20);
    assertThat(nops).isGreaterThan(GRAPHS / 10);
    assertThat(copies).isGreaterThan(GRAPHS / 10);
  }

  /** A run in which each value is a number made of those it is computed from. */
  private abstract static class Run {
    final NnvmGraph graph;

    Run(NnvmGraph graph) {
      this.graph = graph;
    }

    abstract long read(int entry);

    abstract void write(int entry, long value);

    abstract void assign(int node);

    abstract boolean runs(int node);

    /** The values that graph outputs and variables have after so many runs. */
    List<Long> run(int times) {
      for (int entry = 0; entry < graph.entryCount(); entry++) {
        if (graph.node(graph.producer(entry)).isVariable()) {
          write(entry, 31L * entry + 7);
        }
      }
      for (int i = 0; i < times * graph.nodes().size(); i++) {
        int node = i % graph.nodes().size();
        if (runs(node)) {
          step(node);
        }
      }
      List<Long> seen = new ArrayList<>();
      graph.outputs().forEach(entry -> seen.add(read(entry)));
      for (int node = 0; node < graph.nodes().size(); node++) {
        if (graph.node(node).isVariable()) {
          seen.add(read(graph.firstEntryId(node)));
        }
      }
      return seen;
    }

    private void step(int nodeId) {
      NnvmNode node = graph.node(nodeId);
      switch (node.role()) {
        case VARIABLE -> {}
        case ASSIGN -> assign(nodeId);
        case OPERATOR -> {
          long sum = nodeId;
          for (int position = 0; position < node.inputs().size(); position++) {
            boolean ignored = node.traits().ignoredInputs().contains(position);
            sum = 1_000_003 * sum + (ignored ? 0 : read(node.inputs().get(position)));
          }
          long[] values = new long[node.outputs().size()];
          for (int output = 0; output < values.length; output++) {
            values[output] = 17 * sum + output;
            for (NodeTraits.InPlacePair pair : node.traits().inPlace()) {
              values[output] = pair.identity() && pair.output() == output
                ? read(node.inputs().get(pair.input()))
                : values[output];
            }
          }
          for (int output = 0; output < values.length; output++) {
            write(graph.firstEntryId(nodeId) + output, values[output]);
          }
        }
      }
    }
  }

  /** Every entry has a cell of its own; an assign's result is the variable's. */
  private static final class Cells extends Run {
    private final Map<Integer, Long> cells = new HashMap<>();

    Cells(NnvmGraph graph) {
      super(graph);
    }

    private int cell(int entry) {
      NnvmNode node = graph.node(graph.producer(entry));
      return node.role() == NodeRole.ASSIGN ? cell(node.inputs().getFirst()) : entry;
    }

    @Override
    long read(int entry) {
      return cells.getOrDefault(cell(entry), -1L);
    }

    @Override
    void write(int entry, long value) {
      cells.put(cell(entry), value);
    }

    @Override
    void assign(int node) {
      write(graph.firstEntryId(node), read(graph.node(node).inputs().get(1)));
    }

    @Override
    boolean runs(int node) {
      return true;
    }
  }

  /** Every storage has a cell; what needs no kernel does not run. */
  private static final class Storages extends Run {
    private final DecoratedPlan plan;
    private final Map<Integer, Long> cells = new HashMap<>();

    Storages(NnvmGraph graph, DecoratedPlan plan) {
      super(graph);
      this.plan = plan;
    }

    @Override
    long read(int entry) {
      return cells.getOrDefault(plan.storageIds().get(entry), -1L);
    }

    @Override
    void write(int entry, long value) {
      cells.put(plan.storageIds().get(entry), value);
    }

    @Override
    void assign(int node) {
      write(graph.firstEntryId(node), read(graph.node(node).inputs().get(1)));
    }

    @Override
    boolean runs(int node) {
      return !plan.isNop(graph, node);
    }
  }
}
