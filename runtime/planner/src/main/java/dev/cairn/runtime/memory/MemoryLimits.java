package dev.cairn.runtime.memory;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The most that may be taken of each device's memory, and what is taken of it whatever the plan. A value. Text form:
 * {@code device 0: 1024, device 1: 2048, device 1 taken: 100}.
 *
 * @param bytesByDevice limits of the devices that have one, at least 0 each
 * @param takenByDevice what else than the plan lies there, a model's weights for one; at least 0 each
 */
public record MemoryLimits(SortedMap<Integer, Long> bytesByDevice, SortedMap<Integer, Long> takenByDevice) {
  /** No device has a limit, and nothing is taken. */
  public static final MemoryLimits NONE = new MemoryLimits(new TreeMap<>(), new TreeMap<>());

  public MemoryLimits {
    bytesByDevice = checked("limitBytes", bytesByDevice);
    takenByDevice = checked("takenBytes", takenByDevice);
  }

  private static SortedMap<Integer, Long> checked(String what, SortedMap<Integer, Long> byDevice) {
    for (Map.Entry<Integer, Long> it : byDevice.entrySet()) {
      if (it.getKey() < 0 || it.getValue() < 0) {
        throw new IllegalArgumentException("negative: device=%d %s=%d".formatted(it.getKey(), what, it.getValue()));
      }
    }
    return Collections.unmodifiableSortedMap(new TreeMap<>(byDevice));
  }

  /** The same with a limit for this device. */
  public MemoryLimits with(int device, long limitBytes) {
    SortedMap<Integer, Long> limits = new TreeMap<>(bytesByDevice);
    limits.put(device, limitBytes);
    return new MemoryLimits(limits, takenByDevice);
  }

  /** The same where so much of this device is taken beside the plan. */
  public MemoryLimits withTaken(int device, long takenBytes) {
    SortedMap<Integer, Long> taken = new TreeMap<>(takenByDevice);
    taken.put(device, takenBytes);
    return new MemoryLimits(bytesByDevice, taken);
  }

  /** Empty when the device has none. */
  public OptionalLong of(int device) {
    Long limit = bytesByDevice.get(device);
    return limit == null ? OptionalLong.empty() : OptionalLong.of(limit);
  }

  /** What is taken of the device beside the plan. */
  public long taken(int device) {
    return takenByDevice.getOrDefault(device, 0L);
  }

  @Override
  public String toString() {
    List<String> parts = new ArrayList<>();
    bytesByDevice.forEach((device, bytes) -> parts.add("device " + device + ": " + bytes));
    takenByDevice.forEach((device, bytes) -> parts.add("device " + device + " taken: " + bytes));
    return parts.isEmpty() ? "no limits" : String.join(", ", parts);
  }
}
