package dev.cairn.runtime.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.runtime.engine.failure.OperationFailed;
import dev.cairn.runtime.engine.queue.ExecutionPlace;
import dev.cairn.runtime.engine.queue.Footprint;
import dev.cairn.runtime.engine.queue.FunctionProperty;
import dev.cairn.runtime.engine.queue.Operation;
import dev.cairn.runtime.engine.queue.Variable;
import dev.cairn.runtime.engine.worker.Worker;
import dev.cairn.testing.Gate;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Shutdown, stop, start, close, and deletes. */
class EngineLifecycleTest extends EngineContract {
  @Test
  void aStoppedEngineWorksAgainAfterItsStart() {
    Variable x = variable("x");
    var ran = new AtomicInteger();
    for (int i = 0; i < 5; i++) {
      engine.push(write("w", ran::incrementAndGet, x));
      engine.stop();
      assertThat(ran).hasValue(i + 1);
      assertThatThrownBy(() -> engine.push(write("late", () -> {}, x))).isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("stopped").hasMessageContaining("late");
      engine.waitForVariable(x);
      engine.waitForAll();
      engine.start();
    }
  }

  @Test
  void stoppingTwiceAndStartingTwiceAreHarmless() {
    engine.start();
    engine.stop();
    engine.stop();
    engine.start();
    engine.start();
    engine.push(Operation.of("works", Footprint.NONE, () -> {}));
    awaitAll();
  }

  @Test
  void aClosedEngineTakesNothingAndDoesNotStart() {
    Variable x = variable("x");
    engine.close();
    assertThatThrownBy(() -> engine.push(write("late", () -> {}, x))).isInstanceOf(IllegalStateException.class)
      .hasMessageContaining("closed").hasMessageContaining("late");
    assertThatThrownBy(() -> engine.start()).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void stopInsideAnOperationDoesNothing() {
    engine.push(Operation.of("stops", Footprint.NONE, () -> engine.stop()));
    awaitAll();
    engine.push(Operation.of("still runs", Footprint.NONE, () -> {}));
    awaitAll();
  }

  @Test
  void operationsThatAStopWaitsForMayPushAndDelete() {
    Variable x = variable("x");
    var ran = new AtomicInteger();
    var deleted = new AtomicInteger();
    Gate waited = openedByAWait();
    engine.push(Operation.of("slow", Footprint.NONE, () -> {
      waited.pass();
      engine.push(read("inner", ran::incrementAndGet, x));
      engine.deleteVariable(x, deleted::incrementAndGet);
    }));
    waited.awaitArrival();
    engine.stop();
    assertThat(ran).hasValue(1);
    assertThat(deleted).hasValue(1);
  }

  @Test
  void failuresSurviveAStop() {
    Variable x = variable("x");
    pushFailing(failing("bad", x));
    engine.stop();
    OperationFailed failure = failureOfAll();
    if (isNaive()) {
      assertThat(failure).as("the push has thrown it").isNull();
    } else {
      assertThat(failure.operation()).isEqualTo("bad");
    }
    assertThat(failureOf(x).operation()).isEqualTo("bad");
  }

  /** The upstream defect: a wait for a pending variable after shutdown was announced never ended. */
  @Test
  void waitsEndAfterShutdownAndWhatWasSkippedIsNotReadable() {
    Variable x = variable("x");
    var gate = new CountDownLatch(isNaive() ? 0 : 1);
    var entered = new CountDownLatch(1);
    var ran = new AtomicInteger();
    engine.push(write("under way", () -> {
      entered.countDown();
      await(gate);
      ran.incrementAndGet();
    }, x));
    await(entered);
    if (isNaive()) {
      // Nothing is ever pending in that engine: a later operation is skipped.
      engine.shutdown();
    }
    engine.push(write("not begun", ran::incrementAndGet, x));
    engine.shutdown();
    gate.countDown();
    assertThat(failureOf(x)).hasMessageContaining("shut down");
    assertThat(failureOfAll()).as("a skip is no failure").isNull();
    assertThat(ran).hasValue(1);
    assertThat(x.version()).isEqualTo(2);
  }

  @Test
  void afterShutdownOnlyDeletesRun() {
    Variable x = variable("x");
    Variable y = variable("y");
    var ran = new AtomicInteger();
    var deleted = new AtomicInteger();
    engine.shutdown();
    engine.push(write("skipped", ran::incrementAndGet, x));
    engine.push(write("skipped too", ran::incrementAndGet, y).with(FunctionProperty.NO_SKIP));
    engine.deleteVariable(x, deleted::incrementAndGet);
    awaitAll();
    assertThat(ran).hasValue(0);
    assertThat(deleted).hasValue(1);
    assertThat(failureOf(y)).hasMessageContaining("shut down");
    engine.stop();
    engine.start();
    engine.push(write("runs", ran::incrementAndGet, y).overwriting());
    assertThat(failureOf(y)).isNull();
    assertThat(ran).hasValue(1);
  }

  @Test
  void shutdownWithVeryManyPendingEnds() {
    int pending = 20_000;
    Variable x = variable("x");
    var gate = new CountDownLatch(isNaive() ? 0 : 1);
    engine.push(write("gate", () -> await(gate), x));
    for (int i = 0; i < pending; i++) {
      engine.push(write("w", () -> {}, x));
    }
    engine.shutdown();
    gate.countDown();
    engine.stop();
    assertThat(x.version()).isEqualTo(pending + 1);
  }

  @Test
  void aDeleteRunsAfterAllEarlierUsesAndRefusesLaterOnes() {
    Variable x = variable("x");
    List<String> order = new ArrayList<>();
    Gate waited = openedByAWait();
    engine.push(write("write", () -> {
      waited.pass();
      order.add("write");
    }, x));
    engine.push(read("read", () -> order.add("read"), x));
    engine.deleteVariable(x, ExecutionPlace.gpu(1), () -> order.add("delete"));
    assertThatThrownBy(() -> engine.push(read("late", () -> {}, x))).isInstanceOf(IllegalStateException.class)
      .hasMessageContaining("deleted").hasMessageContaining("late");
    assertThatThrownBy(() -> engine.deleteVariable(x, () -> {})).isInstanceOf(IllegalStateException.class);
    awaitAll();
    assertThat(order).containsExactly("write", "read", "delete");
  }

  @Test
  void deletingAnOperationWaitsForAllItsPushes() {
    Variable x = variable("x");
    Variable y = variable("y");
    var runs = new AtomicInteger();
    var seen = new AtomicInteger();
    Operation operation = Operation.of("use", List.of(x), List.of(y), runs::incrementAndGet);
    for (int i = 0; i < 100; i++) {
      engine.push(operation);
    }
    engine.deleteOperation(operation, () -> seen.set(runs.get()));
    awaitAll();
    assertThat(seen).hasValue(100);
  }

  /** An array may outlive the engine, and is then closed. */
  @Test
  void aVariableDeletedAfterTheEngineHasStoppedIsDeletedAtOnce() {
    Variable x = variable("x");
    Variable y = variable("y");
    var deleted = new AtomicInteger();
    engine.push(write("w", () -> {}, x));
    engine.stop();
    engine.deleteVariable(x, deleted::incrementAndGet);
    assertThat(deleted).hasValue(1);
    engine.close();
    engine.deleteVariable(y, deleted::incrementAndGet);
    assertThat(deleted).hasValue(2);
  }

  @Test
  void startsAndStopsLeaveNoThread() {
    Set<Thread> before = workers();
    for (int i = 0; i < 10; i++) {
      try (Engine one = Engine.open(options())) {
        Variable x = one.newVariable("x");
        for (FunctionProperty property : FunctionProperty.values()) {
          if (property != FunctionProperty.DELETE) {
            one.push(write("w", () -> {}, x).with(property));
            one.push(write("w", () -> {}, x).with(property).on(ExecutionPlace.gpu(1)));
          }
        }
        one.stop();
        one.start();
        one.push(write("w", () -> {}, x));
        one.waitForVariable(x);
        assertThat(x.version()).isEqualTo(15);
      }
    }
    assertThat(before).containsAll(workers());
  }

  private static Set<Thread> workers() {
    return Thread.getAllStackTraces().keySet().stream().filter(Worker.class::isInstance).collect(Collectors.toSet());
  }
}
