package dev.cairn.runtime.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.cairn.runtime.engine.EngineOptions.Kind;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What every engine must do; each class below runs on each engine, and a hang is a failure. */
@ParameterizedClass
@EnumSource(Kind.class)
@Timeout(300)
abstract class EngineContract {
  protected static final Duration LONG = Duration.ofMinutes(4);

  /** Set for each class; the first value is for the checker of nulls. */
  @Parameter
  protected Kind kind = Kind.NAIVE;

  protected Engine engine;

  @BeforeEach
  void open() {
    engine = Engine.open(options());
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

  protected static void sleepMillis(int millis) {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    while (System.nanoTime() < end) {
      LockSupport.parkNanos(end - System.nanoTime());
    }
  }

  protected static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(2, TimeUnit.MINUTES)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
