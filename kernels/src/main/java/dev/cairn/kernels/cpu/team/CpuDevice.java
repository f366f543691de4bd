package dev.cairn.kernels.cpu.team;

import dev.cairn.kernels.device.Device;
import dev.cairn.kernels.device.DeviceId;
import dev.cairn.kernels.device.ThreadTeam;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The host's processor: a default stream that is the caller's own thread, further streams with a thread each, and a
 * fixed team of threads that help with the loops of kernels. Closing ends streams and the team's own threads.
 */
public final class CpuDevice implements Device {
  private final LoopTeam team;
  private final CallerStream stream = new CallerStream(this);
  private final List<ThreadStream> streams = new ArrayList<>();
  private final int threads;
  private boolean closed;

  /** @param threads how many threads a kernel may use, the caller included; at least 1 */
  public CpuDevice(int threads) {
    this(threads, Optional.empty());
  }

  /** @param shared threads that run the loops of kernels, so that there are no others */
  public CpuDevice(int threads, Optional<ThreadTeam> shared) {
    if (threads < 1) {
      throw new IllegalArgumentException("at least one thread: threads=" + threads);
    }
    this.threads = threads;
    this.team = shared.filter(_ -> threads > 1).<LoopTeam>map(it -> new SharedTeam(it, threads)).orElseGet(
      () -> new WorkerTeam(threads - 1));
  }

  /** A device with as many threads as the machine has processors. */
  public static CpuDevice ofAllProcessors() {
    return new CpuDevice(Runtime.getRuntime().availableProcessors());
  }

  public int threads() {
    return threads;
  }

  LoopTeam team() {
    return team;
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
    team.close();
  }

  private synchronized List<ThreadStream> takeStreams() {
    closed = true;
    List<ThreadStream> taken = List.copyOf(streams);
    streams.clear();
    return taken;
  }
}
