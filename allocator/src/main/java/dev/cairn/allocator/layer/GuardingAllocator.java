package dev.cairn.allocator.layer;

import dev.cairn.allocator.Alignment;
import dev.cairn.allocator.AllocationRequest;
import dev.cairn.allocator.Allocator;
import dev.cairn.allocator.AllocatorStats;
import dev.cairn.allocator.Block;
import dev.cairn.allocator.MemoryMap;
import dev.cairn.allocator.MemoryMapBuilder;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.SizedGauges;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * Puts red zones around blocks in host memory, to find writes out of bounds. It reports damage when the block is freed,
 * or on demand. It fills new memory with 0xCD and freed memory with 0xDD. For device memory it checks only the block's
 * fields. Thread-safe; slow.
 *
 * <p>Its blocks are not the upstream's blocks: they begin after a red zone. Memory maps show that zone as a free chunk.
 */
public final class GuardingAllocator extends AllocatorLayer {
  /** The default length of a red zone. */
  public static final long ZONE_BYTES = Alignment.CHUNK_BYTES;

  private static final long MOST_ZONE_BYTES = 1 << 30;

  private final long zoneBytes;
  private final ConcurrentSkipListMap<Long, GuardedBlock> held = new ConcurrentSkipListMap<>();
  private final SizedGauges gauges = new SizedGauges();
  private volatile boolean closed;

  /** A layer over {@code upstream} with red zones of {@link #ZONE_BYTES}. */
  public GuardingAllocator(Allocator upstream) {
    this(upstream, ZONE_BYTES);
  }

  /**
   * A layer over {@code upstream}.
   *
   * @param zoneBytes length of a red zone, rounded up to a multiple of 256; the zone before a block is at least as long
   *     as the block's alignment
   */
  public GuardingAllocator(Allocator upstream, long zoneBytes) {
    super(upstream);
    if (zoneBytes <= 0 || zoneBytes > MOST_ZONE_BYTES) {
      throw new IllegalArgumentException("a red zone must have 1 byte to 1 GiB: zoneBytes=" + zoneBytes);
    }
    this.zoneBytes = Alignment.up(zoneBytes, Alignment.CHUNK_BYTES);
  }

  @Override
  Block grant(AllocationRequest request, Way way) {
    if (request.bytes() == 0) {
      return way.from(upstream, request);
    }
    long front = space().isHostAccessible() ? Math.max(zoneBytes, request.alignmentBytes()) : 0;
    long back = front > 0 ? zoneBytes : 0;
    Block inner;
    try {
      inner = way.from(upstream, withBytes(request, front, back));
    } catch (OutOfMemory e) {
      throw translated(e, request);
    }
    try {
      return guarded(inner, request, front);
    } catch (Throwable e) {
      giveBack(inner, e);
      throw e;
    }
  }

  private static AllocationRequest withBytes(AllocationRequest request, long front, long back) {
    long bytes = request.bytes() <= Long.MAX_VALUE - front - back ? request.bytes() + front + back : Long.MAX_VALUE;
    return new AllocationRequest(bytes, request.owner(), request.alignmentBytes(), request.freedBefore(), request
      .stream());
  }

  private Block guarded(Block inner, AllocationRequest request, long front) {
    Block outer = front == 0
      ? inner
      : new Block(this, inner.handle(), inner.allocationId(), inner.address() + front, request.bytes(),
        inner.bytes() - front, inner.space(), inner.segment().asSlice(front, request.bytes()));
    GuardedBlock block = new GuardedBlock(inner, outer, request.owner());
    block.prepare();
    held.put(outer.address(), block);
    synchronized (gauges) {
      gauges.granted(outer.bytes(), outer.requestedBytes());
    }
    return outer;
  }

  /**
   * Frees the block, then reports damage to its red zones.
   *
   * @throws IllegalStateException when a red zone is damaged; the block is freed nevertheless
   */
  @Override
  public void free(Block block) {
    if (block.isEmpty()) {
      upstream.free(block);
      return;
    }
    GuardedBlock guarded;
    Optional<Damage> damage;
    synchronized (held) {
      guarded = claimed(block);
      damage = guarded.damage();
      guarded.wipe();
    }
    boolean gone = false;
    try {
      upstream.free(guarded.inner());
      gone = true;
    } finally {
      if (gone || !isHeld(guarded.inner())) {
        synchronized (gauges) {
          gauges.freed(guarded.outer().bytes(), guarded.outer().requestedBytes());
        }
      } else {
        guarded.drawZones();
        held.put(block.address(), guarded);
      }
    }
    damage.ifPresent(found -> {
      throw new IllegalStateException(found.toString());
    });
  }

  /**
   * Whether a block is still in use upstream after a failed free; true if the upstream's map is not available either.
   */
  private boolean isHeld(Block block) {
    MemoryMap map;
    try {
      map = upstream.memoryMap();
    } catch (RuntimeException | Error e) {
      return true;
    }
    for (int chunk = 0; chunk < map.chunkCount(); chunk++) {
      if (map.address(chunk) == block.address() && map.isInUse(chunk)) {
        return map.allocationId(chunk) == block.allocationId();
      }
    }
    return false;
  }

  @SuppressWarnings("ReferenceEquality") // an issuer is compared by identity
  private GuardedBlock claimed(Block block) {
    if (closed) {
      throw new IllegalStateException("allocator is closed: space=" + space());
    }
    GuardedBlock guarded = held.get(block.address());
    if (guarded == null || guarded.outer().issuer() != block.issuer()
      || guarded.outer().allocationId() != block.allocationId()) {
      throw new IllegalArgumentException("block is already freed, or belongs to another allocator: " + block);
    }
    if (!guarded.outer().equals(block)) {
      throw new IllegalArgumentException("block was altered: granted %s, freed %s".formatted(guarded.outer(), block));
    }
    if (!held.remove(block.address(), guarded)) {
      throw new IllegalArgumentException("block is already freed: " + block);
    }
    return guarded;
  }

  /** The damage to the red zones of all blocks in use, by address. */
  public List<Damage> damages() {
    synchronized (held) {
      return held.values().stream().map(GuardedBlock::damage).flatMap(Optional::stream).toList();
    }
  }

  /** Like {@link #damages}, but also repairs the zones, so that no damage is reported twice. */
  public List<Damage> takeDamages() {
    synchronized (held) {
      List<Damage> found = damages();
      found.forEach(damage -> Objects.requireNonNull(held.get(damage.address())).drawZones());
      return found;
    }
  }

  @Override
  public AllocatorStats stats() {
    synchronized (gauges) {
      return own(upstream.stats());
    }
  }

  @Override
  public AllocatorStats clearStats() {
    synchronized (gauges) {
      AllocatorStats stats = own(upstream.clearStats());
      gauges.clear();
      return stats;
    }
  }

  private AllocatorStats own(AllocatorStats its) {
    return new AllocatorStats(gauges.all().blocks(), gauges.small().blocks(), gauges.large().blocks(), its.pool(),
      its.regions(), its.freeSplits(), its.freeSplitBytes(), its.bypass(), its.limitBytes(), gauges.largestBytes(),
      its.largestFreeBytes(), its.timeHeldBytes(), its.refusalCount(), its.reserveCount(), its.movedBytes());
  }

  @Override
  public MemoryMap memoryMap() {
    MemoryMap inner = upstream.memoryMap();
    MemoryMapBuilder outer = new MemoryMapBuilder(space()).ensureRoom(inner.chunkCount() + held.size());
    OwnerNumbers owners = new OwnerNumbers(inner, outer);
    for (MemoryMap.RegionEntry region : inner.regions()) {
      outer.region(region.address(), region.bytes());
      for (int i = 0; i < region.chunkCount(); i++) {
        add(inner, region.firstChunk() + i, outer, owners);
      }
    }
    return outer.build(stats());
  }

  private void add(MemoryMap inner, int chunk, MemoryMapBuilder outer, OwnerNumbers owners) {
    long address = inner.address(chunk);
    long bytes = inner.bytes(chunk);
    if (!inner.isInUse(chunk)) {
      outer.free(address, bytes, inner.freedAt(chunk));
      return;
    }
    Map.Entry<Long, GuardedBlock> next = held.ceilingEntry(address);
    boolean ours = next != null && next.getValue().outer().allocationId() == inner.allocationId(chunk);
    long front = ours ? next.getValue().frontBytes() : 0;
    long requested = ours ? next.getValue().outer().requestedBytes() : inner.requestedBytes(chunk);
    if (front > 0) {
      outer.free(address, front, 0);
    }
    outer.inUse(address + front, bytes - front, requested, inner.allocationId(chunk), owners.of(chunk),
      inner.step(chunk));
  }

  @Override
  public void close() {
    upstream.close();
    closed = true;
  }

  private OutOfMemory translated(OutOfMemory refusal, AllocationRequest request) {
    OutOfMemory failure = new OutOfMemory(request, refusal.roundedBytes(), memoryMap())
      .withLastEvents(refusal.lastEvents());
    for (String circumstance : refusal.circumstances()) {
      failure = failure.with(circumstance);
    }
    return failure.with("red zones included: innerBytes=" + refusal.requestedBytes());
  }
}
