package dev.cairn.allocator.source;

import java.lang.foreign.MemorySegment;

/**
 * One range of memory got from a source, {@code [address, address + bytes)}. The source owns what is behind it. Regions
 * are compared by identity: the same range may be given, released and given again.
 */
public final class Region {
  private final long address;
  private final long bytes;
  private final MemorySegment segment;

  /**
   * Made by sources only.
   *
   * @param address first byte, a multiple of 256
   * @param bytes length, a positive multiple of 256
   * @param segment the same range for the host; {@link MemorySegment#NULL} without host access
   */
  public Region(long address, long bytes, MemorySegment segment) {
    this.address = address;
    this.bytes = bytes;
    this.segment = segment;
  }

  /** A region that the host can't reach into. */
  public static Region withoutHostAccess(long address, long bytes) {
    return new Region(address, bytes, MemorySegment.NULL);
  }

  /** First byte. */
  public long address() {
    return address;
  }

  /** Length. */
  public long bytes() {
    return bytes;
  }

  /** One past the last byte. */
  public long endAddress() {
    return address + bytes;
  }

  /** The range for the host, alive until the release; {@link MemorySegment#NULL} without host access. */
  public MemorySegment segment() {
    return segment;
  }

  @Override
  public String toString() {
    return "region address=0x%x bytes=%d".formatted(address, bytes);
  }
}
