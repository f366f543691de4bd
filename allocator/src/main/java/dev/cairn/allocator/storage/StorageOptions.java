package dev.cairn.allocator.storage;

/**
 * How much a storage manager may hold.
 *
 * @param limitBytes what there is for it
 * @param reservePercent the part of that which stays with the source, for others: no region is taken that would bring
 *     the pool above the rest, even though the source would give it. MXNet keeps 5 % of a device, but softly: short of
 *     that it empties its pool, and then takes the region all the same
 */
public record StorageOptions(long limitBytes, int reservePercent) {
  /** The percentage that MXNet reserves. */
  public static final int RESERVE_PERCENT = 5;
  /** No limit, and so no reserve. */
  public static final StorageOptions UNLIMITED = new StorageOptions(Long.MAX_VALUE, 0);

  /** Checks the figures. */
  public StorageOptions {
    if (limitBytes < 0) {
      throw new IllegalArgumentException("limit must not be negative: limitBytes=" + limitBytes);
    }
    if (reservePercent < 0 || reservePercent > 100) {
      throw new IllegalArgumentException("reserve must be from 0 to 100: reservePercent=" + reservePercent);
    }
  }

  /** These options with another limit. */
  public StorageOptions withLimitBytes(long newLimitBytes) {
    return new StorageOptions(newLimitBytes, reservePercent);
  }

  /** These options with another reserve. */
  public StorageOptions withReservePercent(int newReservePercent) {
    return new StorageOptions(limitBytes, newReservePercent);
  }

  /** The bytes that stay with the source, rounded up. */
  public long reserveBytes() {
    // The product is computed in two parts, as the product of a large limit would overflow.
    return limitBytes / 100 * reservePercent + Math.ceilDiv(limitBytes % 100 * reservePercent, 100L);
  }

  /** The most that the pool may hold: the limit without the reserve. */
  public long poolLimitBytes() {
    return limitBytes - reserveBytes();
  }
}
