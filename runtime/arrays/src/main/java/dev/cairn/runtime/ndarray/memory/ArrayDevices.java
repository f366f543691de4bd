package dev.cairn.runtime.ndarray.memory;

import dev.cairn.allocator.AllocatorStats;
import dev.cairn.kernels.device.Device;
import dev.cairn.kernels.device.ProgramLocal;
import dev.cairn.runtime.backend.DeviceOptions;
import dev.cairn.runtime.custom.OperatorRegistry;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The devices of a runtime: those that its options name, and always the processor. Thread-safe. */
public final class ArrayDevices implements AutoCloseable {
  private final Map<String, ArrayDevice> byName = new LinkedHashMap<>();
  private final ArrayDevice host;
  private final ArrayDevice usual;
  /** Where a thread makes arrays that have no operands; null for the usual device. */
  private final ProgramLocal<Choice> chosen = new ProgramLocal<>();

  /**
   * A thread's choice of a device for new arrays.
   *
   * @param outer the choice before
   */
  public record Choice(ArrayDevice device, @Nullable Choice outer) {}

  private ArrayDevices(List<DeviceOptions> devices, int threads, OperatorRegistry operators, ArrayMemory memory) {
    try {
      for (DeviceOptions wanted : devices) {
        add(ArrayDevice.open(wanted, threads, operators, memory, gpus().size(), byName.isEmpty()
          ? memory.budget()
          : Optional.empty()));
      }
      this.usual = byName.values().iterator().next();
      if (!byName.containsKey("cpu")) {
        add(ArrayDevice.open(DeviceOptions.CPU, threads, operators, memory, 0, Optional.empty()));
      }
      this.host = named("cpu");
    } catch (RuntimeException | Error e) {
      closeAfter(e);
      throw e;
    }
  }

  /**
   * @param devices new arrays lie on the first
   * @param threads how many threads one kernel may use
   * @param operators those that calls name
   */
  public static ArrayDevices open(List<DeviceOptions> devices, int threads, OperatorRegistry operators,
    ArrayMemory memory) {
    return new ArrayDevices(devices, threads, operators, memory);
  }

  private void add(ArrayDevice opened) {
    if (byName.putIfAbsent(opened.name(), opened) != null) {
      opened.close();
      throw new IllegalArgumentException("a device is named twice: device=" + opened.name());
    }
  }

  private void closeAfter(Throwable failure) {
    try {
      close();
    } catch (RuntimeException | Error e) {
      failure.addSuppressed(e);
    }
  }

  /** The GPUs, in the engine's order. */
  public List<Device> gpus() {
    List<Device> gpus = new ArrayList<>();
    for (ArrayDevice it : byName.values()) {
      if (!it.isHost()) {
        gpus.add(it.device());
      }
    }
    return gpus;
  }

  public List<String> names() {
    return List.copyOf(byName.keySet());
  }

  /** Whether there is the processor alone. */
  public boolean isSingle() {
    return byName.size() == 1;
  }

  /** The processor. */
  public ArrayDevice host() {
    return host;
  }

  /** Where this thread makes arrays that have no operands. */
  public ArrayDevice current() {
    Choice choice = chosen.get();
    return choice == null ? usual : choice.device;
  }

  /** @throws IllegalArgumentException when the runtime has no such device */
  public ArrayDevice named(String name) {
    String cuda = name.startsWith("gpu") ? "cuda" + name.substring(3) : name;
    String full = cuda.equals("cuda") ? "cuda:0" : cuda;
    ArrayDevice device = byName.get(full);
    if (device == null) {
      throw new IllegalArgumentException("no such device of this runtime: device=%s devices=%s; name it in ArrayOptions"
        .formatted(name, names()));
    }
    return device;
  }

  /** Memory of the host with this name, besides the ordinary one; null for the name of a device. */
  public @Nullable HostPlace place(String name) {
    if (!HostPlaces.isOne(name)) {
      return null;
    }
    return name.equals(HostPlaces.SHARED)
      ? host.places().shared()
      : host.places()
        .pinned(byName.values().stream().filter(it -> !it.isHost()).findFirst().map(ArrayDevice::transfers));
  }

  /** Chooses a device for new arrays of this thread, until it {@linkplain #leave leaves} the choice. */
  public Choice choose(String name) {
    var choice = new Choice(named(name), chosen.get());
    chosen.set(choice);
    return choice;
  }

  /** @throws IllegalStateException when the thread's latest choice is another one */
  @SuppressWarnings("ReferenceEquality")
  public void leave(Choice choice) {
    if (chosen.get() != choice) {
      throw new IllegalStateException("choices of devices close in reverse, on the thread that made them: device="
        + choice.device.name());
    }
    chosen.set(choice.outer);
  }

  public Map<String, AllocatorStats> stats() {
    Map<String, AllocatorStats> stats = new LinkedHashMap<>();
    byName.forEach((name, device) -> stats.put(name, device.stats()));
    host.places().addStats(stats);
    return stats;
  }

  /** The device of arrays where nothing else is said. */
  public ArrayDevice usual() {
    return usual;
  }

  public long trim() {
    return byName.values().stream().mapToLong(ArrayDevice::trim).sum();
  }

  /** Like {@link #close}, where arrays were never closed, and nothing can reach them any more. */
  public void abandon() {
    each(ArrayDevice::abandon);
  }

  @Override
  public void close() {
    each(ArrayDevice::close);
  }

  private void each(Consumer<ArrayDevice> end) {
    RuntimeException failure = null;
    for (ArrayDevice device : byName.values()) {
      try {
        device.table().close();
        end.accept(device);
      } catch (RuntimeException e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
