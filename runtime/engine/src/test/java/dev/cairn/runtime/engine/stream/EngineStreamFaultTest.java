package dev.cairn.runtime.engine.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.kernels.device.Device;
import dev.cairn.kernels.device.DeviceId;
import dev.cairn.kernels.device.Stream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a stream's refusals leave behind: nothing that a later operation could run into. */
class EngineStreamFaultTest {
  private final Device device = new NoDevice();
  private final PlantedStream planted = new PlantedStream(device);
  private final EngineStream stream = new EngineStream(planted, 0);
  private final EngineStream other = new EngineStream(new PlantedStream(device), 1);

  private static final class NoDevice implements Device {
    @Override
    public DeviceId id() {
      return DeviceId.CPU;
    }

    @Override
    public String description() {
      return "none";
    }

    @Override
    public Stream defaultStream() {
      throw new UnsupportedOperationException();
    }

    @Override
    public Stream newStream(String name) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void close() {}
  }

  /** Writes down what it is asked for; refuses the next call of one kind. Nothing passes before it is synchronized. */
  private static final class PlantedStream implements Stream {
    private final Device device;
    private final List<String> calls = new ArrayList<>();
    private String refused = "";

    PlantedStream(Device device) {
      this.device = device;
    }

    private void call(String name) {
      calls.add(name);
      if (refused.equals(name)) {
        refused = "";
        throw new IllegalStateException("planted in " + name);
      }
    }

    @Override
    public Device device() {
      return device;
    }

    @Override
    public void submit(Runnable work) {
      call("submit");
    }

    @Override
    public long record() {
      call("record");
      return 1;
    }

    @Override
    public void waitFor(Stream other, long mark) {
      call("wait");
    }

    @Override
    public boolean hasPassed(long mark) {
      return false;
    }

    @Override
    public void synchronize() {
      call("synchronize");
    }

    @Override
    public void close() {}
  }

  @Test
  void aWaitThatWasRefusedIsAskedForAgain() {
    planted.refused = "wait";
    assertThatThrownBy(() -> waitForOther(5)).hasMessage("planted in wait");
    waitForOther(5);
    waitForOther(5);
    assertThat(planted.calls).containsExactly("wait", "wait");
  }

  private void waitForOther(long mark) {
    synchronized (stream) {
      stream.waitFor(other, mark);
    }
  }

  @Test
  void workWhoseMarkWasRefusedHasEndedWhenItsOperationFails() {
    planted.refused = "record";
    assertThatThrownBy(this::submit).hasMessage("planted in record");
    assertThat(planted.calls).containsExactly("submit", "record", "synchronize");
    assertThat(stream.isQuiet()).isTrue();
  }

  private void submit() {
    synchronized (stream) {
      stream.submit(() -> {});
    }
  }
}
