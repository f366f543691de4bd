package dev.cairn.runtime.engine;

import dev.cairn.kernels.device.Device;
import java.util.ArrayList;
import java.util.List;

/**
 * The streams of an engine's devices, one for each worker and device that has come to need one, and what the host must
 * wait for because of them. Thread-safe. Does nothing in an engine without devices.
 */
final class DeviceStreams {
  private final List<Device> devices;
  private final long spinNanos;
  private final List<EngineStream> open = new ArrayList<>();
  private int made;

  DeviceStreams(EngineOptions options) {
    this.devices = options.devices();
    this.spinNanos = options.spinNanos();
  }

  /** The worker's own stream on that device; for this thread, the worker. */
  EngineStream of(Worker worker, ExecutionPlace place) {
    EngineStream there = worker.stream(place.index());
    if (there == null) {
      there = make(worker.getName(), place.index());
      worker.keepStream(place.index(), there);
    }
    return there;
  }

  private synchronized EngineStream make(String name, int device) {
    var stream = new EngineStream(devices.get(device).newStream(name), made++);
    open.add(stream);
    return stream;
  }

  /** Returns when the host may do what the footprint says: streams are done with it, and have told how it went. */
  void awaitHost(Footprint footprint) {
    if (devices.isEmpty()) {
      return;
    }
    List<StreamMark> awaited = footprint.marks();
    for (StreamMark mark : awaited) {
      awaitPassed(mark, SpinThenSleep.endless(spinNanos));
    }
    footprint.takeOverFromStreams();
  }

  static boolean awaitPassed(StreamMark mark, SpinThenSleep patience) {
    return mark.hasPassed() || patience.untilPolled(mark::hasPassed);
  }

  /** Returns when the last write that was given to a stream has ended, or the patience ends: false. */
  boolean awaitWrite(Variable variable, SpinThenSleep patience) {
    VariableMarks marks = variable.marks();
    if (marks == null) {
      return true;
    }
    List<StreamMark> awaited = new ArrayList<>();
    marks.addTo(awaited, false);
    return awaited.stream().allMatch(it -> awaitPassed(it, patience));
  }

  /** Returns true when all streams have come to their ends, false when the patience ends before. */
  boolean awaitQuiet(SpinThenSleep patience) {
    List<EngineStream> streams = streams();
    return streams.stream().allMatch(EngineStream::isQuiet)
      || patience.untilPolled(() -> streams.stream().allMatch(EngineStream::isQuiet));
  }

  /** Waits for every stream; what a device finds out only now is written down as a failure. */
  void synchronize(Failures failures) {
    for (EngineStream stream : streams()) {
      try {
        stream.synchronize();
      } catch (RuntimeException | Error e) {
        failures.add(Operation.of(stream.toString(), Footprint.NONE, () -> {}), e);
      }
    }
  }

  private synchronized List<EngineStream> streams() {
    return List.copyOf(open);
  }

  /** Closes the streams of workers that have ended. */
  void close() {
    List<EngineStream> all = streams();
    synchronized (this) {
      open.removeAll(all);
    }
    all.forEach(EngineStream::close);
  }
}
