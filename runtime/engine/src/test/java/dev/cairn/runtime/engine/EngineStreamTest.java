package dev.cairn.runtime.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.cairn.kernels.device.Device;
import dev.cairn.runtime.engine.failure.OperationFailed;
import dev.cairn.runtime.engine.queue.ExecutionPlace;
import dev.cairn.runtime.engine.queue.Footprint;
import dev.cairn.runtime.engine.queue.FunctionProperty;
import dev.cairn.runtime.engine.queue.Operation;
import dev.cairn.runtime.engine.queue.Variable;
import dev.cairn.runtime.engine.stream.VariableMarks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Work on streams, which are threads of their own here: it ends for the engine when it is given to one. */
class EngineStreamTest extends EngineContract {
  private final AskedDevice first = new AskedDevice();
  private final List<Device> devices = List.of(first, new AskedDevice());

  @Override
  protected EngineOptions options() {
    return super.options().withThreads(new EngineOptions.Threads(1, 4, 1, 1, 4)).withDevices(devices);
  }

  @AfterEach
  void closeDevices() {
    engine.close();
    devices.forEach(Device::close);
  }

  private static Operation onStream(String name, Footprint footprint, Runnable work) {
    return Operation.onStream(name, footprint, ExecutionPlace.gpu(0), stream -> work.run());
  }

  /** Runs beside normal stream work, on another stream of the same device. */
  private static Operation onCopyStream(String name, Footprint footprint, Runnable work) {
    return onStream(name, footprint, work).with(FunctionProperty.COPY_TO_GPU);
  }

  /** On a stream: returns when a thread waits for a stream. The naive engine gives work to none. */
  private void untilAsked() {
    if (!isNaive()) {
      first.awaitAsked();
    }
  }

  /**
   * The upstream defect of the event pool: after 64 other ends, a wait no longer covered the older work. Which waits
   * the stream is told is in {@link StreamWaitsTest}.
   */
  @Test
  void olderWorkOfAnotherStreamIsNotForgottenAfterManyEnds() {
    Variable a = variable("a");
    Variable b = variable("b");
    var done = new AtomicBoolean();
    var seen = new AtomicBoolean();
    var gate = new CountDownLatch(isNaive() ? 0 : 1);
    engine.push(onCopyStream("long kernel", Footprint.writing(a), () -> {
      await(gate);
      done.set(true);
    }));
    for (int i = 0; i < 500; i++) {
      engine.push(onStream("short", Footprint.writing(b), () -> {}));
    }
    engine.push(onStream("read", Footprint.reading(a, b), () -> seen.set(done.get())));
    gate.countDown();
    awaitAll();
    assertThat(seen).isTrue();
  }

  @Test
  void randomWorkloadsOnStreamsAndHostEqualSerialExecutionBitForBit() {
    randomWorkloads(10);
  }

  @Test
  @Tag("soak")
  void manyRandomWorkloadsOnStreamsAndHostEqualSerialExecutionBitForBit() {
    randomWorkloads(1000);
  }

  private void randomWorkloads(int seeds) {
    for (long seed = 1; seed <= seeds; seed++) {
      var random = new SplittableRandom(seed);
      var workload = new RandomWorkload(seed, 2 + random.nextInt(40), 300, 6);
      workload.runSerially();
      workload.runOn(engine, random, true);
      assertThat(workload.firstDifference()).as("seed=%d engine=%s", seed, kind).isEqualTo(-1);
    }
  }

  @Test
  void everyWaitCoversWhatIsStillOnAStream() {
    Variable x = variable("x");
    var value = new int[1];
    for (int i = 1; i <= 6; i++) {
      int next = i;
      engine.push(onStream("write", Footprint.writing(x), () -> {
        untilAsked();
        value[0] = next;
      }));
      if (i % 2 == 0) {
        engine.waitForVariable(x);
      } else {
        awaitAll();
      }
      assertThat(value[0]).isEqualTo(i);
    }
    assertThat(x.version()).isEqualTo(6);
  }

  @Test
  void theHostTouchesNothingThatAStreamIsNotDoneWith() {
    Variable x = variable("x");
    List<String> order = new ArrayList<>();
    engine.push(onStream("stream", Footprint.writing(x), () -> {
      untilAsked();
      order.add("stream");
    }));
    engine.push(write("host", () -> order.add("host"), x));
    engine.push(onCopyStream("stream reads", Footprint.reading(x), () -> {
      untilAsked();
      order.add("stream reads");
    }));
    engine.push(Operation.async("async", Footprint.writing(x), completion -> {
      completion.started();
      order.add("async");
      completion.complete();
    }));
    engine.push(onStream("again", Footprint.writing(x), () -> {
      untilAsked();
      order.add("again");
    }));
    engine.deleteVariable(x, () -> order.add("delete"));
    awaitAll();
    assertThat(order).containsExactly("stream", "host", "stream reads", "async", "again", "delete");
  }

  @Test
  void aFailureOnAStreamPoisonsWhatDependsOnItOnStreamsAndHost() {
    Variable a = variable("a");
    Variable b = variable("b");
    Variable c = variable("c");
    Variable good = variable("good");
    var ran = new AtomicInteger();
    pushFailing(onStream("bad", Footprint.writing(a), () -> {
      throw new IllegalStateException("planted");
    }));
    engine.push(onCopyStream("copy", Footprint.of(List.of(a), List.of(b)), ran::incrementAndGet));
    engine.push(copy(b, c, ran::incrementAndGet));
    engine.push(onStream("apart", Footprint.writing(good), ran::incrementAndGet));
    for (Variable variable : List.of(c, b, a, c)) {
      assertThat(failureOf(variable)).hasMessageContaining("operation=bad").hasRootCauseMessage("planted");
    }
    assertThat(failureOf(good)).isNull();
    assertThat(failureOfAll()).isNull();
    assertThat(ran).hasValue(1);
    engine.push(onStream("overwrites", Footprint.writing(a), ran::incrementAndGet).overwriting());
    engine.push(copy(a, variable("d"), ran::incrementAndGet));
    assertThat(failureOf(a)).isNull();
    awaitAll();
    assertThat(ran).hasValue(3);
  }

  @Test
  void theHostWritesThroughNothingThatFailedOnAStream() {
    Variable a = variable("a");
    var ran = new AtomicInteger();
    pushFailing(onStream("bad", Footprint.writing(a), () -> {
      throw new IllegalStateException("planted");
    }));
    engine.push(write("a *= 2", ran::incrementAndGet, a));
    engine.push(onStream("a += 1", Footprint.writing(a), ran::incrementAndGet));
    assertThat(failureOf(a).operation()).isEqualTo("bad");
    assertThat(ran).hasValue(0);
    engine.push(write("a = 1", ran::incrementAndGet, a).overwriting());
    engine.push(onStream("a += 1", Footprint.writing(a), ran::incrementAndGet));
    assertThat(failureOf(a)).isNull();
    assertThat(ran).hasValue(2);
  }

  @Test
  void aFailureOnAStreamThatNobodyAskedForSurfacesOnceInTheWaitForAll() {
    pushFailing(onStream("reads only", Footprint.reading(variable("x")), () -> {
      throw new IllegalStateException("planted");
    }));
    OperationFailed failure = failureOfAll();
    assertThat(failure == null ? "told by the push" : failure.operation()).isEqualTo(isNaive()
      ? "told by the push"
      : "reads only");
    assertThat(failureOfAll()).isNull();
  }

  @Test
  void whatIsNotToBeSkippedRunsOnAStreamAndPassesThePoisonOn() {
    Variable a = variable("a");
    Variable b = variable("b");
    var ran = new AtomicInteger();
    pushFailing(failing("bad", a));
    engine.push(onStream("all the same", Footprint.of(List.of(a), List.of(b)), ran::incrementAndGet)
      .with(FunctionProperty.NO_SKIP));
    assertThat(failureOf(b).operation()).isEqualTo("bad");
    assertThat(ran).hasValue(1);
  }

  @Test
  void aWaitInsideStreamWorkFailsAtOnce() {
    Variable x = variable("x");
    var thrown = new AtomicReference<Throwable>();
    engine.push(onStream("waits", Footprint.writing(x), () -> thrown.set(catchThrowable(() -> engine.waitForVariable(
      x)))));
    awaitAll();
    assertThat(thrown.get()).isInstanceOf(IllegalStateException.class).hasMessageContaining("inside an operation");
  }

  @Test
  void streamWorkIsToldItsStream() {
    var seen = new AtomicReference<Device>();
    engine.push(Operation.onStream("asks", Footprint.NONE, ExecutionPlace.gpu(1), stream -> seen.set(stream.device())));
    awaitAll();
    assertThat(seen.get()).isSameAs(devices.get(1));
  }

  @Test
  void streamWorkWithoutADeviceIsRefused() {
    assertThatThrownBy(() -> engine.push(onStream("here", Footprint.NONE, () -> {}).on(ExecutionPlace.CPU)))
      .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("no streams").hasMessageContaining("here");
    assertThatThrownBy(() -> options().withGpus(3)).isInstanceOf(IllegalArgumentException.class)
      .hasMessageContaining("gpus=3").hasMessageContaining("devices=2");
    try (Engine without = Engine.open(super.options())) {
      assertThatThrownBy(() -> without.push(onStream("none", Footprint.NONE, () -> {})))
        .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void streamsOfAnEngineThatStoppedAreReplacedWhenItStarts() {
    Variable x = variable("x");
    var count = new int[1];
    Set<Thread> before = streamThreads();
    for (int i = 0; i < 5; i++) {
      engine.push(onStream("a", Footprint.writing(x), () -> count[0]++));
      engine.push(onCopyStream("b", Footprint.writing(x), () -> count[0]++));
      engine.stop();
      assertThat(count[0]).isEqualTo(2 * i + 2);
      assertThat(before).containsAll(streamThreads());
      engine.start();
    }
  }

  private static Set<Thread> streamThreads() {
    return Thread.getAllStackTraces().keySet().stream().filter(it -> it.getName().startsWith("cairn-gpu"))
      .collect(Collectors.toSet());
  }

  @Test
  void marksOfStreamsThatAreClosedAreNotKept() {
    Variable x = variable("x");
    var count = new AtomicInteger();
    for (int i = 0; i < 5; i++) {
      engine.push(onStream("reads", Footprint.reading(x), count::incrementAndGet));
      engine.push(onCopyStream("reads too", Footprint.reading(x), count::incrementAndGet));
      engine.stop();
      engine.start();
      VariableMarks marks = x.marks();
      assertThat(marks == null ? 0 : marks.readers()).isLessThanOrEqualTo(2);
    }
    engine.push(write("waits for no closed stream", count::incrementAndGet, x));
    awaitAll();
    assertThat(count).hasValue(11);
  }

  @Test
  void aWaitWithPatienceEndsAlthoughTheStreamDoesNot() {
    var gate = new CountDownLatch(isNaive() ? 0 : 1);
    Variable x = variable("x");
    engine.push(onStream("held up", Footprint.writing(x), () -> await(gate)));
    if (isNaive()) {
      assertThat(x.version()).as("done when pushed").isEqualTo(1);
      return;
    }
    assertThatThrownBy(() -> engine.waitForVariable(x, Duration.ofMillis(1))).isInstanceOf(TimeoutException.class);
    assertThatThrownBy(() -> engine.waitForAll(Duration.ofMillis(1))).isInstanceOf(TimeoutException.class);
    gate.countDown();
    assertThat(failureOf(x)).isNull();
  }

  @Test
  void shutdownSkipsWhatAStreamHasNotBegun() {
    if (isNaive()) {
      engine.shutdown();
    }
    Variable x = variable("x");
    var begun = new CountDownLatch(isNaive() ? 0 : 1);
    var gate = new CountDownLatch(isNaive() ? 0 : 1);
    var ran = new AtomicInteger();
    engine.push(onStream("under way", Footprint.NONE, () -> {
      begun.countDown();
      await(gate);
    }));
    await(begun);
    engine.push(onStream("not begun", Footprint.writing(x), ran::incrementAndGet));
    engine.shutdown();
    gate.countDown();
    assertThat(failureOf(x)).hasMessageContaining("shut down");
    awaitAll();
    assertThat(ran).hasValue(0);
  }
}
