package dev.cairn.allocator;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * An allocation failed; the allocator is unchanged. The exception carries the facts and a {@link MemoryMap} of that
 * moment. Its message has three lines: cause, evidence, remedy.
 */
public final class OutOfMemory extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Why an allocation failed. */
  public enum Reason {
    /** All free bytes, plus the bytes that the limit still allows, are too few. */
    LIMIT,
    /** Enough bytes are free or still allowed, but neither one free chunk nor the rest of the limit is large enough. */
    FRAGMENTATION,
    /** The limit allows another region, but the memory source failed to provide it. */
    SOURCE_REFUSED,
    /** Enough bytes are free, but too many of them were freed after the time that the request requires. */
    TIME_HELD;

    /** The reason's name for users, such as {@code source-refused}. */
    public String word() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  private final Reason reason;
  private final transient AllocationRequest request;
  private final long roundedBytes;
  private final long bytesShort;
  private final transient MemoryMap memoryMap;
  private final transient Told told;

  /**
   * A budget that several allocators share, and that caused the failure.
   *
   * @param limitBytes the most that all of them hold together
   * @param bytesInUse bytes in use at the failure
   * @param leastLimitBytes the smallest limit under which the request and all related requests succeed
   */
  public record Budget(String name, long limitBytes, long bytesInUse, long leastLimitBytes) {}

  /**
   * Another way to let the request and all related requests succeed, which a caller tried.
   *
   * @param option the option to set; empty if only the limit changes
   * @param limitBytes the limit with which it works
   * @param outcome what happens then, and at what price
   */
  public record Way(String option, long limitBytes, String outcome) {
    private String words() {
      return option.isEmpty()
        ? "raise it to %d bytes, with which %s".formatted(limitBytes, outcome)
        : "use %s, which needs %d bytes: %s".formatted(option, limitBytes, outcome);
    }
  }

  /** Facts that callers of the allocator add. */
  private record Told(List<String> circumstances, List<PoolEvent> lastEvents, long leastLimitBytes,
    Optional<Budget> budget, List<Way> ways) {
    private static final Told NOTHING = new Told(List.of(), List.of(), 0, Optional.empty(), List.of());

    private Told {
      circumstances = List.copyOf(circumstances);
      lastEvents = List.copyOf(lastEvents);
      ways = List.copyOf(ways);
    }
  }

  /**
   * Derives the reason and the missing bytes from the facts.
   *
   * @param request the failed request
   * @param roundedBytes bytes of the chunk that the request needs
   * @param memoryMap every region and chunk at the moment of failure
   */
  public OutOfMemory(AllocationRequest request, long roundedBytes, MemoryMap memoryMap) {
    this(request, roundedBytes, memoryMap, Told.NOTHING);
  }

  private OutOfMemory(AllocationRequest request, long roundedBytes, MemoryMap memoryMap, Told told) {
    super(message(request, roundedBytes, memoryMap, told));
    this.request = request;
    this.roundedBytes = roundedBytes;
    this.memoryMap = memoryMap;
    this.told = told;
    this.reason = told.budget.isPresent() ? Reason.LIMIT : reasonOf(request, roundedBytes, memoryMap);
    this.bytesShort = bytesShort(request, roundedBytes, memoryMap, told.budget);
  }

  private OutOfMemory retold(Told more) {
    OutOfMemory failure = new OutOfMemory(request, roundedBytes, memoryMap, more);
    failure.setStackTrace(getStackTrace());
    return failure;
  }

  /** This failure with one more fact as a sentence, such as the waiting time or the size of red zones. */
  public OutOfMemory with(String circumstance) {
    List<String> all = new ArrayList<>(told.circumstances);
    all.add(circumstance);
    return retold(new Told(all, told.lastEvents, told.leastLimitBytes, told.budget, told.ways));
  }

  /**
   * This failure with the smallest sufficient limit, from a caller that knows all related requests.
   *
   * @param bytes the smallest limit under which all of them succeed; ignored if the limit is already that high
   */
  public OutOfMemory withLeastLimit(long bytes) {
    return bytes <= memoryMap.stats().limitBytes() || reason == Reason.SOURCE_REFUSED
      ? this
      : retold(new Told(told.circumstances, told.lastEvents, bytes, told.budget, told.ways));
  }

  /** This failure with the shared budget that caused it. */
  public OutOfMemory withBudget(Budget budget) {
    return retold(new Told(told.circumstances, told.lastEvents, told.leastLimitBytes, Optional.of(budget), told.ways));
  }

  /** This failure with other ways to let the request succeed; ignored if the limit is not the reason. */
  public OutOfMemory withWays(List<Way> ways) {
    return ways.isEmpty() || reason == Reason.SOURCE_REFUSED || told.budget.isPresent()
      ? this
      : retold(new Told(told.circumstances, told.lastEvents, told.leastLimitBytes, told.budget, ways));
  }

  /** This failure with the allocator's latest events, oldest first. */
  public OutOfMemory withLastEvents(List<PoolEvent> events) {
    return retold(new Told(told.circumstances, events, told.leastLimitBytes, told.budget, told.ways));
  }

  /** Why the request failed. */
  public Reason reason() {
    return reason;
  }

  /** The failed request. */
  public AllocationRequest request() {
    return request;
  }

  /** The owner of the request. */
  public Owner owner() {
    return request.owner();
  }

  /** The requested bytes. */
  public long requestedBytes() {
    return request.bytes();
  }

  /** Bytes of the chunk that the request needs. */
  public long roundedBytes() {
    return roundedBytes;
  }

  /**
   * How many bytes were missing. {@link Reason#LIMIT}: in all free and allowed bytes together. {@link
   * Reason#FRAGMENTATION}: in the rest of the limit, since a higher limit does not enlarge a free chunk. {@link
   * Reason#SOURCE_REFUSED}: in the largest free chunk. {@link Reason#TIME_HELD}: in the free bytes that the request may
   * use.
   */
  public long bytesShort() {
    return bytesShort;
  }

  /**
   * The smallest limit under which this request and all related requests succeed; empty if unknown, or if the limit is
   * not the reason.
   */
  public OptionalLong leastLimitBytes() {
    return told.leastLimitBytes == 0 ? OptionalLong.empty() : OptionalLong.of(told.leastLimitBytes);
  }

  /** Other ways to let the request succeed, which a caller tried. */
  public List<Way> ways() {
    return told.ways;
  }

  /** The shared budget that caused the failure, if one did. */
  public Optional<Budget> budget() {
    return told.budget;
  }

  /** Every region and chunk at the moment of failure. */
  public MemoryMap memoryMap() {
    return memoryMap;
  }

  /** Facts that layers and callers added, a sentence each. */
  public List<String> circumstances() {
    return told.circumstances;
  }

  /** The allocator's latest events before the failure, oldest first; empty if no listener records them. */
  public List<PoolEvent> lastEvents() {
    return told.lastEvents;
  }

  private static long unreservedBytes(AllocatorStats stats) {
    return Alignment.down(stats.unreservedBytes(), Alignment.CHUNK_BYTES);
  }

  /** Whether the request cannot use a free chunk yet, because a stream may still use it. */
  public boolean mustAwait(int chunk) {
    return mustAwait(request, memoryMap, chunk);
  }

  private static boolean mustAwait(AllocationRequest request, MemoryMap map, int chunk) {
    long freedAt = map.freedAt(chunk);
    return freedAt > 0 && (map.stream(chunk) != request.stream()
      || (request.freedBefore() != AllocationRequest.ANY_TIME && freedAt > request.freedBefore()));
  }

  /** Free bytes that wait for a stream before they can serve the request. */
  private static long heldBytes(AllocationRequest request, MemoryMap map) {
    if (request.freedBefore() != AllocationRequest.ANY_TIME || map.stats().timeHeldBytes() == 0) {
      return map.stats().timeHeldBytes();
    }
    long bytes = 0;
    for (int chunk = 0; chunk < map.chunkCount(); chunk++) {
      bytes += mustAwait(request, map, chunk) ? map.bytes(chunk) : 0;
    }
    return bytes;
  }

  private static Reason reasonOf(AllocationRequest request, long wanted, MemoryMap map) {
    AllocatorStats stats = map.stats();
    // A request beyond what can be rounded counts as one beyond every limit.
    if (request.bytes() <= wanted && wanted <= unreservedBytes(stats)) {
      return Reason.SOURCE_REFUSED;
    }
    long missing = wanted - stats.freeBytes();
    if (missing > unreservedBytes(stats)) {
      return Reason.LIMIT;
    }
    long held = heldBytes(request, map);
    boolean heldAreNeeded = wanted <= stats.largestFreeBytes() || missing + held > unreservedBytes(stats);
    return held > 0 && heldAreNeeded ? Reason.TIME_HELD : Reason.FRAGMENTATION;
  }

  private static long wanted(AllocationRequest request, long roundedBytes) {
    return Math.max(request.bytes(), roundedBytes);
  }

  private static long bytesShort(AllocationRequest request, long roundedBytes, MemoryMap map,
    Optional<Budget> budget) {
    AllocatorStats stats = map.stats();
    long wanted = wanted(request, roundedBytes);
    if (budget.isPresent()) {
      return Math.max(1, wanted - (budget.get().limitBytes - budget.get().bytesInUse));
    }
    return switch (reasonOf(request, roundedBytes, map)) {
      case LIMIT -> wanted - stats.freeBytes() - unreservedBytes(stats);
      case FRAGMENTATION -> Math.max(1, wanted - unreservedBytes(stats));
      case SOURCE_REFUSED -> Math.max(1, wanted - stats.largestFreeBytes());
      case TIME_HELD -> Math.max(1, wanted - (stats.freeBytes() - heldBytes(request, map)));
    };
  }

  private static String message(AllocationRequest request, long roundedBytes, MemoryMap map, Told told) {
    AllocatorStats stats = map.stats();
    Reason reason = told.budget.isPresent() ? Reason.LIMIT : reasonOf(request, roundedBytes, map);
    String cause = "out of memory: reason=%s space=%s owner=%s requestedBytes=%d roundedBytes=%d bytesShort=%d"
      .formatted(reason.word(), map.space(), request.owner(), request.bytes(), roundedBytes,
        bytesShort(request, roundedBytes, map, told.budget));
    String evidence = ("limitBytes=%d poolBytes=%d bytesInUse=%d freeBytes=%d largestFreeBytes=%d liveBlocks=%d "
      + "regions=%d").formatted(stats.limitBytes(), stats.poolBytes(), stats.bytesInUse(), stats.freeBytes(),
        stats.largestFreeBytes(), stats.liveCount(), map.regions().size());
    evidence += told.budget.map(it -> "; %s: limitBytes=%d bytesInUse=%d".formatted(it.name, it.limitBytes,
      it.bytesInUse)).orElse("");
    for (String fact : told.circumstances) {
      evidence += "; " + fact;
    }
    String least = told.leastLimitBytes == 0
      ? remedy(reason, request, map.space(), wanted(request, roundedBytes) - unreservedBytes(stats))
      : "raise the memory limit to %d bytes, the least that all requests together need".formatted(told.leastLimitBytes)
        + (told.ways.isEmpty() ? "" : " as they are");
    for (Way way : told.ways) {
      least += "; or " + way.words();
    }
    String remedy = told.budget.map(it -> "raise the limit of %s to %d bytes, or close other sessions or their results"
      .formatted(it.name, it.leastLimitBytes)).orElse(least);
    return cause + "\n" + evidence + "\n" + remedy;
  }

  /** @param missingBytes by how much the rest of the limit is too small for the request */
  private static String remedy(Reason reason, AllocationRequest request, MemorySpace space, long missingBytes) {
    return switch (reason) {
      case LIMIT, FRAGMENTATION ->
        "raise the memory limit by %d bytes, enough for a new region".formatted(missingBytes);
      case SOURCE_REFUSED -> space + " is exhausted: end other programs that use it";
      case TIME_HELD -> "wait for the streams that still use freed memory"
        + (request.freedBefore() == AllocationRequest.ANY_TIME ? "" : ", or request memory freed at any time");
    };
  }
}
