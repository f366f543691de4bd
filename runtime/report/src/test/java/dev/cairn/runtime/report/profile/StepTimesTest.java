package dev.cairn.runtime.report.profile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.runtime.trace.Span;
import dev.cairn.runtime.trace.Trace;
import dev.cairn.runtime.trace.TracedGraph;
import dev.cairn.runtime.trace.TracedRun;
import dev.cairn.runtime.trace.TracedStep;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StepTimesTest {
  private static final TracedStep CONV = new TracedStep("c", "Conv", "vector", "", 0, 0, 0, List.of());
  private static final TracedStep RELU = new TracedStep("r", "Relu", "vector", "", 0, 0, 0, List.of());

  private static TracedGraph graph(String name) {
    return new TracedGraph(name, "cpu", 1, 0, List.of(CONV, RELU), List.of());
  }

  private static TracedRun run(TracedGraph graph, boolean failed, long... nanos) {
    List<Span> spans = new ArrayList<>();
    for (int i = 0; i < nanos.length; i++) {
      spans.add(new Span(i, 0, 1000, 1000 + nanos[i], true));
    }
    return new TracedRun(0, 0, graph, 0, 0, 9999, failed, spans, List.of());
  }

  private static List<StepTimes> of(TracedRun... runs) {
    return StepTimes.of(new Trace(Instant.EPOCH, List.of(runs), 0));
  }

  @Test
  void timesAreAddedUpByStepAndTheLongestComesFirst() {
    List<StepTimes> times = of(run(graph("g"), false, 10, 70), run(graph("g"), false, 30, 50),
      run(graph("g"), false, 20, 20));
    assertThat(times).extracting(it -> it.known().operator()).containsExactly("Relu", "Conv");
    assertThat(times).extracting(StepTimes::medianNanos).containsExactly(50L, 20L);
    assertThat(times).extracting(StepTimes::totalNanos).containsExactly(140L, 60L);
    assertThat(times).extracting(StepTimes::runs).containsExactly(3, 3);
    assertThat(times).extracting(StepTimes::share).containsExactly(150 / 210.0, 60 / 210.0);
  }

  @Test
  void aHiccupMakesNoStepSlow() {
    List<StepTimes> times = of(run(graph("g"), false, 10, 5), run(graph("g"), false, 10, 5000), run(graph("g"), false,
      10, 5));
    assertThat(times).extracting(it -> it.known().operator()).containsExactly("Conv", "Relu");
    assertThat(times.getLast().totalNanos()).isEqualTo(5010);
  }

  @Test
  void graphsAreKeptApartAndTiesGoToTheEarlier() {
    List<StepTimes> times = of(run(graph("g"), false, 5, 5), run(graph("h"), false, 5, 5));
    assertThat(times).extracting(it -> it.graph().name() + it.step()).containsExactly("g0", "g1", "h0", "h1");
  }

  @Test
  void eachIsOneLineWithoutTheWholeGraph() {
    assertThat(of(run(graph("g"), false, 10, 30)).getFirst()).hasToString(
      "graph=g step=1 operator=Relu node=%s runs=1 medianNanos=30 share=0.750".formatted(RELU.node()));
  }

  @Test
  void failedRunsDoNotCountNorStepsThatNeverRan() {
    assertThat(of(run(graph("g"), true, 5, 5))).isEmpty();
    List<StepTimes> times = of(run(graph("g"), true, 900, 5), run(graph("g"), false, 7));
    assertThat(times).hasSize(1);
    assertThat(times.getFirst().medianNanos()).isEqualTo(7);
    assertThat(of(run(graph("g"), false, 0)).getFirst().share()).as("of no time at all").isZero();
    assertThat(of(run(graph("g"), false, 3, 1), run(graph("g"), false, 1, 1)).getFirst().medianNanos()).as(
      "the lower of two").isEqualTo(1);
    assertThat(of()).isEmpty();
  }
}
