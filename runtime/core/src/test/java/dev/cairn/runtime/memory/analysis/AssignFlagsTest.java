package dev.cairn.runtime.memory.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.runtime.RandomPrograms;
import dev.cairn.runtime.graph.GraphFixture;
import dev.cairn.runtime.graph.GraphTypes;
import dev.cairn.runtime.graph.IndexedGraph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.infer.TypeInference;
import dev.cairn.runtime.infer.ValueEvaluator;
import dev.cairn.runtime.memory.planner.nnvm.AssignFlag;
import dev.cairn.runtime.memory.planner.nnvm.AssignMarking;
import dev.cairn.runtime.memory.planner.nnvm.NnvmGraph;
import dev.cairn.runtime.operator.OperatorTable;
import dev.cairn.runtime.operator.family.StandardOperators;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * The run's direct assigns are those that NNVM's marking, with the check for readers, makes no operations of. The two
 * differ where an operator may write over some of its operands only, and where the value is an alias.
 */
class AssignFlagsTest {
  private static final OperatorTable OPERATORS = StandardOperators.table();
  private static final Set<String> NOT_COMPARED = Set.of("Sum", "Identity", "Reshape");

  @Test
  void agreeWithNnvmsMarking() {
    int both = 0;
    int neither = 0;
    for (int seed = 0; seed < 400; seed++) {
      var graph = new IndexedGraph(KeptValues.applied(new RandomPrograms(seed, 3 + seed % 40).graph()));
      GraphTypes types = new TypeInference(OPERATORS, ValueEvaluator.NONE).infer(graph.graph(),
        GraphFixture.inputTypes(graph.graph()));
      Storage storage = StorageAnalysis.analyse(graph, types, OPERATORS, node -> 0, 64);
      Set<String> noOperations = noOperations(NnvmAnalysis.analyse(graph, types, OPERATORS, node -> 0).graph());
      for (Node assign : graph.graph().assigns()) {
        boolean direct = storage.variables().direct().contains(assign);
        boolean nop = noOperations.contains(assign.name());
        boolean comparable = !NOT_COMPARED.contains(assign.inputs().get(1).node().operator());
        assertThat(direct == nop || !comparable)
          .as("seed=%d assign=%s direct=%b nop=%b\n%s", seed, assign, direct, nop, graph.graph()).isTrue();
        both += direct && nop ? 1 : 0;
        neither += direct || nop ? 0 : 1;
      }
    }
    assertThat(both).isGreaterThan(300);
    assertThat(neither).isGreaterThan(300);
  }

  private static Set<String> noOperations(NnvmGraph graph) {
    List<AssignFlag> flags = AssignMarking.of(graph);
    return IntStream.range(0, flags.size()).filter(id -> flags.get(id) == AssignFlag.NOP)
      .mapToObj(id -> graph.node(id).name()).collect(Collectors.toSet());
  }
}
