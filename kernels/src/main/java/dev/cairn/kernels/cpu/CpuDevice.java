package dev.cairn.kernels.cpu;

import dev.cairn.kernels.device.Device;
import dev.cairn.kernels.device.DeviceId;

/** The host's processor: one stream, and a fixed team of worker threads. Closing ends the workers. */
public final class CpuDevice implements Device {
  private final WorkerTeam workers;
  private final CpuStream stream = new CpuStream(this);
  private final int threads;

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

  @Override
  public void close() {
    workers.close();
  }
}
