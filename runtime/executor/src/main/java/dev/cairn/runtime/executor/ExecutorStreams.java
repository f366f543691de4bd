package dev.cairn.runtime.executor;

import dev.cairn.kernels.device.Closing;
import dev.cairn.kernels.device.Device;
import dev.cairn.kernels.device.DeviceId;
import dev.cairn.kernels.device.Stream;
import dev.cairn.runtime.memory.analysis.StreamSchedule;
import java.util.ArrayList;
import java.util.List;

/**
 * The streams of one executor, by their number in the schedule: a stream for each that has steps; those without share
 * the first. On the CPU the first is the device's default stream, which any number of threads may share; elsewhere it
 * is one of its own. Owned by the executor; not thread-safe.
 */
final class ExecutorStreams implements AutoCloseable {
  private final List<Stream> streams = new ArrayList<>();
  private final List<Stream> own = new ArrayList<>();

  ExecutorStreams(Device device, StreamSchedule schedule) {
    try {
      boolean shared = device.id().kind() == DeviceId.Kind.CPU;
      streams.add(shared ? device.defaultStream() : made(device, 0));
      for (int number = 1; number < schedule.streams(); number++) {
        boolean idle = schedule.stepsOn(number) == 0;
        streams.add(idle ? streams.getFirst() : made(device, number));
      }
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  /** One stream of another owner. */
  ExecutorStreams(Stream stream) {
    streams.add(stream);
  }

  private Stream made(Device device, int number) {
    Stream stream = device.newStream(Integer.toString(number));
    own.add(stream);
    return stream;
  }

  List<Stream> all() {
    return List.copyOf(streams);
  }

  Stream get(int number) {
    return streams.get(number);
  }

  /** Whether steps run on other streams than the first. */
  boolean areSeveral() {
    return streams.stream().distinct().count() > 1;
  }

  @Override
  public void close() {
    var closing = new Closing();
    own.forEach(it -> closing.end(it::close));
    own.clear();
    closing.throwFailure();
  }
}
