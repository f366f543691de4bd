package dev.cairn.runtime.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.kernels.device.Device;
import dev.cairn.kernels.device.Stream;
import dev.cairn.runtime.engine.failure.OperationFailed;
import dev.cairn.runtime.engine.queue.BulkFusion;
import dev.cairn.runtime.engine.queue.ExecutionPlace;
import dev.cairn.runtime.engine.queue.Footprint;
import dev.cairn.runtime.engine.queue.FusedBody;
import dev.cairn.runtime.engine.queue.FusibleRun;
import dev.cairn.runtime.engine.queue.Operation;
import dev.cairn.runtime.engine.queue.StreamBody;
import dev.cairn.runtime.engine.queue.Variable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Operations of a bulk that run as one, on the host and on streams. */
class EngineFusionTest extends EngineContract {
  private static final String FUSIBLE = "fusible";

  private final List<Device> devices = List.of(new AskedDevice(), new AskedDevice());
  private final AtomicInteger wholes = new AtomicInteger();
  private final List<String> ran = Collections.synchronizedList(new ArrayList<>());
  private volatile boolean isRefused;

  @Override
  protected EngineOptions options() {
    return super.options().withThreads(new EngineOptions.Threads(1, 1, 1, 1, 1)).withDevices(devices);
  }

  @AfterEach
  void closeDevices() {
    engine.close();
    devices.forEach(Device::close);
  }

  /** Runs all parts in order, when none has failed. */
  private final class Run implements FusibleRun {
    private final List<Operation> parts = new ArrayList<>();

    @Override
    public boolean add(Operation next) {
      return next.name().startsWith(FUSIBLE) && parts.add(next);
    }

    @Override
    public boolean isOnlyInside(Variable variable) {
      return parts.stream().anyMatch(it -> it.footprint().writes(variable));
    }

    @Override
    public List<Operation> operations(Predicate<Variable> isTouchedOutside) {
      return List.of(FusedBody.operation(this::runAll, parts));
    }

    private boolean runAll(@Nullable Stream stream) {
      if (isRefused) {
        return false;
      }
      wholes.incrementAndGet();
      for (Operation part : parts) {
        if (part.work() instanceof StreamBody body && stream != null) {
          body.work().run(stream);
        } else {
          part.work().run();
        }
      }
      return true;
    }
  }

  private final BulkFusion fusion = new BulkFusion() {
    @Override
    public boolean isFusible(Operation operation) {
      return operation.name().startsWith(FUSIBLE);
    }

    @Override
    public FusibleRun begin(Operation first) {
      var run = new Run();
      run.add(first);
      return run;
    }
  };

  private Operation operation(boolean onStream, String name, List<Variable> reads, Variable written, Runnable work) {
    Footprint footprint = Footprint.of(reads, List.of(written));
    return onStream
      ? Operation.onStream(name, footprint, ExecutionPlace.gpu(0), _ -> work.run())
      : Operation.of(name, footprint, work);
  }

  private Operation noting(boolean onStream, String name, List<Variable> reads, Variable written) {
    return operation(onStream, name, reads, written, () -> ran.add(name));
  }

  @Test
  void theyRunAsOneInOrder() {
    runAsOne(false);
    runAsOne(true);
  }

  private void runAsOne(boolean onStream) {
    Variable a = variable("a");
    Variable b = variable("b");
    wholes.set(0);
    ran.clear();
    engine.bulkSize(10, fusion);
    engine.push(noting(onStream, FUSIBLE + 1, List.of(), a));
    engine.push(noting(onStream, FUSIBLE + 2, List.of(a), b));
    engine.push(noting(onStream, FUSIBLE + 3, List.of(b), a));
    awaitAll();
    assertThat(ran).containsExactly(FUSIBLE + 1, FUSIBLE + 2, FUSIBLE + 3);
    assertThat(wholes).hasValue(isNaive() ? 0 : 1);
    engine.bulkSize(0);
    engine.push(noting(onStream, "after", List.of(a, b), variable("c")));
    awaitAll();
    assertThat(ran).endsWith("after").hasSize(4);
  }

  @Test
  void othersInBetweenKeepTheirPlaces() {
    Variable a = variable("a");
    engine.bulkSize(10, fusion);
    for (String name : List.of("x", FUSIBLE + 1, FUSIBLE + 2, "y", FUSIBLE + 3, "z")) {
      engine.push(noting(false, name, List.of(), a));
    }
    awaitAll();
    assertThat(ran).containsExactly("x", FUSIBLE + 1, FUSIBLE + 2, "y", FUSIBLE + 3, "z");
    assertThat(wholes).hasValue(isNaive() ? 0 : 2);
    assertThat(a.version()).isEqualTo(isNaive() ? 6 : 1);
  }

  @Test
  void afterAFailureEachFailsOrSucceedsByItself() {
    failBefore(false);
    failBefore(true);
  }

  private void failBefore(boolean onStream) {
    Variable bad = variable("bad");
    Variable a = variable("a");
    Variable b = variable("b");
    Variable c = variable("c");
    wholes.set(0);
    var gate = new CountDownLatch(isNaive() ? 0 : 1);
    pushFailing(operation(onStream, "failing", List.of(), bad, () -> {
      // The fused operation is pushed, and given to its stream, before this fails.
      await(gate);
      throw new IllegalStateException("planted");
    }));
    engine.bulkSize(10, fusion);
    engine.push(noting(onStream, FUSIBLE + 1, List.of(), a));
    engine.push(noting(onStream, FUSIBLE + 2, List.of(a, bad), b));
    engine.push(noting(onStream, FUSIBLE + 3, List.of(b), c));
    engine.push(noting(onStream, FUSIBLE + 4, List.of(), bad).overwriting());
    engine.bulkSize(0);
    gate.countDown();
    assertThat(failureOf(a)).isNull();
    assertThat(failureOf(b).operation()).isEqualTo("failing");
    assertThat(failureOf(c).operation()).isEqualTo("failing");
    assertThat(failureOf(bad)).isNull();
    assertThat(wholes).hasValue(0);
    assertThat(ran).endsWith(FUSIBLE + 1, FUSIBLE + 4);
    engine.push(noting(onStream, "anew", List.of(), b).overwriting());
    engine.push(noting(onStream, "later", List.of(b), c));
    assertThat(failureOf(b)).isNull();
    assertThat(failureOf(c).operation()).isEqualTo("failing");
    failureOfAll();
  }

  @Test
  void theyRunOneByOneWhereTheWholeRefuses() {
    isRefused = true;
    for (boolean onStream : new boolean[] {false, true}) {
      Variable a = variable("a");
      ran.clear();
      engine.bulkSize(10, fusion);
      engine.push(noting(onStream, FUSIBLE + 1, List.of(), a));
      engine.push(noting(onStream, FUSIBLE + 2, List.of(), a));
      awaitAll();
      assertThat(ran).containsExactly(FUSIBLE + 1, FUSIBLE + 2);
      engine.bulkSize(0);
    }
  }

  @Test
  void aWholeThatFailsFailsAll() {
    if (isNaive()) {
      return;
    }
    for (boolean onStream : new boolean[] {false, true}) {
      Variable a = variable("a");
      Variable b = variable("b");
      engine.bulkSize(10, fusion);
      engine.push(noting(onStream, FUSIBLE + 1, List.of(), a));
      engine.push(operation(onStream, FUSIBLE + 2, List.of(), b, () -> {
        throw new IllegalStateException("planted");
      }));
      engine.bulkSize(0);
      assertThat(failureOf(a).operation()).isEqualTo("fused " + FUSIBLE + 2);
      OperationFailed failure = failureOf(b);
      assertThat(failure.operation()).isEqualTo("fused " + FUSIBLE + 2);
      assertThat(failure.getCause()).hasMessage("planted");
      assertThat(failureOfAll()).as("thrown above").isNull();
    }
  }

  @Test
  void pushesThatTouchNothingOfARunHandOverNothing() {
    if (isNaive()) {
      return;
    }
    Variable a = variable("a");
    Variable b = variable("b");
    engine.bulkSize(10, fusion);
    engine.push(noting(false, FUSIBLE + 1, List.of(), a));
    engine.push(noting(false, "apart", List.of(), b).withPriority(1));
    engine.push(noting(false, FUSIBLE + 2, List.of(b), a));
    engine.push(noting(false, "reader", List.of(a), b).withPriority(1));
    awaitAll();
    assertThat(wholes).hasValue(1);
    assertThat(ran).containsExactly("apart", FUSIBLE + 1, FUSIBLE + 2, "reader");
  }

  /** It hands over nothing when one run alone touches the variable. */
  @Test
  void aDeleteComesAfterTheRunThatComputesTheVariable() {
    if (isNaive()) {
      return;
    }
    Variable a = variable("a");
    Variable b = variable("b");
    engine.bulkSize(10, fusion);
    engine.push(noting(false, FUSIBLE + 1, List.of(), a));
    engine.deleteVariable(a, () -> ran.add("delete a"));
    engine.push(noting(false, FUSIBLE + 2, List.of(), b));
    assertThat(engine.pending()).isZero();
    assertThat(ran).isEmpty();
    engine.push(noting(false, "other", List.of(b), variable("c")));
    engine.deleteVariable(b, () -> ran.add("delete b"));
    awaitAll();
    assertThat(wholes).hasValue(1);
    assertThat(ran).startsWith(FUSIBLE + 1, FUSIBLE + 2, "other").contains("delete a", "delete b").hasSize(5);
  }
}
