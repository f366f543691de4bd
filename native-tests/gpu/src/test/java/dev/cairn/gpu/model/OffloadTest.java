package dev.cairn.gpu.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.cairn.allocator.OutOfMemory;
import dev.cairn.gpu.CudaUnderTest;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.compile.CompileOptions;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.compile.FusionChoice;
import dev.cairn.runtime.compile.MemoryNeed;
import dev.cairn.runtime.compile.OffloadChoice;
import dev.cairn.runtime.compile.Offloaded;
import dev.cairn.runtime.compile.RecomputeMode;
import dev.cairn.runtime.compile.RecomputeOptions;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.Notes;
import dev.cairn.runtime.graph.RefusedHint;
import dev.cairn.runtime.memory.analysis.HostCopies;
import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.session.SessionOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Results that wait long are copied to the host and back, so that a plan keeps to the device's limit. */
@Tag("long")
class OffloadTest {
  private static final int WIDTH = 128;
  private static final int LAYERS = 8;
  /** With enough work to find words that fit, not the cheapest. */
  private static final RecomputeOptions RECOMPUTE = RecomputeOptions.DEFAULT.withWork(1_000_000);

  private final CopyingSessions sessions = new CopyingSessions(CudaUnderTest.simulator(), model(), WIDTH, WIDTH);

  /** A model like those of training: each layer's result is read again on the way back, some under another shape. */
  private static Graph model() {
    var builder = new GraphBuilder("back and forth");
    NodeEntry at = builder.input("x", TensorType.of(DType.FLOAT32, WIDTH, WIDTH));
    NodeEntry weight = builder.constant("w", Models.weights(Shape.of(WIDTH, WIDTH), 1));
    List<NodeEntry> results = new ArrayList<>();
    for (int layer = 0; layer < LAYERS; layer++) {
      at = builder.apply("Transpose", builder.apply("Mul", at, weight));
      results.add(at);
    }
    NodeEntry turned = builder.constant("turned", TensorView.ofLongs(WIDTH, WIDTH));
    for (int layer = LAYERS - 1; layer >= 0; layer--) {
      NodeEntry again = layer % 4 == 1 ? builder.apply("Reshape", results.get(layer), turned) : results.get(layer);
      at = builder.apply("Mul", builder.apply("Transpose", builder.apply("Add", at, again)), again);
    }
    builder.output("y", at);
    return builder.build();
  }

  private static SessionOptions options(boolean replay, OffloadChoice choice) {
    return CopyingSessions.options(replay).withCompile(CompileOptions.DEFAULT.withRecompute(RECOMPUTE
      .withOffload(choice)));
  }

  private SessionOptions within(int percentOfPlan, SessionOptions options) {
    MemoryNeed need = sessions.need();
    return options.withMemoryLimitBytes(need.besidePlanBytes() + need.planBytes() * percentOfPlan / 100);
  }

  @Test
  void resultsAreEqualToTheBitAndTheDeviceHoldsWhatThePlanSays() {
    for (int percent : List.of(85, 65, 45)) {
      for (boolean replay : List.of(false, true)) {
        CompiledGraph compiled = sessions.requireEqualWithin(within(percent, options(replay, OffloadChoice.ONLY)),
          options(replay, OffloadChoice.AUTO));
        Offloaded offloaded = compiled.offloaded().orElseThrow();
        assertThat(offloaded.values()).isPositive();
        assertThat(offloaded.hostBytes()).isPositive();
        assertThat(compiled.recomputed()).as("no step runs again").isEmpty();
      }
    }
  }

  @Test
  void recomputationsAndCopiesTogetherKeepEveryBit() {
    try (var whole = Session.of(sessions.model(), options(true, OffloadChoice.AUTO))) {
      for (int percent : List.of(70, 50, 35)) {
        try (var limited = Session.of(sessions.model(), within(percent, options(true, OffloadChoice.AUTO)))) {
          sessions.requireEqualRuns(limited, whole);
        }
      }
    }
  }

  /** Steps are taken to be so slow that values live for a millisecond: TensorFlow swaps none that live shorter. */
  @Test
  void tensorflowsSwapsKeepEveryBit() {
    RecomputeOptions slow = RECOMPUTE.withMode(RecomputeMode.TF).withLinkBytesPerSecond(RECOMPUTE.linkBytesPerSecond()
      * 10_000);
    for (OffloadChoice choice : List.of(OffloadChoice.AUTO, OffloadChoice.ONLY)) {
      for (boolean replay : List.of(false, true)) {
        SessionOptions options = CopyingSessions.options(replay).withCompile(CompileOptions.DEFAULT.withRecompute(slow
          .withOffload(choice)));
        try (var whole = Session.of(sessions.model(), options);
          var limited = Session.of(sessions.model(), within(75, options))) {
          assertThat(limited.compiled().orElseThrow().offloaded().orElseThrow().values()).isPositive();
          sessions.requireEqualRuns(limited, whole);
        }
      }
    }
    SessionOptions off = CopyingSessions.options(false)
      .withCompile(CompileOptions.DEFAULT.withRecompute(slow.withOffload(
        OffloadChoice.OFF)));
    assertThatThrownBy(() -> Session.of(sessions.model(), within(75, off)).close()).isInstanceOf(OutOfMemory.class);
  }

  @Test
  void copiesAreBesideKernelsAndOrderedAsTheScheduleSays() {
    CompiledGraph compiled = sessions.requireOrderedCopies(within(60, options(false, OffloadChoice.ONLY)));
    assertThat(compiled.schedule().streams()).isEqualTo(3);
    assertThat(compiled.storage().steps().stream().filter(HostCopies::isOut).count()).isEqualTo(compiled.storage()
      .steps().stream().filter(HostCopies::isIn).count()).isPositive();
  }

  @Test
  void aFailureOfAnyCopyLeavesNothingAndTheNextRunWorks() {
    sessions.requireFaultsLeaveNothing(within(60, options(false, OffloadChoice.ONLY)), Map.of("cuMemcpyHtoDAsync", 4,
      "cuMemcpyDtoHAsync", 4, "cuStreamWaitEvent", 2, "cuEventRecord", 2, "cuGraphLaunch", 2));
  }

  @Test
  void pageLockedMemoryThatRunsOutRefusesTheModelAndLeavesNothing() {
    sessions.requireLackOfPageLockedMemoryLeavesNothing(within(60, options(false, OffloadChoice.ONLY)));
  }

  @Test
  void withoutOffloadNothingIsCopiedAndBelowTheFloorTheModelIsRefused() {
    try (var limited = Session.of(sessions.model(), within(70, options(false, OffloadChoice.OFF)))) {
      assertThat(limited.compiled().orElseThrow().offloaded()).isEmpty();
    }
    assertThatThrownBy(() -> Session.of(sessions.model(), within(5, options(false, OffloadChoice.ONLY))).close())
      .isInstanceOf(OutOfMemory.class);
  }

  /** The report of a refusal names the options that would do, and they do. */
  @Test
  void aRefusalNamesOffload() {
    CompileOptions none = CompileOptions.DEFAULT.withFusion(FusionChoice.OFF).withRecompute(RECOMPUTE.withMode(
      RecomputeMode.OFF).withOffload(OffloadChoice.OFF));
    SessionOptions off = within(60, CopyingSessions.options(false).withCompile(none));
    OutOfMemory refused = catchThrowableOfType(OutOfMemory.class, () -> Session.of(sessions.model(), off));
    OutOfMemory.Way way = refused.ways().getFirst();
    assertThat(way.option()).isEqualTo("--recompute auto --offload auto");
    try (var followed = Session.of(sessions.model(), off.withCompile(none.withRecompute(RECOMPUTE)))) {
      assertThat(followed.memoryStats().peakBytesInUse()).isLessThanOrEqualTo(way.limitBytes());
    }
  }

  /** The nodes of which the result of a run is copied to the host. */
  private static Set<String> copied(CompiledGraph compiled) {
    return compiled.storage().steps().stream().filter(HostCopies::isOut).map(it -> it.inputs().getFirst().node()
      .name().replaceAll("/again\\d+$", "")).collect(Collectors.toSet());
  }

  private static Graph hinted(Graph graph, Set<String> nodes, String value) {
    return graph.withNotes(nodes.stream().collect(Collectors.toMap(it -> it, _ -> Notes.NONE.with(Notes.OFFLOAD,
      value))));
  }

  private Set<String> copied(Graph graph, SessionOptions options) {
    try (var whole = Session.of(sessions.model(), options(false, OffloadChoice.AUTO));
      var limited = Session.of(graph, options)) {
      sessions.requireEqualRuns(limited, whole);
      return copied(limited.compiled().orElseThrow());
    }
  }

  @Test
  void hintsBindWithALimitAndWithout() {
    Graph always = hinted(sessions.model(), Set.of("Transpose", "Transpose_2"), "always");
    for (boolean replay : List.of(false, true)) {
      SessionOptions options = options(replay, OffloadChoice.AUTO);
      assertThat(copied(sessions.model(), options)).isEmpty();
      assertThat(copied(always, options)).containsExactlyInAnyOrder("Transpose", "Transpose_2");
      assertThat(copied(always, within(65, options))).contains("Transpose", "Transpose_2");
    }
    SessionOptions only = options(false, OffloadChoice.ONLY);
    Set<String> free = copied(sessions.model(), within(80, only));
    String one = free.iterator().next();
    assertThat(copied(hinted(sessions.model(), Set.of(one), "never"), within(80, only))).isNotEmpty().doesNotContain(
      one);
    Set<String> all = sessions.model().nodes().stream().filter(it -> it.name().matches("(Transpose|Mul|Add)(_\\d+)?"))
      .map(Node::name).collect(Collectors.toSet());
    assertThatThrownBy(() -> copied(hinted(sessions.model(), all, "never"), within(80, only))).isInstanceOf(
      OutOfMemory.class);
  }

  @Test
  void whereNothingIsCopiedTheHintIsRefused() {
    Graph always = hinted(sessions.model(), Set.of("Transpose"), "always");
    for (RecomputeOptions recompute : List.of(RECOMPUTE.withMode(RecomputeMode.OFF), RECOMPUTE.withMode(
      RecomputeMode.TF), RECOMPUTE.withOffload(OffloadChoice.OFF))) {
      SessionOptions options = CopyingSessions.options(false)
        .withCompile(CompileOptions.DEFAULT.withRecompute(recompute));
      assertThatThrownBy(() -> copied(always, options)).isInstanceOfSatisfying(RefusedHint.class, it -> {
        assertThat(it.hint()).isEqualTo("cairn.offload=always");
        assertThat(it.node()).isEqualTo("Transpose");
      }).hasMessageContaining("mode auto or search");
    }
    String output = sessions.model().outputs().getFirst().entry().node().name();
    assertThatThrownBy(() -> copied(hinted(sessions.model(), Set.of(output), "always"), options(false,
      OffloadChoice.AUTO))).isInstanceOfSatisfying(RefusedHint.class, it -> assertThat(it.node()).isEqualTo(output))
      .hasMessageContaining("result of the model");
    assertThatThrownBy(() -> copied(always, within(5, options(false, OffloadChoice.AUTO)))).isInstanceOfSatisfying(
      RefusedHint.class, it -> assertThat(it.node()).isEqualTo("Transpose")).hasMessageContaining("within the limit");
  }
}
