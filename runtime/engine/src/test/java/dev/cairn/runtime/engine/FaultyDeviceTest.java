package dev.cairn.runtime.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.cairn.kernels.device.Device;
import dev.cairn.kernels.device.DeviceId;
import dev.cairn.kernels.device.Stream;
import dev.cairn.runtime.engine.failure.OperationFailed;
import dev.cairn.runtime.engine.queue.Completion;
import dev.cairn.runtime.engine.queue.ExecutionPlace;
import dev.cairn.runtime.engine.queue.Footprint;
import dev.cairn.runtime.engine.queue.FunctionProperty;
import dev.cairn.runtime.engine.queue.Operation;
import dev.cairn.runtime.engine.queue.Variable;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A device whose calls fail, one kind at a time: the operation concerned fails, and nothing hangs. */
class FaultyDeviceTest extends EngineContract {
  private final FaultyDevice device = new FaultyDevice();

  @Override
  protected EngineOptions options() {
    return super.options().withDevices(List.of(device, device));
  }

  /** Where the planted failure strikes. */
  enum Call {
    NEW_STREAM,
    SUBMIT,
    RECORD,
    WAIT_FOR,
    HAS_PASSED
  }

  /** Does work at once, on the thread that gives it; says that it has passed a mark when asked a second time. */
  private static final class FaultyDevice implements Device {
    private final AtomicReference<Call> failing = new AtomicReference<>();
    private volatile Supplier<Throwable> failure = () -> new IllegalStateException("planted in device");

    void check(Call call) {
      if (failing.compareAndSet(call, null)) {
        Throwable it = failure.get();
        if (it instanceof Error e) {
          throw e;
        }
        throw (RuntimeException) it;
      }
    }

    @Override
    public DeviceId id() {
      return DeviceId.CPU;
    }

    @Override
    public String description() {
      return "faulty";
    }

    @Override
    public Stream defaultStream() {
      return new FaultyStream(this);
    }

    @Override
    public Stream newStream(String name) {
      check(Call.NEW_STREAM);
      return new FaultyStream(this);
    }

    @Override
    public void close() {}
  }

  private static final class FaultyStream implements Stream {
    private final FaultyDevice device;
    private long recorded;
    private volatile long told;

    FaultyStream(FaultyDevice device) {
      this.device = device;
    }

    @Override
    public Device device() {
      return device;
    }

    @Override
    public void submit(Runnable work) {
      device.check(Call.SUBMIT);
      work.run();
    }

    @Override
    public long record() {
      device.check(Call.RECORD);
      return ++recorded;
    }

    @Override
    public void waitFor(Stream other, long mark) {
      device.check(Call.WAIT_FOR);
    }

    @Override
    public boolean hasPassed(long mark) {
      device.check(Call.HAS_PASSED);
      boolean passed = told >= mark;
      told = Math.max(told, mark);
      return passed;
    }

    @Override
    public void synchronize() {}

    @Override
    public void close() {}
  }

  private static Operation onDevice(String name, Footprint footprint, Runnable work) {
    return Operation.onStream(name, footprint, ExecutionPlace.gpu(0), stream -> work.run());
  }

  private static Operation onCopies(String name, Footprint footprint) {
    return onDevice(name, footprint, () -> {}).with(FunctionProperty.COPY_TO_GPU);
  }

  @ParameterizedTest
  @EnumSource(Call.class)
  void anExceptionOfTheDeviceFailsAnOperationAndHangsNothing(Call call) {
    strike(call);
  }

  @ParameterizedTest
  @EnumSource(Call.class)
  void anErrorOfTheDeviceFailsAnOperationAndHangsNothing(Call call) {
    device.failure = () -> new OutOfMemoryError("planted in device");
    strike(call);
  }

  /** The naive engine has one stream and throws from the push; it must not hang either. */
  private void strike(Call call) {
    Variable a = variable("a");
    Variable b = variable("b");
    if (call != Call.NEW_STREAM) {
      engine.push(onDevice("warm", Footprint.writing(b), () -> {}));
      engine.push(onCopies("warm too", Footprint.writing(variable("c"))));
      awaitAll();
    }
    device.failing.set(call);
    List<Throwable> told = new ArrayList<>();
    List.of(onDevice("give", Footprint.writing(a), () -> {}), onCopies("copy", Footprint.of(List.of(a), List.of(b))),
      write("host", () -> {}, b)).forEach(operation -> keep(told, () -> engine.push(operation)));
    keep(told, () -> engine.waitForAll(LONG));
    if (device.failing.getAndSet(null) == null) {
      assertThat(told).as("each failure surfaces once").hasSize(1);
      assertThat(told.getFirst()).isInstanceOf(OperationFailed.class).hasMessageContaining("planted in device");
    } else {
      assertThat(kind).as("asks its device for less").isEqualTo(EngineOptions.Kind.NAIVE);
      assertThat(told).isEmpty();
    }
    var ran = new AtomicBoolean();
    engine.push(onDevice("after", Footprint.writing(variable("d")), () -> ran.set(true)));
    awaitAll();
    assertThat(ran).isTrue();
  }

  private static void keep(List<Throwable> told, ThrowingCallable call) {
    Throwable thrown = catchThrowable(call);
    if (thrown != null) {
      told.add(thrown);
    }
  }

  @Test
  void asynchronousWorkEndsAlthoughTheDeviceCannotSayHowFarItIs() {
    Variable a = variable("a");
    engine.push(onDevice("give", Footprint.writing(a), () -> {}));
    device.failing.set(Call.HAS_PASSED);
    if (isNaive()) {
      engine.push(Operation.async("async", Footprint.writing(a), Completion::complete));
      awaitAll();
      return;
    }
    engine.push(Operation.async("async", Footprint.writing(a), Completion::complete));
    assertThat(failureOf(a)).hasMessageContaining("planted in device");
    assertThat(failureOfAll()).isNull();
  }
}
