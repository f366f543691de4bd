package dev.cairn.kernels.cpu;

import dev.cairn.kernels.device.Device;
import dev.cairn.kernels.device.DeviceId;
import java.util.ArrayList;
import java.util.List;

/**
 * The host's processor: a default stream that is the caller's own thread, further streams with a thread each, and a
 * fixed team of worker threads that help whichever kernel asks first. Closing ends streams and workers.
 */
public final class CpuDevice implements Device {
  private final WorkerTeam workers;
  private final CallerStream stream = new CallerStream(this);
  private final List<ThreadStream> streams = new ArrayList<>();
  private final int threads;
  private boolean closed;

  /** @param threads how many threads a kernel may use, the caller included; at least 1 */
  public CpuDevice(int threads) {
    if (threads < 1) {
      throw new IllegalArgumentException("at least one thread: threads=" + threads);
    }
    this.threads = threads;
    this.workers = new WorkerTeam(threads - 1);
  }

  /** As many threads as the machine has processors. */
  public static CpuDevice ofAllProcessors() {
    return new CpuDevice(Runtime.getRuntime().availableProcessors());
  }

  public int threads() {
    return threads;
  }

  WorkerTeam workers() {
    return workers;
  }

  @Override
  public DeviceId id() {
    return DeviceId.CPU;
  }

  @Override
  public String description() {
    return "cpu, %d thread%s".formatted(threads, threads == 1 ? "" : "s");
  }

  @Override
  public CpuStream defaultStream() {
    return stream;
  }

  /** @throws IllegalStateException when the device is closed */
  @Override
  public synchronized CpuStream newStream(String name) {
    if (closed) {
      throw new IllegalStateException("device is closed: device=" + id());
    }
    var made = new ThreadStream(this, name);
    streams.add(made);
    return made;
  }

  /** Leaves a stream to its closer. */
  synchronized void forget(ThreadStream closing) {
    if (!streams.remove(closing)) {
      throw new IllegalStateException("stream is closed already: device=" + id());
    }
  }

  @Override
  public void close() {
    takeStreams().forEach(ThreadStream::end);
    workers.close();
  }

  private synchronized List<ThreadStream> takeStreams() {
    closed = true;
    List<ThreadStream> taken = List.copyOf(streams);
    streams.clear();
    return taken;
  }
}
