package dev.cairn.runtime.symbol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphFixture;
import dev.cairn.runtime.graph.InvalidGraph;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.Notes;
import dev.cairn.runtime.graph.PartialType;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Rules S-1 to S-4, by name. */
class SymbolTest {
  private NameScope names = NameScope.fresh();

  @BeforeEach
  void countAnew() {
    names.close();
    names = NameScope.fresh();
  }

  @AfterEach
  void close() {
    names.close();
    names = NameScope.fresh();
  }

  private static Symbol net() {
    Symbol h = Symbol.dense("fc1", Symbol.variable("data"), 128).relu().named("act1");
    return Symbol.dense("fc2", h, 10);
  }

  @Test
  void s1ListsAreInDepthFirstPostOrder() {
    Symbol net = net();
    assertThat(net.arguments()).containsExactly("data", "fc1_weight", "fc1_bias", "fc2_weight", "fc2_bias");
    assertThat(net.outputs()).containsExactly("fc2_output");
    assertThat(net.states()).isEmpty();
    assertThat(net.internals().outputs()).containsExactly("data", "fc1_weight", "fc1_bias", "fc1_output", "act1_output",
      "fc2_weight", "fc2_bias", "fc2_output");
    assertThat(net.children().outputs()).containsExactly("act1_output", "fc2_weight", "fc2_bias");
    assertThat(net.get("act1_output").children().outputs()).containsExactly("fc1_output");
    assertThat(Symbol.variable("v").children().outputs()).isEmpty();
    Symbol data = Symbol.variable("data");
    assertThat(data.add(data).children().outputs()).containsExactly("data");
    assertThat(net.get("fc1_output").arguments()).containsExactly("data", "fc1_weight", "fc1_bias");
    assertThat(Symbol.group(net, data).get(1).outputs()).containsExactly("data");
    assertThatThrownBy(() -> net.get("none")).isInstanceOf(IllegalArgumentException.class).hasMessageContaining("none")
      .hasMessageContaining("fc2_output");
    assertThat(net.graph().nodes()).extracting(it -> it.name()).containsExactly("data", "fc1_weight", "fc1_bias",
      "fc2_weight", "fc2_bias", "fc1", "act1", "fc2");
  }

  @Test
  void s1StatesAreWhatOperatorsWrite() {
    Symbol net = SymbolLayers.batchNorm("bn", Symbol.variable("data"), 1e-3f);
    assertThat(net.arguments()).containsExactly("data", "bn_gamma", "bn_beta");
    assertThat(net.states()).containsExactly("bn_running_mean", "bn_running_var");
    var fixture = new GraphFixture();
    NodeEntry w = fixture.variable("w", TensorView.ofFloats(Shape.of(1), 1));
    NodeEntry x = fixture.input("x", "float32[1]");
    fixture.assign("next", w, fixture.apply("sum", "Add", w, x));
    Graph graph = fixture.graph(x);
    Symbol opened = Symbol.of(graph);
    assertThat(opened.states()).containsExactly("w");
    assertThat(opened.arguments()).containsExactly("x");
    assertThat(opened.graph()).hasToString(graph.toString());
    assertThat(opened.neg().compose(Map.of("x", Symbol.variable("y"))).graph().assigns()).hasSize(1);
  }

  @Test
  void s1SeveralResultsAreOutputsWithNumbers() {
    List<Symbol> parts = Symbol.variable("x").split(0, 1, 2);
    assertThat(parts.get(1).outputs()).containsExactly("split0_output1");
    assertThat(parts.get(1).children().outputs()).containsExactly("x", "constant0");
    assertThatThrownBy(() -> Symbol.group(parts.get(0), parts.get(1)).relu()).isInstanceOf(
      IllegalArgumentException.class).hasMessage(
        "an operand is one output: operator=Relu operand=X outputs=[split0_output0, split0_output1]; "
          + "choose one with get");
  }

  @Test
  void s2NamesComeFromTheScopeOrTheCaller() {
    Symbol x = Symbol.variable("x");
    assertThat(List.of(x.relu().name(), x.relu().name(), x.matmul(x).name(), x.layerNorm(1, x, x, 1f).name()))
      .containsExactly("relu0", "relu1", "matMul0", "layerNormalization0");
    assertThat(Symbol.compose(null, "LSTM", Attributes.NONE, 1, Map.of("X", x)).arguments()).containsExactly("x",
      "lstm0_W", "lstm0_R");
    try (var _ = NameScope.prefix("net_"); var _ = NameScope.prefix("head_")) {
      assertThat(x.relu().name()).isEqualTo("net_head_relu0");
      assertThat(Symbol.dense("fc", x, 2).arguments()).containsExactly("x", "net_head_fc_weight", "net_head_fc_bias");
    }
    assertThat(x.relu().name()).isEqualTo("relu2");
    NameScope outer = NameScope.prefix("a");
    NameScope inner = NameScope.prefix("b");
    assertThatThrownBy(outer::close).isInstanceOf(IllegalStateException.class).hasMessageContaining("reverse");
    inner.close();
    outer.close();
    assertThat(CompletableFuture.supplyAsync(() -> {
      try (var _ = NameScope.fresh()) {
        return x.relu().name();
      }
    }).join()).isEqualTo("relu0");
  }

  @Test
  void s2NamedRenamesTheLastNodeAlone() {
    Symbol net = Symbol.dense("fc", Symbol.variable("data"), 3).named("head");
    assertThat(net.outputs()).containsExactly("head_output");
    assertThat(net.arguments()).containsExactly("data", "fc_weight", "fc_bias");
    assertThat(net).hasToString("""
      data = input ?
      fc_weight = input ?[3x?]
      fc_bias = input ?[3]
      head = Gemm{transB=1}(data, fc_weight, fc_bias)
      return head_output=head
      """);
  }

  @Test
  void s2OperandsLeftOutBecomeVariables() {
    Symbol conv = Symbol.compose("c", "Conv", Attributes.NONE, 1, Map.of("B", Symbol.variable("bias")));
    assertThat(conv.arguments()).containsExactly("c_X", "c_W", "bias");
    assertThatThrownBy(() -> Symbol.compose("c", "Conv", Attributes.NONE, 1, Map.of("weight", conv)))
      .isInstanceOf(IllegalArgumentException.class).hasMessage(
        "no such operand: operator=Conv operand=weight operands=[X, W, B]");
    assertThatThrownBy(() -> Symbol.compose("c", "Convolve", Attributes.NONE, 1, Map.of()))
      .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("no such operator: operator=Convolve");
    assertThatThrownBy(() -> Symbol.compose("s", "SequenceAt", Attributes.NONE, 1, Map.of()))
      .isInstanceOf(IllegalArgumentException.class).hasMessage(
        "symbols are tensors, not sequences or optionals: operator=SequenceAt");
    assertThat(Symbol.compose("m", "my:Square", Attributes.NONE, 1, Map.of()).name()).isEqualTo("m");
  }

  @Test
  void s2TwoVariablesOfOneNameAreRefusedWhenTheGraphIsClosed() {
    Symbol sum = Symbol.variable("w").relu().add(Symbol.variable("w", PartialType.of(DType.INT8)).neg());
    assertThat(sum.arguments()).containsExactly("w", "w");
    assertThatThrownBy(sum::graph).isInstanceOf(InvalidGraph.class).hasMessage(
      "two different variables have one name: {w = input ?} read by [relu0], "
        + "{w = input int8[...]} read by [neg0]: node=w");
  }

  @Test
  void s2FurtherNodesOfOneNameGetANumberWhenTheGraphIsClosed() {
    Symbol x = Symbol.variable("x");
    Symbol twice = Symbol.group(x.relu().named("a"), x.neg().named("a"), x.neg().named("a").relu().named("x"));
    assertThat(twice.graph()).hasToString("""
      x = input ?
      a = Relu(x)
      a_1 = Neg(x)
      a_2 = Neg(x)
      x_1 = Relu(a_2)
      return a_output=a, a_output_1=a_1, x_output=x_1
      """);
  }

  @Test
  void s3ComposeReplacesVariablesAndGroups() {
    Symbol other = Symbol.variable("image").relu().named("first");
    Symbol net = net().compose(Map.of("data", other));
    assertThat(net.arguments()).containsExactly("image", "fc1_weight", "fc1_bias", "fc2_weight", "fc2_bias");
    assertThat(net().compose(Map.of("data", net)).outputs()).containsExactly("fc2_output");
    Symbol same = Symbol.group(other, other);
    assertThat(same.outputs()).containsExactly("first_output", "first_output");
    assertThat(same.graph().outputs()).extracting(Graph.Output::name).containsExactly("first_output", "first_output_1");
    assertThatThrownBy(() -> net.compose(Map.of("data", other))).isInstanceOf(IllegalArgumentException.class)
      .hasMessage("cannot compose: data is no free variable; free variables="
        + "[image, fc1_weight, fc1_bias, fc2_weight, fc2_bias]");
    assertThatThrownBy(() -> net.compose(Map.of("image", same))).isInstanceOf(IllegalArgumentException.class)
      .hasMessageStartingWith("cannot compose: image would be 2 outputs [first_output, first_output];");
    Symbol composed = Symbol.variable("v").compose(Map.of("v", other));
    assertThat(composed.outputs()).containsExactly("first_output");
  }

  @Test
  void s3ValuesTakeThePlaceOfVariables() {
    Symbol net = Symbol.dense("fc", Symbol.variable("x"), 1)
      .withValues(Map.of("fc_weight", TensorView.ofFloats(Shape.of(
        1, 2), 1, 2), "fc_bias", TensorView.ofFloats(Shape.of(1), 3)));
    assertThat(net.arguments()).containsExactly("x");
    assertThat(net.graph()).hasToString("""
      x = input ?
      fc_weight = constant float32[1x2]
      fc_bias = constant float32[1]
      fc = Gemm{transB=1}(x, fc_weight, fc_bias)
      return fc_output=fc
      """);
  }

  @Test
  void s4ExplicitNotesWinOverInnerOverOuter() {
    Symbol x = Symbol.variable("x");
    Symbol net;
    try (var _ = NoteScope.of(Map.of("ctx_group", "outer", "__lr_mult__", "1", "a", "outer"));
      var _ = NoteScope.of("ctx_group", "inner")) {
      net = x.relu().withNotes(Map.of("lr_mult", "3"));
      assertThat(Symbol.variable("v").notes()).hasToString("a=outer, ctx_group=inner, lr_mult=1");
    }
    assertThat(net.notes()).hasToString("a=outer, ctx_group=inner, lr_mult=3");
    assertThat(net.notes().get("__lr_mult__")).contains("3");
    assertThat(x.relu().notes()).isEqualTo(Notes.NONE);
    assertThat(CompletableFuture.supplyAsync(() -> x.relu().notes()).join()).isEqualTo(Notes.NONE);
  }

  @Test
  void s4VariablesThatComeByThemselvesInheritNotes() {
    Symbol net;
    try (var _ = NoteScope.of("ctx_group", "dev1")) {
      net = Symbol.dense("fc", Symbol.variable("x"), 2);
    }
    net = net.withNotes(Map.of("weight_lr_mult", "2", "wd_mult", "0", "bias___wd_mult__", "4")).relu();
    assertThat(net.allNotes()).hasToString("{x=ctx_group=dev1, fc_weight=ctx_group=dev1, lr_mult=2, wd_mult=0, "
      + "fc_bias=ctx_group=dev1, wd_mult=4, fc=ctx_group=dev1, wd_mult=0}");
    assertThat(net.graph().notes()).containsEntry("fc_weight", Notes.of(Map.of("ctx_group", "dev1", "lr_mult", "2",
      "wd_mult", "0")));
  }

  @Test
  void aLongChainNeedsNoStack() {
    Symbol x = Symbol.variable("x");
    Symbol y = x;
    for (int i = 0; i < 20_000; i++) {
      y = y.relu();
    }
    Symbol z = y.compose(Map.of("x", Symbol.variable("z", PartialType.of(DType.FLOAT32, 2))));
    assertThat(z.infer(Map.of()).outputs()).containsExactly(PartialType.of(DType.FLOAT32, 2));
    assertThat(z.graph().nodes()).hasSize(20_001);
  }
}
