package dev.cairn.runtime.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.runtime.engine.failure.OperationFailed;
import dev.cairn.runtime.engine.queue.Completion;
import dev.cairn.runtime.engine.queue.Footprint;
import dev.cairn.runtime.engine.queue.FunctionProperty;
import dev.cairn.runtime.engine.queue.Operation;
import dev.cairn.runtime.engine.queue.Variable;
import dev.cairn.testing.Gate;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What belongs to another engine, operations pushed inside operations without end, very many failures. */
class EngineEdgeTest extends EngineContract {
  @Test
  void aVariableOfAnotherEngineIsRefused() {
    Variable own = variable("own");
    try (Engine other = Engine.open(options())) {
      Variable foreign = other.newVariable("foreign");
      Operation operation = Operation.of("mixed", List.of(own), List.of(foreign), () -> {});
      for (Runnable call : List.<Runnable>of(() -> engine.push(operation), () -> other.push(operation), () -> engine
        .deleteOperation(operation, () -> {}), () -> engine.deleteVariable(foreign, () -> {}),
        () -> engine
          .waitForVariable(foreign))) {
        assertThatThrownBy(call::run).isInstanceOf(IllegalArgumentException.class).hasMessageContaining(
          "another engine");
      }
      other.push(write("still free and not deleted", () -> {}, foreign));
      other.waitForVariable(foreign);
      assertThat(foreign.version()).isEqualTo(1);
    }
    engine.push(write("free", () -> {}, own));
    awaitAll();
    assertThat(own.version()).isEqualTo(1);
  }

  @Test
  void asynchronousOperationsThatPushEachOtherNeedNoStack() {
    int count = 20_000;
    Variable x = variable("x");
    var ran = new AtomicInteger();
    pushNested(x, ran, count);
    awaitAll();
    assertThat(ran).hasValue(count);
    assertThat(x.version()).isEqualTo(count);
  }

  /** It has not ended when it pushes the next, and so on: there is always one more inside of it. */
  private void pushNested(Variable x, AtomicInteger ran, int left) {
    engine.push(Operation.async("nested", Footprint.NONE, completion -> {
      ran.incrementAndGet();
      engine.push(Operation.async("write", Footprint.writing(x), Completion::complete).with(FunctionProperty.ASYNC));
      if (left > 1) {
        pushNested(x, ran, left - 1);
      }
      completion.complete();
    }).with(FunctionProperty.ASYNC));
  }

  @Test
  void whatIsPushedTooDeepTakesEffectInTheOrderPushed() {
    Variable x = variable("x");
    var order = new ConcurrentLinkedQueue<Integer>();
    pushDeep(100, x, order);
    awaitAll();
    assertThat(order).containsExactly(0, 1, 2, 3, 4);
  }

  private void pushDeep(int left, Variable x, Queue<Integer> order) {
    engine.push(Operation.async("deep", Footprint.NONE, completion -> {
      if (left > 0) {
        pushDeep(left - 1, x, order);
      } else {
        for (int i = 0; i < 5; i++) {
          int number = i;
          engine.push(write("in order", () -> order.add(number), x));
        }
      }
      completion.complete();
    }).with(FunctionProperty.ASYNC));
  }

  @Test
  void aFailureOfWhatIsPushedTooDeepSurfaces() {
    Variable x = variable("x");
    var thrown = new AtomicBoolean();
    pushDeepFailure(100, x, thrown);
    OperationFailed failure = failureOfAll();
    assertThat(failure.operation()).isEqualTo("bad");
    assertThat(failureOf(x).operation()).isEqualTo("bad");
    assertThat(thrown).isFalse();
  }

  private void pushDeepFailure(int left, Variable x, AtomicBoolean thrown) {
    engine.push(Operation.async("deep", Footprint.NONE, completion -> {
      try {
        if (left > 0) {
          pushDeepFailure(left - 1, x, thrown);
        } else {
          engine.push(failing("bad", x));
        }
      } catch (OperationFailed e) {
        thrown.set(true);
      }
      completion.complete();
    }).with(FunctionProperty.ASYNC));
  }

  @Test
  void eachOfVeryManyFailuresIsToldOnce() {
    int count = 2_000;
    for (int i = 0; i < count; i++) {
      pushFailing(failing("bad" + i));
    }
    OperationFailed failure = failureOfAll();
    if (isNaive()) {
      assertThat(failure).as("the pushes have thrown them").isNull();
      return;
    }
    assertThat(failure.getStackTrace()).isNotEmpty();
    List<String> told = Arrays.stream(failure.getSuppressed()).map(it -> ((OperationFailed) it).operation()).toList();
    assertThat(told).hasSize(count - 1).doesNotHaveDuplicates().doesNotContain(failure.operation());
    assertThat(failure.getSuppressed()[0]).hasMessageContaining("operation=bad").hasRootCauseMessage(
      "planted in " + told.get(0));
    assertThat(failureOfAll()).isNull();
  }

  @Test
  void aStopWaitsForOperationsThatOtherThreadsRun() throws InterruptedException {
    var running = new CountDownLatch(1);
    var ended = new AtomicBoolean();
    Variable y = variable("y");
    Gate waited = openedByAWait();
    var pusher = new Thread(() -> engine.push(write("slow", () -> {
      running.countDown();
      onAnotherThread(() -> awaitStop(waited, y));
      ended.set(true);
    }, variable("x"))));
    pusher.start();
    await(running);
    engine.stop();
    assertThat(ended).isTrue();
    pusher.join();
  }

  @Test
  void anEngineIsNotClosedInsideItsOperations() {
    var refused = new AtomicInteger();
    engine.push(Operation.of("closes", Footprint.NONE, () -> {
      try {
        engine.close();
      } catch (IllegalStateException e) {
        refused.incrementAndGet();
      }
    }));
    awaitAll();
    assertThat(refused).hasValue(1);
    engine.push(Operation.of("still runs", Footprint.NONE, refused::incrementAndGet));
    awaitAll();
    assertThat(refused).hasValue(2);
  }
}
