package dev.cairn.runtime.ndarray;

import dev.cairn.allocator.Alignment;
import dev.cairn.allocator.Allocator;
import dev.cairn.allocator.source.SubAllocator;
import dev.cairn.allocator.storage.NaiveStorageManager;
import dev.cairn.allocator.storage.PooledStorageManager;
import dev.cairn.allocator.storage.Rounding;
import dev.cairn.allocator.storage.StorageOptions;
import dev.cairn.allocator.storage.UnpooledStorageManager;

/**
 * How arrays take memory. Every kind stands over an allocator that splits and joins (best fit with coalescing).
 *
 * @param kind what happens to memory that an array gives back
 * @param rounding to which lengths requests are rounded; {@link Kind#NAIVE} ignores it
 * @param limitBytes the most that all arrays of a runtime take together on one device
 */
public record ArrayMemory(Kind kind, Rounding rounding, long limitBytes) {
  /** What happens to memory that an array gives back. */
  public enum Kind {
    /** It goes back at once, and requests are not rounded: the reference. */
    NAIVE,
    /** It waits for the next array of the same rounded length. */
    POOLED,
    /** It goes back at once; requests are rounded as those of a pool. */
    UNPOOLED
  }

  /** Pooled, by powers of two from 256 bytes to 16 MiB and then by multiples of that; no limit. */
  public static final ArrayMemory DEFAULT = new ArrayMemory(Kind.POOLED, new Rounding.PowerOfTwo(256,
    Rounding.CUTOFF), Long.MAX_VALUE);

  public ArrayMemory withKind(Kind other) {
    return new ArrayMemory(other, rounding, limitBytes);
  }

  public ArrayMemory withRounding(Rounding other) {
    return new ArrayMemory(kind, other, limitBytes);
  }

  public ArrayMemory withLimitBytes(long bytes) {
    return new ArrayMemory(kind, rounding, bytes);
  }

  /** What a request takes of the limit, at most. */
  long roundedBytes(long bytes) {
    return kind == Kind.NAIVE ? Alignment.up(bytes, Alignment.CHUNK_BYTES) : rounding.round(bytes);
  }

  Allocator open(SubAllocator source) {
    StorageOptions options = StorageOptions.UNLIMITED.withLimitBytes(limitBytes);
    return switch (kind) {
      case NAIVE -> new NaiveStorageManager(source, limitBytes);
      case POOLED -> new PooledStorageManager(source, rounding, options);
      case UNPOOLED -> new UnpooledStorageManager(source, rounding, options);
    };
  }
}
