package dev.cairn.runtime.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.kernels.device.Device;
import dev.cairn.kernels.device.DeviceId;
import dev.cairn.kernels.device.Stream;
import dev.cairn.runtime.engine.queue.ExecutionPlace;
import dev.cairn.runtime.engine.queue.Footprint;
import dev.cairn.runtime.engine.queue.FunctionProperty;
import dev.cairn.runtime.engine.queue.Operation;
import dev.cairn.runtime.engine.queue.Variable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** Which waits streams are told, on a device whose streams never get anything done by themselves. */
class StreamWaitsTest {
  private final List<String> waits = Collections.synchronizedList(new ArrayList<>());
  private final IdleDevice device = new IdleDevice();
  private final EngineOptions options = EngineOptions.DEFAULT.withThreads(new EngineOptions.Threads(1, 1, 1, 1, 1))
    .withDevices(List.of(device));

  @Test
  void aChainOnOneStreamWaitsForNothing() {
    try (Engine engine = Engine.open(options)) {
      Variable x = engine.newVariable("x");
      for (int i = 0; i < 100; i++) {
        engine.push(normal(Footprint.writing(x)));
      }
      device.finishAt(engine, 100);
    }
    assertThat(waits).isEmpty();
  }

  @Test
  void onlyTheNewestMarkOfAStreamIsAwaitedAndNoneTwice() {
    try (Engine engine = Engine.open(options)) {
      Variable x = engine.newVariable("x");
      for (int i = 0; i < 10; i++) {
        engine.push(copy(Footprint.writing(x)));
      }
      Variable y = engine.newVariable("y");
      for (int i = 0; i < 10; i++) {
        engine.push(normal(Footprint.of(List.of(x), List.of(y))));
      }
      // The reads since go by their newest, too.
      engine.push(copy(Footprint.writing(x)));
      device.finishAt(engine, 21);
    }
    assertThat(waits).containsExactly("cairn-gpu0-0 after cairn-gpu0-copy-0:10",
      "cairn-gpu0-copy-0 after cairn-gpu0-0:10");
  }

  /** The upstream defect of the event pool: after 64 other ends, a wait no longer covered the older work. */
  @Test
  void olderWorkOfAnotherStreamIsAwaitedAfterManyEnds() {
    try (Engine engine = Engine.open(options)) {
      Variable x = engine.newVariable("x");
      Variable y = engine.newVariable("y");
      engine.push(copy(Footprint.writing(x)));
      for (int i = 0; i < 500; i++) {
        engine.push(normal(Footprint.writing(y)));
      }
      engine.push(normal(Footprint.reading(x, y)));
      device.finishAt(engine, 502);
    }
    assertThat(waits).containsExactly("cairn-gpu0-0 after cairn-gpu0-copy-0:1");
  }

  @Test
  void whatHasPassedIsNotAwaited() {
    device.finished = true;
    try (Engine engine = Engine.open(options)) {
      Variable x = engine.newVariable("x");
      for (int i = 0; i < 10; i++) {
        engine.push(copy(Footprint.writing(x)));
        engine.push(normal(Footprint.writing(x)));
      }
    }
    assertThat(waits).isEmpty();
  }

  @Test
  void aDeleteBehindStreamsRunsAtOnceAndIsToldWhenTheyAreDone() {
    try (Engine engine = Engine.open(options)) {
      Variable x = engine.newVariable("x");
      engine.push(normal(Footprint.writing(x)));
      engine.push(copy(Footprint.reading(x)));
      var told = new CompletableFuture<BooleanSupplier>();
      engine.deleteBehindStreams(x, told::complete);
      BooleanSupplier areDone = told.join();
      assertThat(areDone.getAsBoolean()).isFalse();
      device.finished = true;
      assertThat(areDone.getAsBoolean()).isTrue();
    }
  }

  private static Operation normal(Footprint footprint) {
    return Operation.onStream("normal", footprint, ExecutionPlace.gpu(0), stream -> {});
  }

  private static Operation copy(Footprint footprint) {
    return normal(footprint).with(FunctionProperty.COPY_TO_GPU);
  }

  private final class IdleDevice implements Device {
    private volatile boolean finished;
    /** A permit for each piece of work that was given to a stream. */
    private final Semaphore given = new Semaphore(0);

    /** Lets all marks pass when so many pieces of work have been given to streams. */
    void finishAt(Engine engine, int pieces) {
      given.acquireUninterruptibly(pieces);
      finished = true;
      engine.waitForAll();
    }

    @Override
    public DeviceId id() {
      return new DeviceId(DeviceId.Kind.CUDA, 0);
    }

    @Override
    public String description() {
      return "idle";
    }

    @Override
    public Stream defaultStream() {
      throw new AssertionError("not asked for");
    }

    @Override
    public Stream newStream(String name) {
      return new IdleStream(this, name);
    }

    @Override
    public void close() {}
  }

  private final class IdleStream implements Stream {
    private final IdleDevice owner;
    private final String name;
    private final AtomicLong marks = new AtomicLong();

    IdleStream(IdleDevice owner, String name) {
      this.owner = owner;
      this.name = name;
    }

    @Override
    public Device device() {
      return owner;
    }

    @Override
    public void submit(Runnable work) {
      work.run();
    }

    @Override
    public long record() {
      owner.given.release();
      return marks.incrementAndGet();
    }

    @Override
    public void waitFor(Stream other, long mark) {
      waits.add("%s after %s:%d".formatted(name, ((IdleStream) other).name, mark));
    }

    @Override
    public boolean hasPassed(long mark) {
      return owner.finished;
    }

    @Override
    public void synchronize() {}

    @Override
    public void close() {}
  }
}
