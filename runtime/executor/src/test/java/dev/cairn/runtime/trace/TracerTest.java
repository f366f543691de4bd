package dev.cairn.runtime.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.testing.GarbageMeter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TracerTest {
  static TracedGraph graph(String name, int steps, int copies) {
    List<TracedStep> known = IntStream.range(0, steps).mapToObj(i -> new TracedStep("n" + i, "Add", "portable", "", 8,
      4, 12, List.of())).toList();
    return new TracedGraph(name, "cpu", 2, 100, known, Collections.nCopies(copies, new TracedCopy("y", "float32[1]",
      4)));
  }

  private static void run(Tracer tracer, TracedGraph graph, boolean failed) {
    RunObserver probe = tracer.observe(graph);
    probe.admitted();
    for (int step = 0; step < graph.steps().size(); step++) {
      probe.stepBegan(step, step % 2);
      probe.stepEnded(step, step % 2);
    }
    for (int copy = 0; copy < graph.copies().size(); copy++) {
      probe.copyBegan(copy);
      probe.copyEnded(copy);
    }
    probe.ended(failed);
  }

  @Test
  void whatHappenedIsToldInItsOrder() {
    Tracer tracer = Tracer.keeping(4);
    TracedGraph graph = graph("g", 5, 2);
    run(tracer, graph, false);
    Trace trace = tracer.trace();
    assertThat(trace.forgotten()).isZero();
    TracedRun run = trace.runs().getFirst();
    assertThat(trace.runs()).hasSize(1);
    assertThat(run.graph()).isSameAs(graph);
    assertThat(run.failed()).isFalse();
    assertThat(run.steps()).extracting(Span::index).containsExactly(0, 1, 2, 3, 4);
    assertThat(run.steps()).extracting(Span::stream).containsExactly(0, 1, 0, 1, 0);
    assertThat(run.copies()).extracting(Span::index).containsExactly(0, 1);
    long last = run.askedNanos();
    List<Long> times = new ArrayList<>(List.of(run.beganNanos()));
    for (Span span : run.steps()) {
      assertThat(span.finished()).isTrue();
      times.addAll(List.of(span.beginNanos(), span.endNanos()));
    }
    run.copies().forEach(span -> times.addAll(List.of(span.beginNanos(), span.endNanos())));
    times.add(run.endNanos());
    assertThat(last).isNotNegative();
    for (long time : times) {
      assertThat(time).isGreaterThanOrEqualTo(last);
      last = time;
    }
  }

  @Test
  void theLastRunsAreKeptAndTheOthersCounted() {
    Tracer tracer = Tracer.keeping(3);
    for (int i = 0; i < 10; i++) {
      run(tracer, graph("g" + i, i % 4, i % 3), i % 2 == 0);
      assertThat(tracer.trace().forgotten()).isEqualTo(Math.max(0, i - 2));
    }
    List<TracedRun> runs = tracer.trace().runs();
    assertThat(runs).extracting(TracedRun::number).containsExactly(7L, 8L, 9L);
    for (TracedRun run : runs) {
      assertThat(run.graph().name()).isEqualTo("g" + run.number());
      assertThat(run.steps()).hasSize((int) run.number() % 4);
      assertThat(run.copies()).hasSize((int) run.number() % 3);
      assertThat(run.failed()).isEqualTo(run.number() % 2 == 0);
    }
    tracer.clear();
    assertThat(tracer.trace().runs()).isEmpty();
    assertThat(tracer.trace().forgotten()).isZero();
    run(tracer, graph("again", 1, 1), false);
    assertThat(tracer.trace().runs()).extracting(TracedRun::number).containsExactly(10L);
  }

  /** Random sizes one after the other in recycled arrays: nothing of an earlier run is ever seen in a later one. */
  @Test
  void whatAnEarlierRunLeftIsNotSeen() {
    for (int seed = 0; seed < 50; seed++) {
      var random = new SplittableRandom(seed);
      Tracer tracer = Tracer.keeping(1 + random.nextInt(3));
      for (int i = 0; i < 20; i++) {
        TracedGraph graph = graph("g", random.nextInt(12), random.nextInt(3));
        int begun = random.nextInt(graph.steps().size() + 1);
        RunObserver probe = tracer.observe(graph);
        for (int step = 0; step < begun; step++) {
          probe.stepBegan(step, 0);
        }
        probe.ended(true);
        TracedRun run = tracer.trace().runs().getLast();
        assertThat(run.steps()).hasSize(begun).noneMatch(Span::finished).allMatch(it -> it.endNanos() == run
          .endNanos());
        assertThat(run.copies()).isEmpty();
        assertThat(run.beganNanos()).as("never admitted").isEqualTo(run.endNanos());
      }
    }
  }

  @Test
  void runsThatOverlapHaveLanesOfTheirOwn() {
    Tracer tracer = Tracer.keeping(8);
    TracedGraph graph = graph("g", 1, 0);
    RunObserver first = tracer.observe(graph);
    RunObserver second = tracer.observe(graph);
    first.ended(false);
    RunObserver third = tracer.observe(graph);
    third.ended(false);
    second.ended(false);
    run(tracer, graph, false);
    assertThat(tracer.trace().runs()).extracting(TracedRun::number).containsExactly(0L, 2L, 1L, 3L);
    assertThat(tracer.trace().runs()).extracting(TracedRun::lane).containsExactly(0, 0, 1, 0);
  }

  @Test
  void manyThreadsMayRecordWhileOneReads() throws Exception {
    Tracer tracer = Tracer.keeping(16);
    TracedGraph graph = graph("g", 20, 1);
    List<Callable<Integer>> work = new ArrayList<>(Collections.nCopies(4, () -> {
      for (int i = 0; i < 100; i++) {
        run(tracer, graph, false);
      }
      return 0;
    }));
    work.add(() -> {
      for (int i = 0; i < 50; i++) {
        for (TracedRun run : tracer.trace().runs()) {
          assertThat(run.steps()).hasSize(20).allMatch(it -> it.finished() && it.nanos() >= 0 && it.endNanos() <= run
            .endNanos() && it.beginNanos() >= run.beganNanos());
        }
      }
      return 0;
    });
    try (ExecutorService threads = Executors.newFixedThreadPool(work.size())) {
      for (Future<Integer> done : threads.invokeAll(work)) {
        done.get();
      }
    }
    Trace trace = tracer.trace();
    assertThat(trace.runs()).hasSize(16).allMatch(it -> it.lane() < 4);
    assertThat(trace.forgotten()).isEqualTo(400 - 16);
  }

  @Test
  void recordingMakesNoGarbageOnceAsManyRunsWereKept() {
    Tracer tracer = Tracer.keeping(4);
    TracedGraph graph = graph("g", 50, 1);
    assertThat(GarbageMeter.leastBytes(() -> {
      for (int i = 0; i < 200; i++) {
        run(tracer, graph, false);
      }
    })).as("less than an object of 8 bytes a run").isLessThan(200 * 8);
  }

  @Test
  void offRecordsNothingAndOneOfTwoIsTheOther() {
    assertThat(Tracer.OFF.isOn()).isFalse();
    RunObserver none = Tracer.OFF.observe(graph("g", 1, 1));
    assertThat(none).isSameAs(RunObserver.NONE);
    assertThat(Tracer.OFF.trace().runs()).isEmpty();
    RunObserver other = new RunObserver() {};
    assertThat(RunObserver.all(none, other)).isSameAs(other);
    assertThat(RunObserver.all(other, none)).isSameAs(other);
    assertThat(RunObserver.all(none, none)).isSameAs(none);
    assertThatThrownBy(() -> Tracer.keeping(0)).isInstanceOf(IllegalArgumentException.class).hasMessageContaining(
      "runs=0");
    assertThatThrownBy(() -> new TracedGraph("g", "cpu", 0, 0, List.of(), List.of())).isInstanceOf(
      IllegalArgumentException.class).hasMessageContaining("streams=0");
  }

  @Test
  void twoAreToldAlikeInReverseOrderOfTheEnds() {
    List<String> heard = new ArrayList<>();
    RunObserver both = RunObserver.all(hearing("a", heard), hearing("b", heard));
    both.admitted();
    both.stepBegan(3, 1);
    both.stepEnded(3, 1);
    both.copyBegan(2);
    both.copyEnded(2);
    both.ended(true);
    assertThat(heard).containsExactly("a admitted", "b admitted", "a step 3 1", "b step 3 1", "b stepped 3 1",
      "a stepped 3 1", "a copy 2", "b copy 2", "b copied 2", "a copied 2", "b ended true", "a ended true");
  }

  @Test
  void thoseThatWantItAreToldOfMemory() {
    List<String> heard = new ArrayList<>();
    RunObserver memory = new RunObserver() {
      @Override
      public boolean observesMemory() {
        return true;
      }

      @Override
      public void memoryUsed(int step, MemoryUse use, long address, long bytes) {
        heard.add("%d %s %d %d".formatted(step, use, address, bytes));
      }
    };
    RunObserver both = RunObserver.all(hearing("a", heard), memory);
    assertThat(both.observesMemory()).isTrue();
    assertThat(RunObserver.all(hearing("a", heard), hearing("b", heard)).observesMemory()).isFalse();
    both.memoryUsed(1, MemoryUse.SCRATCH, 256, 3);
    assertThat(heard).containsExactly("1 SCRATCH 256 3");
  }

  @Test
  void whoHeardOfABeginningHearsOfTheEndWhateverOthersThrow() {
    List<String> heard = new ArrayList<>();
    RunObserver failing = new RunObserver() {
      @Override
      public void stepBegan(int step, int stream) {
        throw new IllegalStateException("beginning");
      }

      @Override
      public void ended(boolean failed) {
        throw new IllegalStateException("end");
      }
    };
    RunObserver all = RunObserver.all(hearing("a", heard), failing, hearing("b", heard));
    assertThatThrownBy(() -> all.stepBegan(1, 0)).hasMessage("beginning");
    assertThatThrownBy(() -> all.ended(false)).hasMessage("end");
    assertThat(heard).containsExactly("a step 1 0", "a stepped 1 0", "b ended false", "a ended false");
  }

  private static RunObserver hearing(String name, List<String> heard) {
    return new RunObserver() {
      @Override
      public void admitted() {
        heard.add(name + " admitted");
      }

      @Override
      public void stepBegan(int step, int stream) {
        heard.add("%s step %d %d".formatted(name, step, stream));
      }

      @Override
      public void stepEnded(int step, int stream) {
        heard.add("%s stepped %d %d".formatted(name, step, stream));
      }

      @Override
      public void copyBegan(int copy) {
        heard.add("%s copy %d".formatted(name, copy));
      }

      @Override
      public void copyEnded(int copy) {
        heard.add("%s copied %d".formatted(name, copy));
      }

      @Override
      public void ended(boolean failed) {
        heard.add("%s ended %s".formatted(name, failed));
      }
    };
  }
}
