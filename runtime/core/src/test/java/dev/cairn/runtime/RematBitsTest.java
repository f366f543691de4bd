package dev.cairn.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.allocator.OutOfMemory;
import dev.cairn.runtime.compile.CompileOptions;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.compile.FusionChoice;
import dev.cairn.runtime.compile.MemoryNeed;
import dev.cairn.runtime.compile.Recomputed;
import dev.cairn.runtime.compile.RematMode;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.memory.analysis.TrainingGraphs;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Models that need more memory than they may take: steps run again, and every bit stays as it is. */
class RematBitsTest {
  private static final int BATCH = 256;
  private static final int WIDTH = 16;

  private static SessionOptions options(CompileOptions compile) {
    return SessionOptions.DEFAULT.withThreads(1).withCompile(compile);
  }

  private static CompiledGraph compiled(Graph graph, SessionOptions options) {
    try (var session = Session.of(graph, options)) {
      return session.compiled().orElseThrow();
    }
  }

  /** What three iterations leave, and how they were compiled. */
  private record Trained(Map<String, float[]> values, CompiledGraph compiled) {}

  private static Trained trained(Graph graph, SessionOptions options) {
    float[] x = new float[BATCH * WIDTH];
    Map<String, float[]> values = new TreeMap<>();
    try (var session = Session.of(graph, options)) {
      for (int run = 0; run < 3; run++) {
        for (int i = 0; i < x.length; i++) {
          x[i] = (i * 7 + run) % 11 / 8f - 0.5f;
        }
        try (var result = session.run(Map.of("x", Tensor.of(x, BATCH, WIDTH)))) {
          values.put("loss" + run, result.get("loss").toFloatArray());
        }
      }
      session.info().variables().keySet().forEach(name -> values.put(name, session.variable(name).toFloatArray()));
      return new Trained(values, session.compiled().orElseThrow());
    }
  }

  @Test
  void aTrainingIterationRunsWithinALimitToTheBit() {
    for (FusionChoice fusion : List.of(FusionChoice.OFF, FusionChoice.ON)) {
      Graph graph = fusion == FusionChoice.ON
        ? TrainingGraphs.adam(8, BATCH, WIDTH)
        : TrainingGraphs.sgd(8, BATCH, WIDTH);
      SessionOptions options = options(CompileOptions.DEFAULT.withFusion(fusion));
      Trained once = trained(graph, options);
      MemoryNeed need = MemoryNeed.of(once.compiled, true);
      assertThat(once.compiled.recomputed()).as("no limit, no recomputation").isEmpty();
      for (int percent : List.of(90, 70)) {
        long limit = need.besidePlanBytes() + need.planBytes() * percent / 100;
        Trained again = trained(graph, options.withMemoryLimitBytes(limit));
        Recomputed done = again.compiled.recomputed().orElseThrow();
        assertThat(done.fits()).isTrue();
        assertThat(done.reruns()).isNotEmpty().allMatch(it -> it.contains("/again"));
        assertThat(done.overhead()).isBetween(0.001, 0.3);
        assertThat(MemoryNeed.of(again.compiled, true).totalBytes()).isLessThanOrEqualTo(limit);
        assertThat(again.compiled.storage().steps()).hasSize(done.steps());
        assertThat(again.values).usingRecursiveComparison().isEqualTo(once.values);
      }
    }
  }

  @Test
  void aLimitThatAPlanMeetsChangesNothing() {
    Graph graph = TrainingGraphs.sgd(4, BATCH, WIDTH);
    SessionOptions options = options(CompileOptions.DEFAULT);
    CompiledGraph once = compiled(graph, options);
    CompiledGraph limited = compiled(graph, options.withMemoryLimitBytes(MemoryNeed.of(once, true).totalBytes()));
    assertThat(limited.recomputed()).isEmpty();
    assertThat(limited.storage().steps()).extracting(it -> it.name()).isEqualTo(once.storage().steps().stream().map(
      it -> it.name()).toList());
    assertThat(limited.plan()).isEqualTo(once.plan());
  }

  @Test
  void whatDoesNotFitIsRefusedWithTheFloor() {
    Graph graph = TrainingGraphs.sgd(6, BATCH, WIDTH);
    SessionOptions options = options(CompileOptions.DEFAULT);
    MemoryNeed need = MemoryNeed.of(compiled(graph, options), true);
    long limit = need.besidePlanBytes() + 512;
    assertThatThrownBy(() -> Session.of(graph, options.withMemoryLimitBytes(limit)).close())
      .isInstanceOf(OutOfMemory.class).hasMessageContaining("no plan takes less than");
    SessionOptions off = options(CompileOptions.DEFAULT.withRemat(CompileOptions.DEFAULT.remat().withMode(
      RematMode.OFF)));
    assertThatThrownBy(() -> Session.of(graph, off.withMemoryLimitBytes(need.totalBytes() - 1024)).close())
      .isInstanceOf(OutOfMemory.class);
  }
}
