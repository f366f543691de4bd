package dev.cairn.allocator.source;

import dev.cairn.allocator.Alignment;
import dev.cairn.allocator.MemorySpace;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The host's memory: netty's unpooled direct buffers for regions below 64 MiB, the C library's {@code malloc} for
 * larger ones, and for all if netty is not on the class path. Safe for use by many threads.
 *
 * <p>Either holds the region and up to 255 bytes before it, which bring the base to a multiple of 256. Memory really
 * goes back on release: a buffer is unpooled and freed at once, not by a collector, and a large {@code malloc} is a
 * mapping of its own. A region's segment, and every slice of it, ends with the release; an access after that throws.
 *
 * <p>Why two: netty's capacities are ints; it grants no more direct memory to the whole process than the JVM was
 * started for (by default as much as the heap); and on JDK 25 it fills buffers with zeros, so that a pool is resident
 * from its first byte to its last before anything is put there. If netty refuses a region, the C library is asked for
 * it: the one limit that counts is the allocator's own.
 */
public final class NettySubAllocator implements SubAllocator {
  /** Far beyond any machine, and far from where sums overflow. */
  static final long MAXIMUM_BYTES = 1L << 46;

  /** Regions of this length or more are not netty's: from twice glibc's largest mapping threshold, always mapped. */
  private static final long LARGE_BYTES = 64L << 20;

  private final Optional<NettyBuffers> netty;
  private final HeldRegions held;

  public NettySubAllocator() {
    this(NettyBuffers.find());
  }

  /** @param netty empty to take all regions from the C library */
  NettySubAllocator(Optional<NettyBuffers> netty) {
    this(netty, new HeldRegions());
  }

  NettySubAllocator(Optional<NettyBuffers> netty, HeldRegions held) {
    this.netty = netty;
    this.held = held;
  }

  @Override
  public MemorySpace space() {
    return MemorySpace.HOST;
  }

  @Override
  public long maximumRegionBytes() {
    return MAXIMUM_BYTES;
  }

  @Override
  public boolean supportsCoalescing() {
    // A segment cannot reach from one buffer into an adjoining one.
    return false;
  }

  @Override
  public @Nullable Region allocate(long bytes) {
    SubAllocator.requireMultiple(bytes, granularityBytes());
    if (bytes > MAXIMUM_BYTES) {
      return null;
    }
    long paddedBytes = bytes + Alignment.CHUNK_BYTES - 1;
    Region region = bytes < LARGE_BYTES ? fromNetty(bytes, (int) paddedBytes) : null;
    return region != null ? region : fromNativeHeap(bytes, paddedBytes);
  }

  @Override
  public void release(Region region) {
    held.release(region);
  }

  /** Bytes now given out, without the padding. */
  public long heldBytes() {
    return held.bytes();
  }

  private @Nullable Region fromNetty(long bytes, int paddedBytes) {
    NettyBuffers.Direct direct = netty.flatMap(it -> it.allocate(paddedBytes)).orElse(null);
    return direct == null ? null : hold(direct.address(), bytes, direct.release());
  }

  private @Nullable Region fromNativeHeap(long bytes, long paddedBytes) {
    var block = new MallocBlock();
    block.address = NativeHeap.allocate(paddedBytes);
    return block.address == 0 ? null : hold(block.address, bytes, block);
  }

  /** Made before its memory, since nothing may fail between {@code malloc} and what frees the memory. */
  private static final class MallocBlock implements Runnable {
    private long address;

    @Override
    public void run() {
      NativeHeap.free(address);
    }
  }

  /** If the Java heap is full, the memory goes back at once: it would be lost. */
  private Region hold(long address, long bytes, Runnable giveBack) {
    boolean isHeld = false;
    try {
      Arena arena = Arena.ofShared();
      long base = Alignment.up(address, Alignment.CHUNK_BYTES);
      MemorySegment segment = MemorySegment.ofAddress(base).reinterpret(bytes, arena, null);
      Region region = held.hold(new Region(base, bytes, segment), () -> {
        arena.close();
        giveBack.run();
      });
      isHeld = true;
      return region;
    } finally {
      if (!isHeld) {
        giveBack.run();
      }
    }
  }
}
