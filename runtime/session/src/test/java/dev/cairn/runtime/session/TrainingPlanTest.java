package dev.cairn.runtime.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.kernels.attribute.PointwiseProgram;
import dev.cairn.runtime.compile.CompileOptions;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.compile.FusionChoice;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.memory.Buffer;
import dev.cairn.runtime.memory.analysis.Place;
import dev.cairn.runtime.memory.analysis.TrainingGraphs;
import dev.cairn.runtime.value.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Plans of training iterations: gradients live from their last term to their update, and updates cost no memory. */
class TrainingPlanTest {
  private static final int LAYERS = 6;
  private static final int BATCH = 4;
  private static final int WIDTH = 192;
  private static final long WEIGHT_BYTES = 4L * WIDTH * WIDTH;

  private static SessionOptions options(CompileOptions compile) {
    return SessionOptions.DEFAULT.withThreads(1).withCompile(compile);
  }

  private static CompileOptions fused(FusionChoice fusion) {
    return CompileOptions.DEFAULT.withFusion(fusion);
  }

  private static CompiledGraph compiled(Graph graph, CompileOptions options) {
    try (var session = Session.of(graph, options(options))) {
      return session.compiled().orElseThrow();
    }
  }

  private static List<Integer> updates(CompiledGraph compiled) {
    List<Integer> updates = new ArrayList<>();
    for (int step = 0; step < compiled.storage().steps().size(); step++) {
      Node node = compiled.storage().steps().get(step);
      if (place(compiled, node) instanceof Place.Variable) {
        updates.add(step);
      }
    }
    return updates;
  }

  private static Place place(CompiledGraph compiled, Node node) {
    return compiled.storage().places().get(compiled.graph().entryId(node.entry()));
  }

  @ParameterizedTest
  @EnumSource(names = {"OFF", "ON"})
  void eachUpdateComesWhereItsGradientIsComplete(FusionChoice fusion) {
    requireEarlyUpdates(compiled(TrainingGraphs.sgd(LAYERS, BATCH, WIDTH), fused(fusion)));
  }

  private static void requireEarlyUpdates(CompiledGraph compiled) {
    List<Integer> updates = updates(compiled);
    assertThat(updates).hasSize(LAYERS);
    for (int update : updates) {
      Node before = compiled.storage().steps().get(update - 1);
      Node node = compiled.storage().steps().get(update);
      boolean makesOperand = node.inputs().stream().anyMatch(it -> it.node() == before);
      boolean readsOldValue = before.inputs().stream().anyMatch(node.inputs()::contains);
      assertThat(makesOperand || readsOldValue).as("update %d right after %s", update, before).isTrue();
    }
    assertThat(compiled.storage().variables().direct()).hasSize(LAYERS);
  }

  /** Without the search all gradients are held at once, with it one. */
  @Test
  void updatesThatTheGraphHasLastMoveForward() {
    Graph graph = TrainingGraphs.sgd(LAYERS, BATCH, WIDTH);
    List<Node> updates = graph.nodes().stream().filter(TrainingPlanTest::isUpdate).toList();
    List<Node> order = new ArrayList<>(graph.nodes());
    order.removeAll(updates);
    order.addAll(updates);
    CompileOptions asGiven = fused(FusionChoice.OFF).withSimplify(false);
    CompiledGraph last = compiled(graph.inOrder(order), asGiven.withReorder(false));
    assertThat(last.plan().peakBytes()).isGreaterThan(LAYERS * WEIGHT_BYTES);
    CompiledGraph early = compiled(graph.inOrder(order), asGiven);
    requireEarlyUpdates(early);
    // A transposed weight, and a gradient or its step.
    assertThat(early.plan().peakBytes()).isLessThan(3 * WEIGHT_BYTES);
  }

  private static boolean isUpdate(Node node) {
    return node.kind() instanceof NodeKind.Assign || node.operator().equals("Sub") || node.inputs().stream().anyMatch(
      it -> it.node().name().startsWith("rate"));
  }

  @Test
  void anAdamUpdateIsOneStepThatWritesAllItsVariables() {
    CompiledGraph compiled = compiled(TrainingGraphs.adam(LAYERS, BATCH, WIDTH), fused(FusionChoice.ON));
    List<Node> updates = updates(compiled).stream().map(compiled.storage().steps()::get).toList();
    assertThat(updates).hasSize(LAYERS).allMatch(it -> it.operator().equals(PointwiseProgram.OPERATOR) && it.kind()
      .outputs() == 3);
    assertThat(compiled.storage().variables().direct()).hasSize(3 * LAYERS);
    assertThat(compiled.storage().steps()).noneMatch(it -> it.kind() instanceof NodeKind.Assign).noneMatch(it -> it
      .name().endsWith("/kept"));
    for (Node update : updates) {
      assertThat(compiled.storage().problem().buffers()).extracting(Buffer::name).as("its scratch memory alone")
        .filteredOn(it -> it.matches(update.name() + "([:/].*)?")).containsExactly(update.name() + "/workspace");
    }
  }

  /** Three iterations leave the same bits, whatever is fused, moved, written in place or run beside another. */
  @Test
  void planningChangesNoBits() {
    for (Graph graph : List.of(TrainingGraphs.sgd(3, BATCH, 8), TrainingGraphs.adam(3, BATCH, 8))) {
      Map<String, float[]> wanted = trained(graph, fused(FusionChoice.OFF).withReorder(false).withInPlace(false)
        .withSimplify(false));
      SameValues.assertSame(trained(graph, fused(FusionChoice.OFF)), wanted);
      SameValues.assertSame(trained(graph, fused(FusionChoice.ON)), wanted);
      SameValues.assertSame(trained(graph, fused(FusionChoice.ON).withStreams(2)), wanted);
    }
  }

  private static Map<String, float[]> trained(Graph graph, CompileOptions compile) {
    float[] x = new float[BATCH * 8];
    Map<String, float[]> values = new TreeMap<>();
    try (var session = Session.of(graph, options(compile))) {
      for (int run = 0; run < 3; run++) {
        for (int i = 0; i < x.length; i++) {
          x[i] = (i * 7 + run) % 11 / 8f - 0.5f;
        }
        try (var result = session.run(Map.of("x", Tensor.of(x, BATCH, 8)))) {
          values.put("loss" + run, result.get("loss").toFloatArray());
        }
      }
      session.info().variables().keySet().forEach(name -> values.put(name, session.variable(name).toFloatArray()));
    }
    return values;
  }
}
