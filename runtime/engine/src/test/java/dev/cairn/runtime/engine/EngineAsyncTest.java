package dev.cairn.runtime.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.cairn.runtime.engine.queue.Completion;
import dev.cairn.runtime.engine.queue.ExecutionPlace;
import dev.cairn.runtime.engine.queue.Footprint;
import dev.cairn.runtime.engine.queue.FunctionProperty;
import dev.cairn.runtime.engine.queue.Operation;
import dev.cairn.runtime.engine.queue.Variable;
import dev.cairn.testing.Gate;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Asynchronous work, and waits inside operations. */
class EngineAsyncTest extends EngineContract {
  @Test
  void anOperationHasEndedOnlyWhenAForeignThreadSaysSo() {
    Variable x = variable("x");
    var ended = new AtomicBoolean();
    for (FunctionProperty property : new FunctionProperty[] {FunctionProperty.NORMAL, FunctionProperty.ASYNC}) {
      ended.set(false);
      Gate waited = openedByAWait();
      engine.push(Operation.async("later", Footprint.writing(x), completion -> Thread.ofPlatform().start(() -> {
        completion.started();
        waited.pass();
        ended.set(true);
        completion.complete();
      })).with(property));
      engine.waitForVariable(x);
      assertThat(ended).isTrue();
    }
    assertThat(x.version()).isEqualTo(2);
  }

  @ParameterizedTest
  @EnumSource
  void asynchronousWorkOfEachKindEndsWhenItSaysSo(FunctionProperty property) {
    Variable x = variable("x");
    for (ExecutionPlace place : List.of(ExecutionPlace.CPU, ExecutionPlace.gpu(0))) {
      engine.push(Operation.async("async", Footprint.writing(x), completion -> onAnotherThread(completion::complete))
        .with(property).on(place));
      awaitAll();
    }
    assertThat(x.version()).isEqualTo(2);
    assertThat(engine.pending()).isZero();
  }

  @Test
  void theWorkMayTellItsEndBeforeItReturns() {
    Variable x = variable("x");
    engine.push(Operation.async("now", Footprint.writing(x), completion -> {
      completion.started();
      completion.complete();
    }));
    awaitAll();
    assertThat(x.version()).isEqualTo(1);
  }

  /** The upstream defect: the naive engine ignored the error. */
  @Test
  void anErrorToldByTheWorkIsAFailure() {
    Variable x = variable("x");
    pushFailing(Operation.async("bad", Footprint.writing(x), completion -> Thread.ofPlatform().start(() -> completion
      .fail(new IllegalStateException("planted")))));
    assertThat(failureOf(x)).hasRootCauseMessage("planted").hasMessageContaining("operation=bad");
  }

  @Test
  void anErrorToldByAsynchronousWorkOnThePusherIsAFailure() {
    Variable x = variable("x");
    pushFailing(Operation.async("bad", Footprint.writing(x), completion -> completion.fail(new IllegalStateException(
      "planted"))).with(FunctionProperty.ASYNC));
    assertThat(failureOf(x)).hasRootCauseMessage("planted");
  }

  @Test
  void whatTheWorkThrowsAsItIsStartedIsAFailure() {
    Variable x = variable("x");
    pushFailing(Operation.async("bad", Footprint.writing(x), completion -> {
      throw new IllegalStateException("planted");
    }));
    assertThat(failureOf(x)).hasRootCauseMessage("planted");
  }

  @Test
  void whatTheWorkThrowsAfterItsEndSurfacesToo() {
    Variable x = variable("x");
    engine.push(Operation.async("late", Footprint.writing(x), completion -> {
      completion.complete();
      throw new IllegalStateException("planted");
    }));
    engine.waitForVariable(x);
    // The end may be seen before the throw is: a wait for a later operation of the same thread covers it.
    engine.stop();
    engine.start();
    assertThat(failureOfAll()).hasRootCauseMessage("planted");
  }

  @Test
  void anEndToldTwiceIsRefusedAndChangesNothing() {
    Variable x = variable("x");
    var second = new AtomicReference<Throwable>();
    engine.push(Operation.async("twice", Footprint.writing(x), completion -> {
      completion.complete();
      second.set(catchThrowable(completion::complete));
      assertThatThrownBy(completion::started).isInstanceOf(IllegalStateException.class);
    }));
    awaitAll();
    engine.stop();
    assertThat(second.get()).isInstanceOf(IllegalStateException.class).hasMessageContaining("completed twice")
      .hasMessageContaining("twice");
    assertThat(x.version()).isEqualTo(1);
    assertThat(failureOfAll()).isNull();
  }

  @Test
  void aWaitWithPatienceNamesWorkThatNeverEnds() throws TimeoutException {
    Variable x = variable("x");
    if (isNaive()) {
      engine.push(Operation.async("later", Footprint.writing(x), completion -> Thread.ofPlatform().start(() -> {
        completion.complete();
      })));
      assertThat(x.version()).as("its push returns when the work has ended").isEqualTo(1);
      engine.waitForVariable(x, Duration.ZERO);
      engine.waitForAll(Duration.ZERO);
      return;
    }
    var kept = new CompletableFuture<Completion>();
    engine.push(Operation.async("forgotten", Footprint.writing(x), kept::complete));
    kept.join();
    assertThatThrownBy(() -> engine.waitForVariable(x, Duration.ofMillis(1))).isInstanceOf(TimeoutException.class)
      .hasMessageContaining("forgotten").hasMessageContaining("for=x");
    assertThatThrownBy(() -> engine.waitForAll(Duration.ofMillis(1))).isInstanceOf(TimeoutException.class)
      .hasMessageContaining("pending=1");
    kept.join().complete();
    engine.waitForVariable(x);
    awaitAll();
  }

  /** The upstream defect: a wait on a worker's thread could never end. */
  @Test
  void aWaitInsideAnOperationFailsAtOnce() {
    Variable x = variable("x");
    for (FunctionProperty property : FunctionProperty.values()) {
      var thrown = new AtomicReference<Throwable>();
      var thrownForAll = new AtomicReference<Throwable>();
      engine.push(write("waits", () -> {
        thrown.set(catchThrowable(() -> engine.waitForVariable(x)));
        thrownForAll.set(catchThrowable(() -> engine.waitForAll()));
      }, x).with(property));
      awaitAll();
      assertThat(thrown.get()).isInstanceOf(IllegalStateException.class).hasMessageContaining("inside an operation");
      assertThat(thrownForAll.get()).isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void anInterruptedThreadWaitsAllTheSameAndStaysInterrupted() {
    Variable x = variable("x");
    var ended = new AtomicBoolean();
    Gate waited = openedByAWait();
    engine.push(write("slow", () -> {
      waited.pass();
      ended.set(true);
    }, x));
    waited.awaitArrival(); // else this thread might run it
    Thread.currentThread().interrupt();
    engine.waitForVariable(x);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(ended).isTrue();
  }
}
