package dev.cairn.runtime.engine;

import dev.cairn.kernels.device.Device;
import dev.cairn.runtime.engine.queue.ExecutionPlace;
import dev.cairn.runtime.engine.queue.Operation;
import dev.cairn.runtime.engine.queue.StreamBody;
import dev.cairn.runtime.engine.stream.StreamWork;
import java.util.List;

/**
 * Which engine, and how it behaves. Immutable.
 *
 * @param kind which engine
 * @param cpus how many processor groups there are; an operation on another is refused
 * @param gpus how many graphics processors there are; an operation on another is refused
 * @param threads how many threads run what
 * @param captureSites whether each push writes down its line of code, for errors; some microseconds a push
 * @param spinNanos how long a thread with nothing to do looks for work before it sleeps, and a waiting one looks for
 *   the end; it costs a processor for that long and saves being woken. A group's only thread looks but every 15
 *   microseconds meanwhile, unless a thread waits
 * @param devices those of the graphics processors, to whose streams {@link StreamWork} is given; the caller closes them
 *   after the engine. Empty where all work is the host's
 */
public record EngineOptions(Kind kind, int cpus, int gpus, Threads threads, boolean captureSites, long spinNanos,
  List<Device> devices) {
  /** The engines there are. */
  public enum Kind {
    /** Each operation at once on the pusher's thread. */
    NAIVE,
    /** Threads for each device and kind of work. */
    PER_DEVICE,
    /** The same threads for all devices. */
    POOLED
  }

  /**
   * How many threads run what; each is started when there is work for it.
   *
   * @param perCpu normal work of one processor group
   * @param cpuPrioritized prioritised work of all processor groups together
   * @param perGpu normal work of one graphics processor, and as many for its prioritised work
   * @param perGpuCopies copies of one graphics processor
   * @param pooled everything but copies, in the pooled engine; copies have one thread there
   */
  public record Threads(int perCpu, int cpuPrioritized, int perGpu, int perGpuCopies, int pooled) {
    /**
     * One for a processor group, so that normal work that is ready runs in the order pushed; a pool of all processors.
     */
    public static final Threads DEFAULT = new Threads(1, 4, 2, 2, Runtime.getRuntime().availableProcessors());

    public Threads {
      if (Math.min(Math.min(perCpu, cpuPrioritized), Math.min(perGpu, Math.min(perGpuCopies, pooled))) < 1) {
        throw new IllegalArgumentException(
          "out of range: perCpu=%d cpuPrioritized=%d perGpu=%d perGpuCopies=%d pooled=%d"
            .formatted(perCpu, cpuPrioritized, perGpu, perGpuCopies, pooled));
      }
    }

    public Threads withPooled(int count) {
      return new Threads(perCpu, cpuPrioritized, perGpu, perGpuCopies, count);
    }
  }

  /** The engine for each device, one processor group, no graphics processor, sites not captured, 20 microseconds. */
  public static final EngineOptions DEFAULT = new EngineOptions(Kind.PER_DEVICE, 1, 0, Threads.DEFAULT, false,
    Runtime.getRuntime().availableProcessors() > 1 ? 20_000 : 0, List.of());

  public EngineOptions {
    devices = List.copyOf(devices);
    if (!devices.isEmpty() && devices.size() != gpus) {
      throw new IllegalArgumentException("not a device for each: gpus=%d devices=%d".formatted(gpus, devices.size()));
    }
    if (cpus < 1 || gpus < 0 || spinNanos < 0) {
      throw new IllegalArgumentException("out of range: cpus=%d gpus=%d spinNanos=%d".formatted(cpus, gpus,
        spinNanos));
    }
  }

  public EngineOptions withKind(Kind other) {
    return new EngineOptions(other, cpus, gpus, threads, captureSites, spinNanos, devices);
  }

  public EngineOptions withCpus(int count) {
    return new EngineOptions(kind, count, gpus, threads, captureSites, spinNanos, devices);
  }

  public EngineOptions withGpus(int count) {
    return new EngineOptions(kind, cpus, count, threads, captureSites, spinNanos, devices);
  }

  public EngineOptions withThreads(Threads other) {
    return new EngineOptions(kind, cpus, gpus, other, captureSites, spinNanos, devices);
  }

  public EngineOptions withCaptureSites(boolean captures) {
    return new EngineOptions(kind, cpus, gpus, threads, captures, spinNanos, devices);
  }

  public EngineOptions withSpinNanos(long nanos) {
    return new EngineOptions(kind, cpus, gpus, threads, captureSites, nanos, devices);
  }

  /** With a graphics processor for each device. */
  public EngineOptions withDevices(List<Device> those) {
    return new EngineOptions(kind, cpus, those.size(), threads, captureSites, spinNanos, those);
  }

  /** @throws IllegalArgumentException when there is no such device */
  void requireDevice(ExecutionPlace place, String operation) {
    int there = place.kind() == ExecutionPlace.Kind.CPU ? cpus : gpus;
    if (place.index() >= there) {
      throw new IllegalArgumentException("no such device: operation=%s place=%s devices=%d".formatted(operation, place,
        there));
    }
  }

  /** @throws IllegalArgumentException when there is no such device, or the operation needs streams and it has none */
  void requireDevice(Operation operation) {
    if (operation.isUsual()) {
      // Nearly all are so, and there always is a first processor group.
      return;
    }
    ExecutionPlace place = operation.place();
    requireDevice(place, operation.name());
    if (operation.work() instanceof StreamBody && (place.kind() == ExecutionPlace.Kind.CPU || devices.isEmpty())) {
      throw new IllegalArgumentException("no streams there: operation=%s place=%s".formatted(operation.name(), place));
    }
  }
}
