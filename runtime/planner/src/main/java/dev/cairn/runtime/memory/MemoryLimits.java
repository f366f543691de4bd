package dev.cairn.runtime.memory;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The memory limit of each device, and the bytes that other data takes there. A value. Text form: {@code device 0:
 * 1024, device 1: 2048, device 1 taken: 100}.
 *
 * @param bytesByDevice the limits of devices with a limit, at least 0 each
 * @param takenByDevice bytes of data beside the plan, such as a model's weights; at least 0 each
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

  /** These limits with a limit for this device. */
  public MemoryLimits with(int device, long limitBytes) {
    SortedMap<Integer, Long> limits = new TreeMap<>(bytesByDevice);
    limits.put(device, limitBytes);
    return new MemoryLimits(limits, takenByDevice);
  }

  /** These limits with this many bytes taken on the device beside the plan. */
  public MemoryLimits withTaken(int device, long takenBytes) {
    SortedMap<Integer, Long> taken = new TreeMap<>(takenByDevice);
    taken.put(device, takenBytes);
    return new MemoryLimits(bytesByDevice, taken);
  }

  /** The device's limit, if it has one. */
  public OptionalLong of(int device) {
    Long limit = bytesByDevice.get(device);
    return limit == null ? OptionalLong.empty() : OptionalLong.of(limit);
  }

  /** Bytes taken on the device beside the plan. */
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
