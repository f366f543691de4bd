package dev.cairn.runtime.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.cairn.runtime.engine.failure.OperationFailed;
import dev.cairn.runtime.engine.queue.FunctionProperty;
import dev.cairn.runtime.engine.queue.Operation;
import dev.cairn.runtime.engine.queue.Variable;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What a failure means. */
class EngineFailureTest extends EngineContract {
  @Test
  void aFailureSurfacesWhenItsValueIsWaitedForAndNamesOperationAndSite() {
    Variable x = variable("x");
    pushFailing(failing("bad", x).at("model.onnx:relu_7"));
    OperationFailed failure = failureOf(x);
    assertThat(failure).hasMessageContaining("operation=bad").hasMessageContaining("site=model.onnx:relu_7")
      .hasMessageContaining("variable=x").hasCauseInstanceOf(IllegalStateException.class);
    assertThat(failure.operation()).isEqualTo("bad");
    assertThat(failure.site()).isEqualTo("model.onnx:relu_7");
  }

  @Test
  void withoutAWordTheSiteIsTheClassThatTheWorkWasWrittenIn() {
    Variable x = variable("x");
    pushFailing(failing("bad", x));
    assertThat(failureOf(x).site()).isEqualTo(EngineContract.class.getName());
  }

  @Test
  void aCapturedSiteIsTheLineThatPushes() {
    try (Engine capturing = Engine.open(options().withCaptureSites(true))) {
      Variable x = capturing.newVariable("x");
      try {
        capturing.push(failing("bad", x));
        capturing.waitForAll();
        throw new AssertionError("no failure");
      } catch (OperationFailed e) {
        assertThat(e.site()).contains("aCapturedSiteIsTheLineThatPushes").contains("EngineFailureTest.java:");
      }
    }
  }

  @Test
  void waitingForAllThrowsTheFirstFailureWithTheOthersAndThenIsSilent() {
    Variable x = variable("x");
    Variable y = variable("y");
    if (isNaive()) {
      pushFailing(failing("one", x));
      assertThat(failureOfAll()).as("the push has thrown it").isNull();
      return;
    }
    engine.push(failing("one", x));
    engine.push(Operation.of("between", List.of(x), List.of(), () -> {}));
    engine.push(Operation.of("two", List.of(), List.of(y), () -> {
      throw new IllegalArgumentException("planted");
    }));
    OperationFailed failure = failureOfAll();
    assertThat(List.of(failure.operation(), ((OperationFailed) failure.getSuppressed()[0]).operation()))
      .containsExactlyInAnyOrder("one", "two");
    assertThat(failure.getSuppressed()).hasSize(1);
    assertThat(failureOfAll()).isNull();
  }

  @Test
  void whatAWaitHasThrownWaitingForAllDoesNotThrowAgain() {
    Variable x = variable("x");
    pushFailing(failing("bad", x));
    assertThat(failureOf(x)).isNotNull();
    assertThat(failureOfAll()).isNull();
  }

  /** The upstream defect: after one rethrow, siblings that were never computed read as good. */
  @Test
  void everyValueThatWasNeverComputedFailsWhenReadAgainAndAgain() {
    Variable a = variable("a");
    Variable b = variable("b");
    Variable c = variable("c");
    pushFailing(failing("bad", a, b));
    engine.push(copy(a, c, () -> {}));
    for (int round = 0; round < 3; round++) {
      for (Variable variable : List.of(c, a, b)) {
        assertThat(failureOf(variable).operation()).isEqualTo("bad");
      }
      assertThat(failureOfAll()).isNull();
    }
  }

  @Test
  void descendantsNeverRunAndPassTheFailureOn() {
    Variable a = variable("a");
    Variable b = variable("b");
    Variable c = variable("c");
    var ran = new AtomicInteger();
    pushFailing(failing("bad", a));
    engine.push(copy(a, b, ran::incrementAndGet));
    engine.push(copy(b, c, ran::incrementAndGet));
    engine.push(write("through", ran::incrementAndGet, c));
    engine.push(read("reads", ran::incrementAndGet, c));
    assertThat(failureOf(c).operation()).isEqualTo("bad");
    failureOfAll();
    assertThat(ran).hasValue(0);
    assertThat(List.of(a.version(), b.version(), c.version())).containsExactly(1L, 1L, 2L);
  }

  @Test
  void writingThroughAPoisonedVariableStaysPoisonedAlsoAfterTheReport() {
    Variable x = variable("x");
    pushFailing(failing("bad", x));
    failureOf(x);
    var ran = new AtomicInteger();
    engine.push(write("x *= 2", ran::incrementAndGet, x));
    assertThat(failureOf(x).operation()).isEqualTo("bad");
    assertThat(ran).hasValue(0);
  }

  @Test
  void overwritingMakesAVariableGoodAgain() {
    Variable x = variable("x");
    var ran = new AtomicInteger();
    pushFailing(failing("bad", x));
    engine.push(write("x = 1", ran::incrementAndGet, x).overwriting());
    engine.push(write("x *= 2", ran::incrementAndGet, x));
    assertThat(failureOf(x)).isNull();
    assertThat(ran).hasValue(2);
    assertThat(failureOfAll()).satisfies(it -> assertThat(it == null).isEqualTo(isNaive()));
  }

  @Test
  void overwritingWhatIsReadFromAPoisonedVariableIsSkipped() {
    Variable x = variable("x");
    Variable y = variable("y");
    pushFailing(failing("bad", x));
    engine.push(copy(x, y, () -> {}).overwriting());
    assertThat(failureOf(y).operation()).isEqualTo("bad");
  }

  /** The upstream defect: an operation that writes nothing lost its exception. */
  @Test
  void aFailureOfAnOperationThatWritesNothingSurfacesOnce() {
    pushFailing(read("reads only", () -> {
      throw new IllegalStateException("planted");
    }, variable("x")));
    OperationFailed failure = failureOfAll();
    if (!isNaive()) {
      assertThat(failure.operation()).isEqualTo("reads only");
    }
    assertThat(failureOfAll()).isNull();
  }

  /** The upstream defect: a reusable operation that failed once stayed skipped. */
  @Test
  void anOperationThatFailedOnceRunsAgain() {
    var runs = new AtomicInteger();
    Operation sometimes = read("sometimes", () -> {
      if (runs.incrementAndGet() == 1) {
        throw new IllegalStateException("planted");
      }
    }, variable("x"));
    pushFailing(sometimes);
    engine.push(sometimes);
    engine.push(sometimes);
    failureOfAll();
    assertThat(runs).hasValue(3);
  }

  /** The upstream defect: a delete of a poisoned variable was skipped, and its memory leaked. */
  @Test
  void deletingAPoisonedVariableRunsTheDelete() {
    Variable x = variable("x");
    var deleted = new AtomicInteger();
    pushFailing(failing("bad", x));
    engine.deleteVariable(x, deleted::incrementAndGet);
    failureOfAll();
    assertThat(deleted).hasValue(1);
  }

  @Test
  void aFailingDeleteSurfaces() {
    Operation operation = write("x", () -> {}, variable("x"));
    Runnable bad = () -> {
      throw new IllegalStateException("planted");
    };
    if (isNaive()) {
      assertThatCode(() -> engine.deleteOperation(operation, bad)).isInstanceOf(OperationFailed.class);
      return;
    }
    engine.deleteOperation(operation, bad);
    assertThat(failureOfAll()).hasMessageContaining("delete x");
    assertThat(failureOf(operation.footprint().writes().get(0))).isNull();
  }

  @Test
  void anOperationThatIsNotToBeSkippedRunsAndPassesThePoisonOn() {
    Variable x = variable("x");
    Variable y = variable("y");
    var ran = new AtomicInteger();
    pushFailing(failing("bad", x));
    engine.push(copy(x, y, ran::incrementAndGet).with(FunctionProperty.NO_SKIP));
    assertThat(failureOf(y).operation()).isEqualTo("bad");
    assertThat(ran).hasValue(1);
  }

  @Test
  void eachNewFailureSurfacesAtItsOwnWait() {
    Variable x = variable("x");
    for (int i = 0; i < 20; i++) {
      pushFailing(failing("bad" + i, x).overwriting());
      assertThat(failureOf(x).operation()).isEqualTo("bad" + i);
      assertThat(failureOfAll()).isNull();
    }
  }

  @Test
  void everyFailureOfManySurfacesExactlyOnce() {
    if (isNaive()) {
      return;
    }
    for (int i = 0; i < 500; i++) {
      engine.push(failing("bad" + i, variable("v" + i)));
    }
    OperationFailed failure = failureOfAll();
    assertThat(failure.getSuppressed()).hasSize(499);
    assertThat(failureOfAll()).isNull();
  }

  @Test
  void errorsAreFailuresLikeAnyOther() {
    Variable x = variable("x");
    pushFailing(write("deep", () -> {
      throw new StackOverflowError("planted");
    }, x));
    assertThat(failureOf(x)).hasCauseInstanceOf(StackOverflowError.class);
  }

  @Test
  void throwIfFailedWaitsForNothingAndThrowsWhatIsThere() {
    Variable x = variable("x");
    engine.throwIfFailed(x);
    pushFailing(failing("bad", x));
    failureOfAll();
    assertThatCode(() -> engine.throwIfFailed(x)).isInstanceOf(OperationFailed.class).hasMessageContaining("bad");
  }
}
