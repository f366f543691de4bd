package dev.cairn.allocator;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A snapshot of an allocator's memory: its regions in address order, and the chunks that cover each region in address
 * order. A value, made by a {@link MemoryMapBuilder}. It stores chunks in columns, so that a million fit easily; an
 * index identifies a chunk.
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

  /** The memory space of the allocator. */
  public MemorySpace space() {
    return space;
  }

  /** The statistics of the same moment. */
  public AllocatorStats stats() {
    return stats;
  }

  /** All regions. */
  public List<RegionEntry> regions() {
    return regions;
  }

  /** All present and past owners of chunks, by number; the first is {@link Owner#NONE}. */
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

  /** One chunk as a record. */
  public ChunkEntry chunk(int index) {
    return new ChunkEntry(address(index), bytes(index), requestedBytes(index), allocationId(index), owner(index),
      step(index), freedAt(index), stream(index));
  }

  /** First byte of a chunk. */
  public long address(int chunk) {
    return chunks.address(chunk);
  }

  /** Length of a chunk. */
  public long bytes(int chunk) {
    return chunks.bytes(chunk);
  }

  /** The bytes requested for a chunk; 0 if free. */
  public long requestedBytes(int chunk) {
    return chunks.requestedBytes(chunk);
  }

  /** The allocation id of a chunk; -1 if free. */
  public long allocationId(int chunk) {
    return chunks.isInUse(chunk) ? chunks.state(chunk) : -1;
  }

  /** When a time-held chunk was freed; 0 if it is in use, or free for any request. */
  public long freedAt(int chunk) {
    return chunks.isInUse(chunk) ? 0 : StreamTime.time(ChunkColumns.freedAt(chunks.state(chunk)));
  }

  /** The stream that a time-held chunk was freed on; 0 if no chunk is freed on a stream. */
  public int stream(int chunk) {
    return chunks.isInUse(chunk) ? 0 : StreamTime.stream(ChunkColumns.freedAt(chunks.state(chunk)));
  }

  /** Whether the chunk is in use. */
  public boolean isInUse(int chunk) {
    return chunks.isInUse(chunk);
  }

  /** The chunk's owner as an index into {@link #owners()}; 0 if free. */
  public int ownerNumber(int chunk) {
    return chunks.owner(chunk);
  }

  /** The chunk's owner; {@link Owner#NONE} if free. */
  public Owner owner(int chunk) {
    return owners.get(chunks.owner(chunk));
  }

  /** The step that allocated the chunk; 0 if it is free, or if the step is unknown. */
  public int step(int chunk) {
    return chunks.step(chunk);
  }

  /**
   * One region, {@code [address, address + bytes)}.
   *
   * @param address first byte
   * @param bytes length
   * @param firstChunk index of its first chunk; the following chunks cover the region without gaps
   * @param chunkCount how many chunks the region has
   */
  public record RegionEntry(long address, long bytes, int firstChunk, int chunkCount) {}

  /**
   * One chunk, {@code [address, address + bytes)}.
   *
   * @param address first byte
   * @param bytes length
   * @param requestedBytes bytes requested for it; 0 if free
   * @param allocationId its allocation id; -1 if free
   * @param owner its owner; {@link Owner#NONE} if free or unlabelled
   * @param step the step that allocated it
   * @param freedAt when a time-held chunk was freed; otherwise 0
   * @param stream the stream that a time-held chunk was freed on; otherwise 0
   */
  public record ChunkEntry(long address, long bytes, long requestedBytes, long allocationId, Owner owner, int step,
    long freedAt, int stream) {
    /** Whether it is in use. */
    public boolean inUse() {
      return allocationId >= 0;
    }
  }
}
