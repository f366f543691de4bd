package dev.cairn.runtime.memory.recompute.grappler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The cases of TensorFlow's memory_optimizer_test and of its quirks, by hand. */
class GrapplerCasesTest {
  private final List<GrapplerNode> nodes = new ArrayList<>();
  private Set<String> fed = Set.of();
  private String scope = GrapplerRecompute.GRADIENTS;

  private GrapplerCasesTest node(String name, String op, String... inputs) {
    nodes.add(new GrapplerNode(name, op, List.of(inputs), "", Set.of()));
    return this;
  }

  private GrapplerCasesTest hinted(String name, String op, String... inputs) {
    nodes.add(new GrapplerNode(name, op, List.of(inputs), "", Set.of(GrapplerNode.RECOMPUTE_HINT)));
    return this;
  }

  /** The nodes after the pass, as {@code name: inputs}, but for those that stayed as they were. */
  private List<String> changes(boolean cheap) {
    GrapplerGraph before = new GrapplerGraph(nodes);
    return new GrapplerRecompute(cheap, scope, fed).apply(before).nodes().stream().filter(n -> !nodes.contains(n))
      .map(n -> n.name() + ": " + String.join(", ", n.inputs())).toList();
  }

  private GrapplerCasesTest simpleSubgraph() {
    return node("a", "Variable").hinted("b", "Identity", "a").node("c", "Identity", "b").node("gradients/d", "AddN",
      "c").node("gradients/e", "AddN", "gradients/d", "b").node("gradients/f", "AddN", "gradients/e", "a");
  }

  @Test
  void t1SimpleSubgraph() {
    assertThat(simpleSubgraph().changes(false)).containsExactly("gradients/e: gradients/d, Recomputed/b",
      "RecomputeTrigger/b: ^gradients/d", "Recomputed/b: a, ^RecomputeTrigger/b");
  }

  @Test
  void t2WhatIsFedIsNotRunAgain() {
    fed = Set.of("b");
    assertThat(simpleSubgraph().changes(false)).isEmpty();
  }

  @Test
  void t3TwoInputSubgraphs() {
    scope = "some_name_scope/gradients";
    hinted("a", "Variable").hinted("b", "Variable").node("some_name_scope/gradients/two_subgraph_inputs", "AddN", "a",
      "b");
    assertThat(changes(false)).containsExactly(
      "some_name_scope/gradients/two_subgraph_inputs: Recomputed/a, Recomputed/b", "RecomputeTrigger/a: ^b",
      "Recomputed/a: ^RecomputeTrigger/a", "RecomputeTrigger/b: ", "Recomputed/b: ^RecomputeTrigger/b");
  }

  @Test
  void t4MultiNode() {
    node("Conv", "Conv2D").node("BN", "FusedBatchNorm", "Conv").node("ReLU", "Relu", "BN").node("Conv1", "Identity",
      "ReLU");
    node("gradients/BN1Grad", "X", "Conv1").node("gradients/Conv1Grad", "X", "gradients/BN1Grad", "ReLU")
      .node("gradients/ReLUGrad", "X", "gradients/Conv1Grad", "ReLU").node("gradients/BNGrad", "X",
        "gradients/ReLUGrad", "Conv")
      .node("gradients/ConvGrad", "X", "gradients/BNGrad");
    assertThat(changes(true)).containsExactly("gradients/Conv1Grad: gradients/BN1Grad, Recomputed/ReLU",
      "gradients/ReLUGrad: gradients/Conv1Grad, Recomputed/ReLU", "RecomputeTrigger/ReLU: ^gradients/BN1Grad",
      "RecomputeTrigger/BN: ^RecomputeTrigger/ReLU", "Recomputed/BN: Conv, ^RecomputeTrigger/BN",
      "Recomputed/ReLU: Recomputed/BN, ^RecomputeTrigger/ReLU");
  }

  @Test
  void t9ResidualBlocksAreOneGroup() {
    for (int k = 1; k <= 3; k++) {
      nodes.clear();
      residual(k);
      int added = new GrapplerRecompute(true, scope, fed).apply(new GrapplerGraph(nodes)).nodes().size() - nodes.size();
      assertThat(added).as("blocks=%d", k).isEqualTo(6 * k - 2);
    }
    assertThat(changes(true).stream().filter(change -> change.startsWith("RecomputeTrigger/")).map(change -> change
      .substring(change.indexOf('/') + 1, change.indexOf(':'))).collect(Collectors.joining(" "))).isEqualTo(
        "b2/relu b2/bn b1/relu b1/bn b1/add b0/relu b0/bn b0/add");
  }

  private void residual(int blocks) {
    node("x", "Placeholder");
    String previous = "x";
    for (int i = 0; i < blocks; i++) {
      String b = "b" + i;
      node(b + "/conv", "Conv2D", previous).node(b + "/bn", "FusedBatchNorm", b + "/conv").node(b + "/relu", "Relu", b
        + "/bn").node(b + "/add", "Add", b + "/relu", previous);
      previous = b + "/add";
    }
    node("loss", "Mean", previous).node("gradients/loss", "Fill");
    String dy = "gradients/loss";
    for (int i = blocks - 1; i >= 0; i--) {
      String b = "b" + i;
      String g = "gradients/" + b;
      String before = i == 0 ? "x" : "b" + (i - 1) + "/add";
      node(g + "/relu", "X", dy, b + "/relu").node(g + "/bn", "X", g + "/relu", b + "/conv").node(g + "/filter", "X", g
        + "/bn", before).node(g + "/conv", "X", g + "/bn").node(g + "/add", "X", g + "/conv", dy);
      dy = g + "/add";
    }
  }

  @Test
  void t12OnlyFirstResultsMoveToTheCopy() {
    node("c", "Conv2D").node("bn", "FusedBatchNorm", "c").node("y", "Exp", "bn");
    node("gradients/y", "X", "y").node("gradients/bn", "X", "gradients/y", "bn", "bn:1", "^bn");
    assertThat(changes(true)).first().isEqualTo("gradients/bn: gradients/y, Recomputed/bn, bn:1, ^bn");
  }

  @Test
  void refusesCyclesAndDoubleNames() {
    node("a", "Relu", "b").node("b", "Relu", "a");
    assertThatThrownBy(() -> changes(true)).isInstanceOf(IllegalArgumentException.class).hasMessageContaining("cycle");
    nodes.clear();
    node("a", "Relu").node("a", "Relu");
    assertThatThrownBy(() -> changes(true)).isInstanceOf(IllegalArgumentException.class).hasMessageContaining("name=a");
  }

  @Test
  void aLoopIsSorted() {
    node("enter", "Enter").node("merge", "Merge", "enter", "next").node("next", "NextIteration", "merge");
    assertThat(new GrapplerGraph(nodes).sorted().nodes()).extracting(GrapplerNode::name).containsExactly("enter",
      "merge", "next");
  }
}
