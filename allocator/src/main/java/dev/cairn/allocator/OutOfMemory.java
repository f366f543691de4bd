package dev.cairn.allocator;

import java.util.Locale;

/**
 * A request for memory could not be met; the allocator is as it was before. Carries the facts, and the whole
 * {@link MemoryMap} of that moment; its message is three lines: cause, evidence, remedy.
 */
public final class OutOfMemory extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Why a request could not be met. */
  public enum Reason {
    /** Even all free bytes together with all that the limit still allows are too few. */
    LIMIT,
    /** Bytes enough are free or still allowed, but neither one free chunk nor the rest of the limit holds them all. */
    FRAGMENTATION,
    /** The limit allows a region for the request, but the source has none. */
    SOURCE_REFUSED
  }

  /**
   * What was asked for.
   *
   * @param owner label of whoever asked
   * @param requestedBytes bytes asked for
   * @param roundedBytes bytes of the chunk that this needs
   */
  public record Request(String owner, long requestedBytes, long roundedBytes) {}

  private final Reason reason;
  private final transient Request request;
  private final long bytesShort;
  private final transient MemoryMap memoryMap;

  /** Raised by allocators, which know the facts; the reason and the bytes short follow from them. */
  public OutOfMemory(Request request, MemoryMap memoryMap) {
    this(request, memoryMap, reasonOf(request, memoryMap.stats()));
  }

  private OutOfMemory(Request request, MemoryMap memoryMap, Reason reason) {
    super(message(request, memoryMap, reason));
    this.request = request;
    this.memoryMap = memoryMap;
    this.reason = reason;
    this.bytesShort = bytesShort(request, memoryMap.stats(), reason);
  }

  /** Why the request could not be met. */
  public Reason reason() {
    return reason;
  }

  /** Label of whoever asked. */
  public String owner() {
    return request.owner();
  }

  /** Bytes asked for. */
  public long requestedBytes() {
    return request.requestedBytes();
  }

  /** Bytes of the chunk that the request needs. */
  public long roundedBytes() {
    return request.roundedBytes();
  }

  /**
   * How far off the request was. Limit: what is missing in all free and allowed bytes together. Fragmentation: what is
   * missing in the larger of the largest free chunk and the rest of the limit. Source refused: what is missing in the
   * largest free chunk.
   */
  public long bytesShort() {
    return bytesShort;
  }

  /** Every region and chunk at the moment of failure. */
  public MemoryMap memoryMap() {
    return memoryMap;
  }

  private static long unreservedBytes(AllocatorStats stats) {
    return Alignment.down(stats.unreservedBytes(), Alignment.CHUNK_BYTES);
  }

  private static Reason reasonOf(Request request, AllocatorStats stats) {
    long wanted = request.roundedBytes();
    // A request beyond what can be rounded counts as one beyond every limit.
    if (request.requestedBytes() <= wanted && wanted <= unreservedBytes(stats)) {
      return Reason.SOURCE_REFUSED;
    }
    return wanted - stats.freeBytes() <= unreservedBytes(stats) ? Reason.FRAGMENTATION : Reason.LIMIT;
  }

  private static long bytesShort(Request request, AllocatorStats stats, Reason reason) {
    long wanted = Math.max(request.requestedBytes(), request.roundedBytes());
    return switch (reason) {
      case LIMIT -> wanted - stats.freeBytes() - unreservedBytes(stats);
      case FRAGMENTATION -> wanted - Math.max(stats.largestFreeBytes(), unreservedBytes(stats));
      case SOURCE_REFUSED -> wanted - stats.largestFreeBytes();
    };
  }

  private static String message(Request request, MemoryMap map, Reason reason) {
    AllocatorStats stats = map.stats();
    String owner = request.owner().isEmpty() ? "(no owner)" : request.owner();
    String word = reason.name().toLowerCase(Locale.ROOT).replace('_', '-');
    String cause = "out of memory: reason=%s space=%s owner=%s requestedBytes=%d roundedBytes=%d bytesShort=%d"
      .formatted(word, map.space(), owner, request.requestedBytes(), request.roundedBytes(),
        bytesShort(request, stats, reason));
    String evidence = ("limitBytes=%d poolBytes=%d bytesInUse=%d freeBytes=%d largestFreeBytes=%d liveBlocks=%d "
      + "regions=%d").formatted(stats.limitBytes(), stats.poolBytes(), stats.bytesInUse(), stats.freeBytes(),
        stats.largestFreeBytes(), stats.liveCount(), map.regions().size());
    String remedy = switch (reason) {
      case LIMIT -> "raise the memory limit by at least the bytes short, or use a smaller batch";
      case FRAGMENTATION -> "free bytes lie apart: reserve the whole limit at once instead of growing, or raise it";
      case SOURCE_REFUSED -> "the limit is above what " + map.space() + " has left: end other users of it, or lower it";
    };
    return cause + "\n" + evidence + "\n" + remedy;
  }
}
