package dev.cairn.runtime.ndarray.memory;

import dev.cairn.allocator.Alignment;
import dev.cairn.allocator.Rounding;
import dev.cairn.allocator.bfc.BfcOptions;
import dev.cairn.allocator.bfc.SplitPolicy;
import dev.cairn.allocator.source.SubAllocator;
import dev.cairn.runtime.budget.MemoryBudget;
import java.util.Optional;

/**
 * How arrays take memory on each device, from one allocator that splits and joins (best fit with coalescing). The kinds
 * and roundings are those of MXNet's storage managers.
 *
 * @param kind what happens to memory that an array gives back
 * @param rounding to which lengths requests are rounded; {@link Kind#NAIVE} ignores it
 * @param limitBytes the most that all arrays of a runtime take together on one device
 * @param reservePercent the part of the limit that arrays leave to others; on a GPU without a limit, of its memory
 * @param budget bytes that arrays share with sessions and other runtimes on the same device
 */
public record ArrayMemory(Kind kind, Rounding rounding, long limitBytes, int reservePercent,
  Optional<MemoryBudget> budget) {
  /** What happens to memory that an array gives back. */
  public enum Kind {
    /** It goes back to the system at once, and requests are not rounded: the reference. */
    NAIVE,
    /** It waits in the pool for later arrays. */
    POOLED,
    /** It goes back to the system at once; requests are rounded as those of a pool. */
    UNPOOLED
  }

  /** Pooled, by powers of two from 256 bytes to 16 MiB and then by multiples of that; no limit. */
  public static final ArrayMemory DEFAULT = new ArrayMemory(Kind.POOLED, new Rounding.PowerOfTwo(256, Rounding.CUTOFF),
    Long.MAX_VALUE, 0, Optional.empty());

  /** The pool grows by doubling up to so many bytes at a time; a larger request gets a region of its own size. */
  private static final long MOST_STEP_BYTES = 32L << 20;

  public ArrayMemory {
    if (limitBytes < 0 || reservePercent < 0 || reservePercent > 100) {
      throw new IllegalArgumentException("out of range: limitBytes=%d reservePercent=%d".formatted(limitBytes,
        reservePercent));
    }
  }

  public ArrayMemory withKind(Kind other) {
    return new ArrayMemory(other, rounding, limitBytes, reservePercent, budget);
  }

  public ArrayMemory withRounding(Rounding other) {
    return new ArrayMemory(kind, other, limitBytes, reservePercent, budget);
  }

  public ArrayMemory withLimitBytes(long bytes) {
    return new ArrayMemory(kind, rounding, bytes, reservePercent, budget);
  }

  /** These options with a part of the limit, or of a GPU, that stays free; MXNet's default is 5. */
  public ArrayMemory withReservePercent(int percent) {
    return new ArrayMemory(kind, rounding, limitBytes, percent, budget);
  }

  /**
   * These options with a budget that the first device of {@code ArrayOptions.devices} joins: what it takes of the
   * system counts there. A budget is of one device.
   */
  public ArrayMemory withBudget(MemoryBudget shared) {
    return new ArrayMemory(kind, rounding, limitBytes, reservePercent, Optional.of(shared));
  }

  /** What a request takes of the limit, at most. */
  long roundedBytes(long bytes) {
    return kind == Kind.NAIVE ? Alignment.up(bytes, Alignment.CHUNK_BYTES) : rounding.round(bytes);
  }

  /** The limit without the reserve. */
  public long usableBytes(SubAllocator source) {
    long whole = Math.min(limitBytes, source.space().isHostAccessible() ? Long.MAX_VALUE : source.maximumRegionBytes());
    return whole == Long.MAX_VALUE
      ? whole
      : whole - whole / 100 * reservePercent - Math.ceilDiv(whole % 100 * reservePercent, 100);
  }

  /** How the allocator behaves. Splits are exact: a block of up to twice the bytes would else be granted whole. */
  BfcOptions ofAllocator(SubAllocator source) {
    BfcOptions options = BfcOptions.DEFAULT.withLimitBytes(usableBytes(source)).withMaximumStepBytes(MOST_STEP_BYTES)
      .withSplit(SplitPolicy.exact())
      .withCollection(BfcOptions.Collection.AT_THE_LIMIT)
      .withPooling(kind == Kind.POOLED ? BfcOptions.Pooling.POOLED : BfcOptions.Pooling.NONE);
    return kind == Kind.NAIVE ? options : options.withRounding(rounding);
  }
}
