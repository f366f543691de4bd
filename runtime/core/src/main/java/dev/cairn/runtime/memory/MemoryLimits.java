package dev.cairn.runtime.memory;

import java.util.Collections;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The most that a plan may take of each device's memory. A value. Text form: {@code device 0: 1024, device 1: 2048}.
 *
 * @param bytesByDevice limits of the devices that have one, at least 0 each
 */
public record MemoryLimits(SortedMap<Integer, Long> bytesByDevice) {
  /** No device has a limit. */
  public static final MemoryLimits NONE = new MemoryLimits(new TreeMap<>());

  public MemoryLimits {
    bytesByDevice = Collections.unmodifiableSortedMap(new TreeMap<>(bytesByDevice));
    for (Map.Entry<Integer, Long> limit : bytesByDevice.entrySet()) {
      if (limit.getKey() < 0 || limit.getValue() < 0) {
        throw new IllegalArgumentException("negative: device=%d limitBytes=%d".formatted(limit.getKey(), limit
          .getValue()));
      }
    }
  }

  /** The same with a limit for this device. */
  public MemoryLimits with(int device, long limitBytes) {
    SortedMap<Integer, Long> limits = new TreeMap<>(bytesByDevice);
    limits.put(device, limitBytes);
    return new MemoryLimits(limits);
  }

  /** Empty when the device has none. */
  public OptionalLong of(int device) {
    Long limit = bytesByDevice.get(device);
    return limit == null ? OptionalLong.empty() : OptionalLong.of(limit);
  }

  @Override
  public String toString() {
    return bytesByDevice.isEmpty()
      ? "no limits"
      : String.join(", ", bytesByDevice.entrySet().stream().map(
        it -> "device " + it.getKey() + ": " + it.getValue()).toList());
  }
}
