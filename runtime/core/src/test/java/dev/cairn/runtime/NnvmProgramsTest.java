package dev.cairn.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphFixture;
import dev.cairn.runtime.graph.GraphTypes;
import dev.cairn.runtime.graph.IndexedGraph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.infer.TypeInference;
import dev.cairn.runtime.infer.ValueEvaluator;
import dev.cairn.runtime.memory.PlanValidator;
import dev.cairn.runtime.memory.analysis.KeptValues;
import dev.cairn.runtime.memory.analysis.NnvmAnalysis;
import dev.cairn.runtime.memory.analysis.NnvmAnalysis.NnvmView;
import dev.cairn.runtime.memory.planner.nnvm.AssignFlag;
import dev.cairn.runtime.memory.planner.nnvm.DecoratedPlan;
import dev.cairn.runtime.memory.planner.nnvm.NnvmOptions;
import dev.cairn.runtime.memory.planner.nnvm.PlanMemory;
import dev.cairn.runtime.memory.planner.nnvm.PooledStorages;
import dev.cairn.runtime.memory.planner.nnvm.StoragePlan;
import dev.cairn.runtime.operator.OperatorTable;
import dev.cairn.runtime.operator.family.StandardOperators;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Programs with variables, planned by NNVM's exact mode: run with names in place of values. */
class NnvmProgramsTest {
  private static final OperatorTable OPERATORS = StandardOperators.table();

  @Test
  void everyStepOfARandomProgramFindsWhatItReads() {
    int direct = 0;
    for (long seed = 0; seed < 400; seed++) {
      var it = new ProgramRun(new RandomPrograms(seed, 5 + (int) (seed % 30)).graph());
      it.run("seed " + seed);
      direct += (int) it.plan.flags().stream().filter(AssignFlag.NOP::equals).count();
    }
    assertThat(direct).as("assigns without a copy").isGreaterThan(50);
  }

  /** One program, planned and run once. */
  private static final class ProgramRun {
    private final IndexedGraph graph;
    private final NnvmView view;
    private final DecoratedPlan plan;
    /** By storage id, whose value lies there. */
    private final Map<Integer, Integer> contents = new HashMap<>();
    /** By entry id of the view, whose value it is: its own, or what was assigned. */
    private final Map<Integer, Integer> values = new HashMap<>();

    ProgramRun(Graph program) {
      Graph kept = KeptValues.applied(program);
      GraphTypes types = new TypeInference(OPERATORS, ValueEvaluator.NONE).infer(kept, GraphFixture.inputTypes(kept));
      graph = new IndexedGraph(kept);
      view = NnvmAnalysis.analyse(graph, types, OPERATORS, node -> 0);
      StoragePlan planned = PlanMemory.plan(view.graph(), NnvmOptions.DEFAULT);
      plan = DecoratedPlan.of(view.graph(), planned);
      PooledStorages pooled = PooledStorages.of(view.graph(), planned, plan);
      PlanValidator.requireValid(pooled.problem(), pooled.plan());
    }

    void run(String what) {
      for (Node node : graph.graph().nodes()) {
        int entry = entry(node.entry());
        switch (node.kind()) {
          case NodeKind.Apply apply when isAlias(node) -> {}
          case NodeKind.Apply apply -> {
            node.operands().stream().filter(read -> !read.isAbsent()).forEach(read -> requireThere(what, read));
            for (int i = 0; i < apply.outputs(); i++) {
              write(entry + i, entry + i);
            }
          }
          case NodeKind.Assign assign -> {
            requireThere(what, node.operands().getFirst());
            write(entry, value(node.operands().getFirst()));
          }
          default -> write(entry, entry);
        }
      }
      graph.graph().outputs().forEach(output -> requireThere(what, output.entry()));
      for (Node node : graph.graph().nodes()) {
        if (node.kind() instanceof NodeKind.Assign) {
          // The last of a chain is what the variable is left with.
          boolean last = graph.graph().nodes().stream().noneMatch(
            it -> it.kind() instanceof NodeKind.Assign && it.inputs().getFirst().equals(node.entry()));
          assertThat(!last || isThere(node.entry())).as("%s: %s", what, node).isTrue();
        }
      }
    }

    private boolean isAlias(Node node) {
      return entry(node.entry()) == entry(node.inputs().getFirst());
    }

    private int entry(NodeEntry entry) {
      return view.entries().get(graph.entryId(entry));
    }

    private void write(int entry, int value) {
      values.put(entry, value);
      contents.put(plan.storageIds().get(entry), value);
    }

    private int value(NodeEntry entry) {
      return values.getOrDefault(entry(entry), -2);
    }

    private boolean isThere(NodeEntry entry) {
      return contents.getOrDefault(plan.storageIds().get(entry(entry)), -1) == value(entry);
    }

    private void requireThere(String what, NodeEntry entry) {
      assertThat(isThere(entry)).as("%s: %s", what, entry).isTrue();
    }
  }
}
