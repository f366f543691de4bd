package dev.cairn.runtime.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.runtime.compile.CompileOptions;
import dev.cairn.runtime.compile.FusionChoice;
import dev.cairn.runtime.executor.RandomGraphs;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Whole graphs with and without fusion: results are the same to the bit, in place, on several streams. */
class FusedSessionTest {
  @Test
  void resultsAreThoseOfTheUnfusedGraphToTheBit() {
    int fewer = 0;
    for (int seed = 0; seed < 60; seed++) {
      Graph graph = RandomGraphs.of(seed, 20 + seed % 40);
      CompileOptions options = CompileOptions.DEFAULT.withStreams(1 + seed % 3);
      List<byte[]> expected = new ArrayList<>();
      List<byte[]> actual = new ArrayList<>();
      int unfused = run(graph, options.withFusion(FusionChoice.OFF), expected);
      int fused = run(graph, options.withFusion(FusionChoice.ON), actual);
      for (int i = 0; i < expected.size(); i++) {
        assertThat(actual.get(i)).as("seed %d output %d", seed, i).isEqualTo(expected.get(i));
      }
      fewer += fused < unfused ? 1 : 0;
    }
    assertThat(fewer).isGreaterThan(30);
  }

  /** How many steps the graph has; its results, twice, are added. */
  private static int run(Graph graph, CompileOptions options, List<byte[]> results) {
    var random = new SplittableRandom(1);
    SessionOptions of = SessionOptions.DEFAULT.withCompile(options).withThreads(3);
    try (var session = Session.of(graph, of);
      Tensor a = tensor(random);
      Tensor b = tensor(random)) {
      for (int round = 0; round < 2; round++) {
        try (Result result = session.run(Map.of("a", a, "b", b))) {
          for (Graph.Output output : graph.outputs()) {
            results.add(result.get(output.name()).view().segment().toArray(ValueLayout.JAVA_BYTE));
          }
        }
      }
      return session.compiled().orElseThrow().storage().steps().size();
    }
  }

  private static Tensor tensor(SplittableRandom random) {
    float[] values = new float[4 * 6];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) random.nextDouble(-1, 1);
    }
    return Tensor.of(values, 4, 6);
  }
}
