package dev.cairn.allocator;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What lies where, at one moment: regions in address order, each covered by its chunks in address order. A value, made
 * by a {@link MemoryMapBuilder}; chunks are kept in columns, so that a million of them are no burden, and are known by
 * their index.
 */
public final class MemoryMap {
  private final MemorySpace space;
  private final AllocatorStats stats;
  private final List<RegionEntry> regions;
  private final List<Owner> owners;
  private final ChunkColumns chunks;

  MemoryMap(MemorySpace space, AllocatorStats stats, List<RegionEntry> regions, List<Owner> owners,
    ChunkColumns chunks) {
    this.space = space;
    this.stats = stats;
    this.regions = List.copyOf(regions);
    this.owners = List.copyOf(owners);
    this.chunks = chunks;
  }

  /** The memory that is mapped. */
  public MemorySpace space() {
    return space;
  }

  /** The figures of the same moment. */
  public AllocatorStats stats() {
    return stats;
  }

  /** The pool. */
  public List<RegionEntry> regions() {
    return regions;
  }

  /** Everyone who holds or held a chunk, by number; the first is {@link Owner#NONE}. */
  public List<Owner> owners() {
    return owners;
  }

  /** How many chunks there are in all regions. */
  public int chunkCount() {
    return chunks.count();
  }

  /** All chunks, in address order. */
  public Stream<ChunkEntry> chunks() {
    return IntStream.range(0, chunkCount()).mapToObj(this::chunk);
  }

  /** The chunks of one region, in address order. */
  public Stream<ChunkEntry> chunks(RegionEntry region) {
    return IntStream.range(region.firstChunk, region.firstChunk + region.chunkCount).mapToObj(this::chunk);
  }

  /** One chunk, with all that is known of it. */
  public ChunkEntry chunk(int index) {
    return new ChunkEntry(address(index), bytes(index), requestedBytes(index), allocationId(index), owner(index),
      step(index), freedAt(index));
  }

  /** First byte of a chunk. */
  public long address(int chunk) {
    return chunks.address(chunk);
  }

  /** Length of a chunk. */
  public long bytes(int chunk) {
    return chunks.bytes(chunk);
  }

  /** What the holder of a chunk asked for; 0 if free. */
  public long requestedBytes(int chunk) {
    return chunks.requestedBytes(chunk);
  }

  /** The grant that holds a chunk; -1 if free. */
  public long allocationId(int chunk) {
    return chunks.isInUse(chunk) ? chunks.state(chunk) : -1;
  }

  /** When a free chunk was freed, as long as that matters; 0 if in use or free for all. */
  public long freedAt(int chunk) {
    return chunks.isInUse(chunk) ? 0 : ChunkColumns.freedAt(chunks.state(chunk));
  }

  /** Whether a block holds the chunk. */
  public boolean isInUse(int chunk) {
    return chunks.isInUse(chunk);
  }

  /** Who holds the chunk, as an index into {@link #owners()}; 0 if free. */
  public int ownerNumber(int chunk) {
    return chunks.owner(chunk);
  }

  /** Who holds the chunk; {@link Owner#NONE} if free. */
  public Owner owner(int chunk) {
    return owners.get(chunks.owner(chunk));
  }

  /** In which step the chunk was granted; 0 if free, or where no steps are told. */
  public int step(int chunk) {
    return chunks.step(chunk);
  }

  /**
   * One region, {@code [address, address + bytes)}.
   *
   * @param address first byte
   * @param bytes length
   * @param firstChunk index of its first chunk; the others follow, and cover it without a gap
   * @param chunkCount how many there are
   */
  public record RegionEntry(long address, long bytes, int firstChunk, int chunkCount) {}

  /**
   * One chunk, {@code [address, address + bytes)}.
   *
   * @param address first byte
   * @param bytes length
   * @param requestedBytes what its holder asked for; 0 if free
   * @param allocationId the grant; -1 if free
   * @param owner who holds it; {@link Owner#NONE} if free or unlabelled
   * @param step in which step it was granted
   * @param freedAt when it was freed, as long as that matters
   */
  public record ChunkEntry(long address, long bytes, long requestedBytes, long allocationId, Owner owner, int step,
    long freedAt) {
    /** Whether a block holds it. */
    public boolean inUse() {
      return allocationId >= 0;
    }
  }
}
