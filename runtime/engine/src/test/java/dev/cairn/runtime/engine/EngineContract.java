package dev.cairn.runtime.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.cairn.runtime.engine.EngineOptions.Kind;
import dev.cairn.runtime.engine.failure.OperationFailed;
import dev.cairn.runtime.engine.queue.Footprint;
import dev.cairn.runtime.engine.queue.Operation;
import dev.cairn.runtime.engine.queue.Variable;
import dev.cairn.testing.Gate;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What every engine must do; each class below runs on each engine. */
@ParameterizedClass
@EnumSource(Kind.class)
abstract class EngineContract {
  /** A limit that no wait reaches. A thread that waits with a limit runs no operations; other threads must run them. */
  protected static final Duration LONG = Duration.ofDays(36_500);

  /** Set for each class; the first value is for the checker of nulls. */
  @Parameter
  protected Kind kind = Kind.NAIVE;

  protected Engine engine;
  /** The engine's routing; null on the naive engine. */
  private @Nullable WatchedRouting routing;

  @BeforeEach
  void open() {
    EngineOptions options = options();
    if (isNaive()) {
      engine = Engine.open(options);
    } else {
      WatchedRouting watched = WatchedRouting.of(options);
      routing = watched;
      engine = new ThreadedEngine(options, watched);
    }
  }

  @AfterEach
  void close() {
    engine.close();
  }

  protected EngineOptions options() {
    return EngineOptions.DEFAULT.withKind(kind).withCpus(2).withGpus(2)
      .withThreads(new EngineOptions.Threads(1, 4, 2, 2, 4));
  }

  protected boolean isNaive() {
    return kind == Kind.NAIVE;
  }

  protected Variable variable(String name) {
    return engine.newVariable(name);
  }

  protected static Operation write(String name, Runnable work, Variable... variables) {
    return Operation.of(name, Footprint.writing(variables), work);
  }

  protected static Operation read(String name, Runnable work, Variable... variables) {
    return Operation.of(name, Footprint.reading(variables), work);
  }

  protected static Operation failing(String name, Variable... written) {
    return write(name, () -> {
      throw new IllegalStateException("planted in " + name);
    }, written);
  }

  protected static Operation copy(Variable from, Variable to, Runnable work) {
    return Operation.of("copy", List.of(from), List.of(to), work);
  }

  /** Pushes an operation that fails: the naive engine says so at once, the others at a wait. */
  protected void pushFailing(Operation operation) {
    Throwable thrown = catchThrowable(() -> engine.push(operation));
    if (isNaive()) {
      assertThat(thrown).isInstanceOf(OperationFailed.class).hasMessageContaining(operation.name());
    } else {
      assertThat(thrown).isNull();
    }
  }

  protected OperationFailed failureOf(Variable variable) {
    return catchThrowableOfType(OperationFailed.class, () -> engine.waitForVariable(variable, LONG));
  }

  protected OperationFailed failureOfAll() {
    return catchThrowableOfType(OperationFailed.class, () -> engine.waitForAll(LONG));
  }

  protected void awaitAll() {
    try {
      engine.waitForAll(LONG);
    } catch (TimeoutException e) {
      throw new AssertionError(e);
    }
  }

  protected static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Runs work on a thread of its own; returns when it has ended. */
  protected static void onAnotherThread(Runnable work) {
    CompletableFuture.runAsync(work, run -> Thread.ofPlatform().daemon().start(run)).join();
  }

  /** The engine's routing. The engine must not be the naive one. */
  protected WatchedRouting routing() {
    return Objects.requireNonNull(routing);
  }

  /** A gate that opens when a thread waits for the engine, or stops it; on the naive engine it is open. */
  protected Gate openedByAWait() {
    var gate = new Gate();
    if (isNaive()) {
      gate.open();
    } else {
      routing().onHurry(gate::open);
    }
    return gate;
  }

  /**
   * Returns when another thread's stop has begun. The naive engine has no gate for that, so its pushes tell: they are
   * refused from then on.
   *
   * @param wait made by {@link #openedByAWait} before the stop
   */
  @SuppressWarnings("ThreadPriorityCheck")
  protected void awaitStop(Gate wait, Variable variable) {
    wait.pass();
    Runnable push = () -> engine.push(read("refused once the stop has begun", () -> {}, variable));
    while (isNaive() && catchThrowable(push::run) == null) {
      Thread.yield();
    }
    assertThat(catchThrowable(push::run)).isInstanceOf(IllegalStateException.class);
  }
}
