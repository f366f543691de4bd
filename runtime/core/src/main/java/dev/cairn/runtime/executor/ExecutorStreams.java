package dev.cairn.runtime.executor;

import dev.cairn.kernels.device.Device;
import dev.cairn.kernels.device.Stream;
import dev.cairn.runtime.memory.analysis.StreamSchedule;
import java.util.ArrayList;
import java.util.List;

/**
 * The streams of one executor, by their number in the schedule: the device's default stream for the first and for those
 * without steps, streams of its own for the rest. Owned by the executor; not thread-safe.
 */
final class ExecutorStreams implements AutoCloseable {
  private final List<Stream> streams = new ArrayList<>();
  private final List<Stream> own = new ArrayList<>();

  ExecutorStreams(Device device, StreamSchedule schedule) {
    try {
      for (int number = 0; number < schedule.streams(); number++) {
        boolean idle = number == 0 || schedule.stepsOn(number) == 0;
        streams.add(idle ? device.defaultStream() : made(device, number));
      }
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
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

  /** Whether steps run on other streams than the default one. */
  boolean areSeveral() {
    return !own.isEmpty();
  }

  @Override
  public void close() {
    own.forEach(Stream::close);
    own.clear();
  }
}
