package dev.cairn.runtime.ndarray;

import dev.cairn.allocator.AllocatorStats;
import dev.cairn.kernels.device.Device;
import dev.cairn.kernels.device.ProgramLocal;
import dev.cairn.runtime.backend.DeviceOptions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The devices of a runtime: those that its options name, and always the processor. Thread-safe. */
final class ArrayDevices implements AutoCloseable {
  private final Map<String, ArrayDevice> byName = new LinkedHashMap<>();
  private final ArrayDevice host;
  private final ArrayDevice usual;
  /** Where a thread makes arrays that have no operands; null for the usual device. */
  private final ProgramLocal<DeviceScope> chosen = new ProgramLocal<>();

  private ArrayDevices(ArrayOptions options) {
    try {
      for (DeviceOptions wanted : options.devices()) {
        add(ArrayDevice.open(wanted, options, gpus().size(), byName.isEmpty()
          ? options.memory().budget()
          : Optional.empty()));
      }
      this.usual = byName.values().iterator().next();
      if (!byName.containsKey("cpu")) {
        add(ArrayDevice.open(DeviceOptions.CPU, options, 0, Optional.empty()));
      }
      this.host = named("cpu");
    } catch (RuntimeException | Error e) {
      closeAfter(e);
      throw e;
    }
  }

  static ArrayDevices open(ArrayOptions options) {
    return new ArrayDevices(options);
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
  List<Device> gpus() {
    List<Device> gpus = new ArrayList<>();
    for (ArrayDevice it : byName.values()) {
      if (!it.isHost()) {
        gpus.add(it.device());
      }
    }
    return gpus;
  }

  List<String> names() {
    return List.copyOf(byName.keySet());
  }

  /** Whether there is the processor alone. */
  boolean isSingle() {
    return byName.size() == 1;
  }

  /** The processor. */
  ArrayDevice host() {
    return host;
  }

  /** Where this thread makes arrays that have no operands. */
  ArrayDevice current() {
    DeviceScope scope = chosen.get();
    return scope == null ? usual : scope.device();
  }

  /** @throws IllegalArgumentException when the runtime has no such device */
  ArrayDevice named(String name) {
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
  @Nullable
  HostPlace place(String name) {
    if (!HostPlaces.isOne(name)) {
      return null;
    }
    return name.equals(HostPlaces.SHARED)
      ? host.places().shared()
      : host.places().pinned(byName.values().stream().filter(it -> !it.isHost()).findFirst());
  }

  DeviceScope choose(String name) {
    var scope = new DeviceScope(this, named(name), chosen.get());
    chosen.set(scope);
    return scope;
  }

  @SuppressWarnings("ReferenceEquality")
  void leave(DeviceScope scope) {
    if (chosen.get() != scope) {
      throw new IllegalStateException("choices of devices close in reverse, on the thread that made them: device="
        + scope.device().name());
    }
    chosen.set(scope.outer());
  }

  /**
   * The device on which a call runs: its operands', or where this thread makes arrays. Constants lie on every device.
   *
   * @throws IllegalArgumentException when operands lie on several devices
   */
  ArrayDevice of(String what, @Nullable NDArray[] operands) {
    if (isSingle()) {
      return host;
    }
    ArrayDevice found = null;
    for (NDArray operand : operands) {
      if (operand != null && !operand.range().storage().isConstant) {
        ArrayDevice other = operand.range().storage().device;
        if (found != null && !found.equals(other)) {
          throw new IllegalArgumentException("operands lie on several devices: operation=%s devices=%s and %s; move "
            .formatted(what, found.name(), other.name()) + "one with to(\"" + found.name() + "\")");
        }
        found = other;
      }
    }
    return found == null ? current() : found;
  }

  /** @throws IllegalArgumentException when an operand lies on another device */
  void requireOn(ArrayDevice device, String what, @Nullable NDArray[] operands) {
    if (isSingle()) {
      return;
    }
    ArrayDevice found = of(what, operands);
    boolean isSome = Arrays.stream(operands).anyMatch(it -> it != null && !it.range().storage().isConstant);
    if (isSome && !found.equals(device)) {
      throw new IllegalArgumentException("an array is written from another device: operation=%s array=%s operands=%s; "
        .formatted(what, device.name(), found.name()) + "move these with to(\"" + device.name() + "\")");
    }
  }

  Map<String, AllocatorStats> stats() {
    Map<String, AllocatorStats> stats = new LinkedHashMap<>();
    byName.forEach((name, device) -> stats.put(name, device.stats()));
    host.places().addStats(stats);
    return stats;
  }

  /** The device of arrays where nothing else is said. */
  ArrayDevice usual() {
    return usual;
  }

  long trim() {
    return byName.values().stream().mapToLong(ArrayDevice::trim).sum();
  }

  /** Like {@link #close}, where arrays were never closed, and nothing can reach them any more. */
  void abandon() {
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
