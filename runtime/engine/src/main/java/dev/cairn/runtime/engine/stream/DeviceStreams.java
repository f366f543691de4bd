package dev.cairn.runtime.engine.stream;

import dev.cairn.kernels.device.Device;
import dev.cairn.runtime.engine.failure.Failures;
import java.util.ArrayList;
import java.util.List;

/** The open streams of an engine's devices, one for each worker and device that needs one. Thread-safe. */
public final class DeviceStreams {
  private final List<Device> devices;
  private final List<EngineStream> open = new ArrayList<>();
  private int made;

  /** @param devices those of the graphics processors; none where all work is the host's */
  public DeviceStreams(List<Device> devices) {
    this.devices = devices;
  }

  /** Whether no operation can ever be on a stream. */
  public boolean isEmpty() {
    return devices.isEmpty();
  }

  /** Opens a stream on the device with this number. */
  public synchronized EngineStream open(String name, int device) {
    var stream = new EngineStream(devices.get(device).newStream(name), made++);
    open.add(stream);
    return stream;
  }

  /** Whether all streams have come to their ends. */
  public boolean isQuiet() {
    return streams().stream().allMatch(EngineStream::isQuiet);
  }

  /** Waits for every stream; adds what a device reports only now to the failures. */
  public void synchronize(Failures failures) {
    for (EngineStream stream : streams()) {
      try {
        stream.synchronize();
      } catch (RuntimeException | Error e) {
        failures.add(stream, e);
      }
    }
  }

  private synchronized List<EngineStream> streams() {
    return List.copyOf(open);
  }

  /** Closes the streams of workers that have ended. */
  public void close() {
    List<EngineStream> all = streams();
    synchronized (this) {
      open.removeAll(all);
    }
    all.forEach(EngineStream::close);
  }
}
