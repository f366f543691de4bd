package dev.cairn.benchmarks.mxnet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.benchmarks.mxnet.SymbolNode.Output;
import dev.cairn.runtime.memory.PlanValidator;
import dev.cairn.runtime.memory.planner.nnvm.NnvmGraph;
import dev.cairn.runtime.memory.planner.nnvm.NnvmNode;
import dev.cairn.runtime.memory.planner.nnvm.NnvmOptions;
import dev.cairn.runtime.memory.planner.nnvm.PlanMemory;
import dev.cairn.runtime.memory.planner.nnvm.PooledStorages;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SymbolGraphTest {
  @Test
  void nodesComeDepthFirstFromTheOutputsAndUnneededOnesNotAtAll() {
    var builder = new SymbolBuilder();
    Output x = builder.variable(4L, 8L);
    Output unneeded = builder.unary("abs", x);
    Output y = builder.variable(4L, 8L);
    Output late = builder.unary("relu", y);
    Output early = builder.unary("negative", x);
    Output sum = builder.add(early, late);
    SymbolGraph graph = builder.graph("g", List.of(sum));
    assertThat(graph.graph().nodes()).extracting(NnvmNode::name).containsExactly("n0", "n4", "n2", "n3", "n5");
    assertThat(graph.graph().nodes()).extracting(NnvmNode::name).doesNotContain("n" + unneeded.node());
    assertThat(graph.variables()).hasSize(2);
  }

  @Test
  void entriesAreNumberedInThatOrder() {
    var builder = new SymbolBuilder();
    List<Output> parts = builder.split(builder.variable(4L, 8L), 2);
    Output y = builder.unary("relu", parts.get(1));
    NnvmGraph graph = builder.graph("g", List.of(y, parts.get(0))).graph();
    assertThat(graph.outputs()).containsExactly(3, 1);
    assertThat(graph.node(2).inputs()).containsExactly(2);
    assertThat(graph.entry(1).elements()).isEqualTo(16);
  }

  @Test
  void theTextIsASymbolFile() {
    var builder = new SymbolBuilder();
    Output y = builder.sumRows(builder.variable(4L, 8L));
    assertThat(builder.graph("g", List.of(y)).json()).isEqualTo("""
      {"nodes":[{"op":"null","name":"n0","attrs":{},"inputs":[]},
      {"op":"sum","name":"n1","attrs":{"axis":"0","keepdims":"1"},"inputs":[[0,0,0]]}],"arg_nodes":[0],\
      "heads":[[1,0,0]],"attrs":{"mxnet_version":["int",10900]}}""");
  }

  @Test
  void everyGraphsPlanIsValid() {
    Stream<SymbolGraph> random = Stream.iterate(0L, seed -> seed + 1).limit(100).map(Symbols::random);
    Stream<SymbolGraph> networks = Stream.of(Symbols.chain(1), Symbols.residual(1), Symbols.dense(1));
    Stream.concat(random, networks).forEach(symbol -> {
      NnvmGraph graph = symbol.graph();
      PooledStorages pooled = PooledStorages.of(graph, PlanMemory.plan(graph, NnvmOptions.DEFAULT));
      assertThat(PlanValidator.validate(pooled.problem(), pooled.plan())).as(symbol.name()).isEmpty();
    });
  }

  @Test
  void withoutALibraryTheOptionsSayWhatIsMissing() {
    assertThatThrownBy(() -> MxnetOptions.parse(List.of("--graphs", "3"))).isInstanceOf(IllegalArgumentException.class)
      .hasMessageContaining("--library");
    assertThat(MxnetOptions.parse(List.of("--library", "a.jar", "--graphs", "3")).graphs()).isEqualTo(3);
    assertThatThrownBy(() -> MxnetOptions.parse(List.of("--what"))).hasMessageContaining("--what");
  }
}
