package dev.cairn.runtime.executor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.cairn.allocator.OutOfMemory;
import dev.cairn.runtime.backend.LocatedView;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.memory.analysis.StreamSchedule;
import dev.cairn.runtime.trace.RunObserver;
import dev.cairn.testing.GarbageMeter;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs on one and on several streams: what goes at the same time, and what is left after a failure. */
class StreamedRunTest {
  private static final int HEIGHT = 5;
  private static final int RUNS = 100;
  /** Bytes. */
  private static final int LEAST_OBJECT = 8;

  private static void assertRunsWell(TowersFixture fixture, StaticExecutor executor, float value) {
    fixture.run(executor, fixture.input(value));
    assertThat(executor.output(0).doubleAt(TowersFixture.COUNT - 1)).isEqualTo(fixture.expected(value));
    assertThat(fixture.listener().began).hasSize(fixture.compiled().storage().steps().size());
    assertQuiet(fixture);
  }

  private static void assertQuiet(TowersFixture fixture) {
    assertThat(fixture.listener().underWay).hasValue(0);
  }

  private static void meet(CyclicBarrier barrier) {
    try {
      barrier.await();
    } catch (InterruptedException | BrokenBarrierException e) {
      throw new IllegalStateException("the others never came", e);
    }
  }

  @Test
  void towersAreAtWorkAtTheSameTime() {
    try (var fixture = TowersFixture.of(3, HEIGHT); var executor = fixture.newExecutor()) {
      var barrier = new CyclicBarrier(3);
      StreamSchedule schedule = fixture.compiled().schedule();
      assertThat(schedule.stepsOn(1)).as("the test counts on it").isPositive();
      Set<Integer> first = new TreeSet<>();
      for (int stream = 0; stream < 3; stream++) {
        int wanted = stream;
        for (int step = 0; step < schedule.steps().size(); step++) {
          if (schedule.steps().get(step).stream() == wanted) {
            first.add(step);
            break;
          }
        }
      }
      fixture.inKernel(step -> {
        if (first.contains(step)) {
          meet(barrier);
        }
      });
      assertRunsWell(fixture, executor, 3);
    }
  }

  /** Steps that must come after a step, by stream order or waits. */
  private static Set<Integer> after(StreamSchedule schedule, int failed) {
    Set<Integer> after = new TreeSet<>(Set.of(failed));
    for (int step = failed + 1; step < schedule.steps().size(); step++) {
      StreamSchedule.Step it = schedule.steps().get(step);
      boolean sameStream = it.stream() == schedule.steps().get(failed).stream();
      if (sameStream || it.waits().stream().anyMatch(after::contains)) {
        after.add(step);
      }
    }
    after.remove(failed);
    return after;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void aStepThatFailsEndsTheRunWhicheverItIsAndTheNextRunIsWell(int streams) {
    List<IntFunction<Throwable>> kinds = List.of(step -> new IllegalStateException("step " + step),
      step -> new StackOverflowError("step " + step), step -> new ArithmeticException("step " + step),
      step -> new AssertionError("step " + step), step -> new OutOfMemoryError("step " + step));
    try (var fixture = TowersFixture.of(streams, HEIGHT); var executor = fixture.newExecutor()) {
      for (int failing = 0; failing < fixture.compiled().storage().steps().size(); failing++) {
        int chosen = failing;
        Throwable thrown = kinds.get(failing % kinds.size()).apply(failing);
        fixture.inKernel(step -> {
          if (step == chosen) {
            throwUnchecked(thrown);
          }
        });
        Node node = fixture.compiled().storage().steps().get(failing);
        Throwable failure = catchThrowable(() -> fixture.run(executor, fixture.input(1)));
        assertThat(failure).isInstanceOfSatisfying(StepFailed.class,
          e -> {
            assertThat(e).cause().isSameAs(thrown);
            assertThat(e).hasMessage("a step failed: node=%s operator=%s step=%d reason=%s".formatted(node.name(), node
              .operator(), chosen, thrown));
            assertThat(e.node() + e.operator() + e.step()).isEqualTo(node.name() + node.operator() + chosen);
          });
        assertQuiet(fixture);
        Set<Integer> after = after(fixture.compiled().schedule(), failing);
        assertThat(fixture.listener().began).contains(failing).noneMatch(after::contains);
        fixture.inKernel(step -> {});
        assertRunsWell(fixture, executor, failing);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void aListenerThatThrowsAtEveryEndHidesNoFailureOfAStep(int streams) {
    var hears = new RunObserver() {

      @Override
      public void stepEnded(int step, int stream) {
        if (step == 2) {
          throw new IllegalStateException("listener at its step");
        }
      }
    };
    try (var fixture = TowersFixture.of(streams, HEIGHT); var executor = fixture.newExecutor()) {
      RunObserver all = RunObserver.all(fixture.listener(), hears);
      var planted = new ArithmeticException("planted");
      fixture.inKernel(step -> {
        if (step == 2) {
          throw planted;
        }
      });
      Throwable thrown = catchThrowable(() -> executor.run(fixture.input(1), RunLimit.NONE, all));
      assertThat(thrown).isInstanceOf(StepFailed.class).cause().isSameAs(planted);
      assertThat(thrown.getSuppressed()).extracting(Throwable::getMessage).containsExactly("listener at its step");
      fixture.inKernel(step -> {});
      assertThatThrownBy(() -> executor.run(fixture.input(1), RunLimit.NONE, all)).hasMessageStartingWith("listener");
      assertRunsWell(fixture, executor, 3);
    }
  }

  private static void throwUnchecked(Throwable thrown) {
    if (thrown instanceof Error e) {
      throw e;
    }
    throw (RuntimeException) thrown;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void whatAKernelRefusesNamesTheNode(int streams) {
    try (var fixture = TowersFixture.of(streams, HEIGHT); var executor = fixture.newExecutor()) {
      int last = fixture.compiled().storage().steps().size() - 1;
      fixture.inKernel(step -> {
        if (step == last) {
          throw new IndexOutOfBoundsException("on purpose");
        }
      });
      assertThatThrownBy(() -> fixture.run(executor, fixture.input(1))).isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("node=" + fixture.compiled().storage().steps().get(last).name())
        .hasMessageContaining("operator=Sum step=" + last).hasMessageContaining("on purpose");
    }
  }

  @Test
  void ofTwoFailuresTheOneOfTheEarlierStepIsThrown() {
    try (var fixture = TowersFixture.of(2, HEIGHT); var executor = fixture.newExecutor()) {
      for (int round = 0; round < 10; round++) {
        var barrier = new CyclicBarrier(2);
        fixture.inKernel(step -> {
          if (step == 0 || step == HEIGHT) {
            meet(barrier);
            throw new IllegalStateException("step " + step);
          }
        });
        assertThatThrownBy(() -> fixture.run(executor, fixture.input(1))).hasRootCauseMessage("step 0");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void aCancelledRunEndsBeforeItsNextStep(int streams) {
    try (var fixture = TowersFixture.of(streams, HEIGHT); var executor = fixture.newExecutor()) {
      var cancelled = new AtomicBoolean();
      fixture.inKernel(step -> cancelled.compareAndSet(false, step == 2));
      Throwable thrown = catchThrowable(() -> fixture.run(executor, fixture.input(1), RunLimit.from(cancelled::get,
        Long.MAX_VALUE)));
      assertThat(thrown).isInstanceOfSatisfying(RunStopped.class, e -> {
        assertThat(e.reason()).isEqualTo(RunStopped.Reason.CANCELLED);
        assertThat(e.step()).isPresent();
        assertThat(fixture.listener().began).doesNotContain(e.step().getAsInt());
        assertThat(e).hasMessageStartingWith("run cancelled: before step=" + e.step().getAsInt() + " elapsedNanos=");
      });
      assertQuiet(fixture);
      fixture.inKernel(step -> {});
      assertRunsWell(fixture, executor, 4);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void aRunOverItsDeadlineEndsBeforeItsNextStep(int streams) {
    try (var fixture = TowersFixture.of(streams, HEIGHT); var executor = fixture.newExecutor()) {
      assertThatThrownBy(() -> fixture.run(executor, fixture.input(1), RunLimit.from(() -> false, 0)))
        .isInstanceOfSatisfying(RunStopped.class, e -> {
          assertThat(e.reason()).isEqualTo(RunStopped.Reason.DEADLINE);
          assertThat(e.elapsed()).isGreaterThanOrEqualTo(Duration.ZERO);
        });
      assertThat(fixture.listener().began).isEmpty();
      fixture.run(executor, fixture.input(2), RunLimit.from(() -> false, Long.MAX_VALUE));
      fixture.run(executor, fixture.input(2), RunLimit.from(() -> false, TimeUnit.DAYS.toNanos(1)));
      assertRunsWell(fixture, executor, 4);
    }
  }

  @Test
  void anInterruptDoesNotEndARunAndIsNotLost() throws Exception {
    try (var fixture = TowersFixture.of(2, HEIGHT); var executor = fixture.newExecutor()) {
      var outcome = new AtomicReference<String>();
      var input = fixture.input(6);
      var runner = new Thread(() -> {
        Thread.currentThread().interrupt();
        fixture.run(executor, input);
        outcome.set(executor.output(0).doubleAt(3) + " " + Thread.currentThread().isInterrupted());
      });
      runner.start();
      runner.join();
      assertThat(outcome).hasValue(fixture.expected(6) + " true");
    }
  }

  @Test
  void aListenerThatThrowsFailsTheRun() {
    try (var fixture = TowersFixture.of(2, HEIGHT)) {
      RunObserver failing = new RunObserver() {

        @Override
        public void stepBegan(int step, int stream) {
          throw new IllegalStateException("no room for step " + step);
        }
      };
      try (var owner = fixture.newExecutor();
        var executor = owner.within(fixture.compiled(), fixture.weights(), List.of())) {
        assertThatThrownBy(() -> executor.run(fixture.input(1), RunLimit.NONE, failing)).hasMessageStartingWith(
          "no room for step ");
        assertRunsWell(fixture, owner, 1);
      }
    }
  }

  @Test
  void aClosedExecutorRefuses() {
    try (var fixture = TowersFixture.of(2, HEIGHT)) {
      StaticExecutor executor = fixture.newExecutor();
      executor.close();
      assertThatThrownBy(() -> fixture.run(executor, fixture.input(1))).isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void poolsThatDoNotFitLeaveNothingAndStreamsEndWithTheExecutor() {
    Set<Thread> before = streamThreads();
    try (var fixture = new TowersFixture(3, HEIGHT, 1024)) {
      assertThatThrownBy(fixture::newExecutor).isInstanceOf(OutOfMemory.class);
      assertThat(fixture.allocator().stats().bytesInUse()).isZero();
      assertThat(before).containsAll(streamThreads());
    }
    try (var fixture = TowersFixture.of(3, HEIGHT)) {
      for (int i = 0; i < 5; i++) {
        try (var executor = fixture.newExecutor()) {
          Set<Thread> own = streamThreads();
          own.removeAll(before);
          assertThat(own).hasSize(2);
          assertRunsWell(fixture, executor, i);
        }
        assertThat(before).containsAll(streamThreads());
      }
    }
  }

  private static Set<Thread> streamThreads() {
    return Thread.getAllStackTraces().keySet().stream().filter(it -> it.getName().startsWith("cairn-stream-"))
      .collect(Collectors.toSet());
  }

  @Test
  void aRunMakesNoGarbage() {
    for (int streams = 1; streams <= 2; streams++) {
      try (var fixture = new NoopFixture(streams, 50); var executor = fixture.newExecutor()) {
        List<LocatedView> input = fixture.input().stream().map(LocatedView::onHost).toList();
        long bytes = GarbageMeter.leastBytes(() -> {
          for (int i = 0; i < RUNS; i++) {
            executor.run(input, List.of(), RunLimit.NONE, RunObserver.NONE);
          }
        });
        assertThat(bytes).as("bytes of %d runs of 50 steps on %d streams", RUNS, streams)
          .isLessThan(RUNS * LEAST_OBJECT);
      }
    }
  }
}
