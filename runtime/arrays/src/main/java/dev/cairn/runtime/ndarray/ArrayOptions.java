package dev.cairn.runtime.ndarray;

import dev.cairn.runtime.backend.DeviceOptions;
import dev.cairn.runtime.custom.OperatorRegistry;
import dev.cairn.runtime.engine.EngineOptions;
import dev.cairn.runtime.ndarray.memory.ArrayMemory;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;

/**
 * Options of an {@link ArrayRuntime}. Immutable.
 *
 * @param engine which engine runs operations, on how many threads, and whether it notes the line of each call
 * @param devices where arrays lie; new ones on the first. The processor is there also if it is not named
 * @param threads how many threads one kernel may use
 * @param memory how arrays take memory, on each device
 * @param maxPending a thread that makes calls waits while about so many operations have not ended. Operations that wait
 *   hold no memory of their own, so that memory follows execution however far the program runs ahead
 * @param operators the operators that arrays can call: Cairn's own, and those of users
 * @param seed of random numbers; if there is none, each runtime takes one by itself and logs it
 */
public record ArrayOptions(EngineOptions engine, List<DeviceOptions> devices, int threads, ArrayMemory memory,
  int maxPending, OperatorRegistry operators, OptionalLong seed) {
  /** On the processor, all of its threads, pooled memory without a limit, 10,000 pending operations. */
  public static final ArrayOptions DEFAULT = new ArrayOptions(EngineOptions.DEFAULT, List.of(DeviceOptions.CPU), Runtime
    .getRuntime().availableProcessors(), ArrayMemory.DEFAULT, 10_000, OperatorRegistry.STANDARD, OptionalLong.empty());

  /** Checks the figures. */
  public ArrayOptions {
    devices = List.copyOf(devices);
    if (devices.isEmpty()) {
      throw new IllegalArgumentException("arrays lie on at least one device: devices=[]; use DeviceOptions.CPU");
    }
    if (threads < 1 || maxPending < 1) {
      throw new IllegalArgumentException("out of range: threads=%d maxPending=%d".formatted(threads, maxPending));
    }
  }

  public ArrayOptions withEngine(EngineOptions other) {
    return new ArrayOptions(other, devices, threads, memory, maxPending, operators, seed);
  }

  /** The same with another kind of engine. */
  public ArrayOptions withEngine(EngineOptions.Kind kind) {
    return withEngine(engine.withKind(kind));
  }

  /** These options with devices; new arrays lie on the first. */
  public ArrayOptions withDevices(DeviceOptions... others) {
    return new ArrayOptions(engine, List.of(others), threads, memory, maxPending, operators, seed);
  }

  /** Like {@link #withDevices(DeviceOptions...)}, by name: {@code cpu}, {@code cuda:0}, {@code auto}. */
  public ArrayOptions withDevices(String... names) {
    return withDevices(Arrays.stream(names).map(DeviceOptions::of).toArray(DeviceOptions[]::new));
  }

  public ArrayOptions withDevice(DeviceOptions only) {
    return withDevices(only);
  }

  public ArrayOptions withThreads(int count) {
    return new ArrayOptions(engine, devices, count, memory, maxPending, operators, seed);
  }

  public ArrayOptions withMemory(ArrayMemory other) {
    return new ArrayOptions(engine, devices, threads, other, maxPending, operators, seed);
  }

  public ArrayOptions withMaxPending(int operations) {
    return new ArrayOptions(engine, devices, threads, memory, operations, operators, seed);
  }

  /** These options with operators of users, which {@link NDArray#apply} calls beside Cairn's own. */
  public ArrayOptions withOperators(OperatorRegistry known) {
    return new ArrayOptions(engine, devices, threads, memory, maxPending, known, seed);
  }

  public ArrayOptions withSeed(long number) {
    return new ArrayOptions(engine, devices, threads, memory, maxPending, operators, OptionalLong.of(number));
  }
}
