package dev.cairn.allocator;

import java.util.Locale;

/**
 * An address space: host memory, page-locked host memory, or the memory of one device.
 *
 * @param kind what sort of memory it is
 * @param ordinal the device's number; 0 for host memory
 */
public record MemorySpace(Kind kind, int ordinal) {
  /** Ordinary memory of the process. */
  public static final MemorySpace HOST = new MemorySpace(Kind.HOST, 0);
  /** Page-locked memory of the process, from which a device copies directly. */
  public static final MemorySpace PINNED = new MemorySpace(Kind.PINNED, 0);

  /** The kinds of memory. */
  public enum Kind {
    /** Ordinary memory of the process. */
    HOST,
    /** Page-locked memory of the process. */
    PINNED,
    /** Memory of a device; the host cannot use its addresses. */
    DEVICE
  }

  /** Checks the ordinal. */
  public MemorySpace {
    if (ordinal < 0 || (kind != Kind.DEVICE && ordinal != 0)) {
      throw new IllegalArgumentException("no such memory space: kind=%s ordinal=%d".formatted(kind, ordinal));
    }
  }

  /** The memory of device {@code ordinal}, counted from 0. */
  public static MemorySpace device(int ordinal) {
    return new MemorySpace(Kind.DEVICE, ordinal);
  }

  /** Whether the host can read and write this memory. Then blocks have segments. */
  public boolean isHostAccessible() {
    return kind != Kind.DEVICE;
  }

  @Override
  public String toString() {
    return kind == Kind.DEVICE ? "device:" + ordinal : kind.name().toLowerCase(Locale.ROOT);
  }
}
