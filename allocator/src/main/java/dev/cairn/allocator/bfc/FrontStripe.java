package dev.cairn.allocator.bfc;

import static dev.cairn.allocator.bfc.ChunkTable.NONE;

import dev.cairn.allocator.AllocatorStats;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One stripe of the front: a magazine of parked chunks for each size class, and the figures of all grants and frees
 * that went through here. A magazine is a stack, chained through the slots of its chunks. Whoever uses it has locked
 * it.
 */
final class FrontStripe extends StripeLock {
  private static final int IDS = 1024;

  final Flow small = new Flow();
  final Flow large = new Flow();
  private final FrontOptions options;
  private final FrontSlots slots;
  private final AtomicLong ids;
  private final int[] top;
  private final int[] count;
  // How many chunks, less one, to get of the heap next.
  private final int[] batch;
  private int hand;
  private long parkedBytes;
  private long largestBytes;
  private long nextId;
  private long endOfIds;

  FrontStripe(FrontOptions options, FrontSlots slots, AtomicLong ids) {
    this.options = options;
    this.slots = slots;
    this.ids = ids;
    top = new int[options.classes()];
    count = new int[options.classes()];
    batch = new int[options.classes()];
    Arrays.fill(top, NONE);
  }

  /** A number that no grant had before. */
  long nextId() {
    if (nextId == endOfIds) {
      nextId = ids.getAndAdd(IDS);
      endOfIds = nextId + IDS;
    }
    return nextId++;
  }

  /** The chunk parked last; {@link ChunkTable#NONE} if there is none. */
  int pop(int sizeClass) {
    int chunk = top[sizeClass];
    if (chunk != NONE) {
      top[sizeClass] = slots.below(chunk);
      count[sizeClass]--;
      parkedBytes -= slots.bytes(chunk);
    }
    return chunk;
  }

  /** Parks a chunk, for which there is room. */
  void push(int sizeClass, int chunk, long bytes) {
    slots.park(chunk, top[sizeClass]);
    top[sizeClass] = chunk;
    count[sizeClass]++;
    parkedBytes += bytes;
  }

  boolean hasRoom(int sizeClass, long bytes) {
    return count[sizeClass] < options.magazineBlocks() && parkedBytes + bytes <= options.stripeBytes();
  }

  /** Makes room by giving some chunks to the heap: of this class if it is full, else of the classes in turn. */
  void makeRoom(int sizeClass, long bytes, Depot depot) {
    if (count[sizeClass] >= options.magazineBlocks()) {
      depot.releaseSome(this, sizeClass, FrontOptions.batch(sizeClass));
    }
    while (parkedBytes > 0 && parkedBytes + bytes > options.stripeBytes()) {
      hand = (hand + 1) % count.length;
      depot.releaseSome(this, hand, FrontOptions.batch(hand));
      // What is got before it is asked for would soon be in the way.
      Arrays.fill(batch, 0);
    }
  }

  /**
   * How many chunks to get of the heap at once: one at first, twice as many each time, so that sizes which are seldom
   * asked for have little parked.
   */
  int nextBatch(int sizeClass) {
    int wanted = batch[sizeClass] + 1;
    batch[sizeClass] = Math.min(2 * wanted, FrontOptions.batch(sizeClass)) - 1;
    long room = (options.stripeBytes() - parkedBytes) / FrontOptions.classBytes(sizeClass);
    return (int) Math.min(Math.min(wanted, options.magazineBlocks()), 1 + Math.max(0, room));
  }

  /** Gives everything to the heap, and starts with small batches again. */
  void flush(Depot depot) {
    for (int sizeClass = 0; parkedBytes > 0 && sizeClass < count.length; sizeClass++) {
      depot.releaseSome(this, sizeClass, count[sizeClass]);
    }
    Arrays.fill(batch, 0);
  }

  void granted(long bytes, long requestedBytes) {
    flowOf(bytes).granted(bytes, requestedBytes);
    if (bytes > largestBytes) {
      largestBytes = bytes;
    }
  }

  void freed(long bytes, long requestedBytes) {
    flowOf(bytes).freed(bytes, requestedBytes);
  }

  private Flow flowOf(long bytes) {
    return bytes <= AllocatorStats.SMALL_BYTES ? small : large;
  }

  /** The largest chunk granted here since the start or the clearing. */
  long largestBytes() {
    return largestBytes;
  }

  void clearLargest() {
    largestBytes = 0;
  }

  long parkedBytes() {
    return parkedBytes;
  }

  int parkedCount(int sizeClass) {
    return count[sizeClass];
  }

  /** The chunk parked last; {@link FrontSlots#below} has those before. */
  int top(int sizeClass) {
    return top[sizeClass];
  }
}
