package dev.cairn.allocator;

import java.util.Locale;

/**
 * A memory that addresses belong to: the host's, the host's page-locked memory, or that of one device.
 *
 * @param kind what sort of memory it is
 * @param ordinal which device; 0 where the kind has only one
 */
public record MemorySpace(Kind kind, int ordinal) {
  /** Ordinary memory of the process. */
  public static final MemorySpace HOST = new MemorySpace(Kind.HOST, 0);
  /** Page-locked memory of the process, from which a device copies without a detour. */
  public static final MemorySpace PINNED = new MemorySpace(Kind.PINNED, 0);

  /** The sorts of memory. */
  public enum Kind {
    /** Ordinary memory of the process. */
    HOST,
    /** Page-locked memory of the process. */
    PINNED,
    /** Memory of a device: its addresses mean nothing to the host. */
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

  /** Whether the host may read and write these addresses, so that blocks have segments. */
  public boolean isHostAccessible() {
    return kind != Kind.DEVICE;
  }

  @Override
  public String toString() {
    return kind == Kind.DEVICE ? "device:" + ordinal : kind.name().toLowerCase(Locale.ROOT);
  }
}
