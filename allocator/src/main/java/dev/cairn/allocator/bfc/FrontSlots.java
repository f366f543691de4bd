package dev.cairn.allocator.bfc;

import static dev.cairn.allocator.bfc.ChunkTable.NONE;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * What the front knows of each chunk that it has of the heap: a slot of 40 bytes, numbered as the chunk's row there, in
 * pages that are added and never moved. Safe for use by many threads: a slot's state is changed atomically, and its
 * other words only by whoever took the chunk from its holder, its magazine or the heap.
 *
 * <pre>
 *  word     0            1         2                3                 4
 *  held     id << 2|tag  address   bytes | direct   requested bytes   owner | step
 *  parked   id << 2|tag  address   bytes                              the one below in its magazine
 *
 *  tags: vacant -> parked <-> live -> leaving -> parked or vacant
 * </pre>
 */
final class FrontSlots {
  private static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class);
  private static final int PAGE_BITS = 10;
  private static final int PAGE_SLOTS = 1 << PAGE_BITS;
  private static final int SLOT_WORDS = 5;
  private static final int STATE = 0;
  private static final int ADDRESS = 1;
  private static final int BYTES = 2;
  private static final int REQUESTED = 3;
  private static final int HOLDER = 4;
  private static final int BELOW = 4;
  private static final int TAG_BITS = 2;
  private static final long TAGS = (1 << TAG_BITS) - 1;
  private static final long VACANT = 0;
  private static final long PARKED = 1;
  private static final long LIVE = 2;
  private static final long LEAVING = 3;
  private static final long DIRECT = 1;

  private final Handles handles = new Handles();
  private volatile long[][] pages = {};

  /** Makes room for {@code slots} slots; the caller holds the heap's lock. */
  void ensureRoom(int slots) {
    long[][] old = pages;
    int needed = (slots + PAGE_SLOTS - 1) >>> PAGE_BITS;
    if (needed > old.length) {
      long[][] grown = Arrays.copyOf(old, needed);
      for (int page = old.length; page < needed; page++) {
        grown[page] = new long[PAGE_SLOTS * SLOT_WORDS];
      }
      pages = grown;
    }
  }

  /** How many slots there is room for. */
  int count() {
    return pages.length << PAGE_BITS;
  }

  /** Java heap bytes of all slots. */
  long metadataBytes() {
    return (long) count() * SLOT_WORDS * Long.BYTES;
  }

  private static int at(int chunk) {
    return (chunk & (PAGE_SLOTS - 1)) * SLOT_WORDS;
  }

  private long[] page(int chunk) {
    return pages[chunk >>> PAGE_BITS];
  }

  /** Takes in a chunk that was had of the heap; {@code direct} says that it will not be parked. */
  void fill(int chunk, long address, long bytes, boolean direct) {
    long[] page = page(chunk);
    int at = at(chunk);
    page[at + ADDRESS] = address;
    page[at + BYTES] = bytes | (direct ? DIRECT : 0);
  }

  /** Gives a chunk to a holder; the handle of that. */
  long grant(int chunk, long id, long requestedBytes, int owner, int step) {
    long[] page = page(chunk);
    int at = at(chunk);
    page[at + REQUESTED] = requestedBytes;
    page[at + HOLDER] = ((long) owner << Integer.SIZE) | (step & 0xFFFF_FFFFL);
    WORDS.setRelease(page, at + STATE, (id << TAG_BITS) | LIVE);
    return handles.of(chunk, id);
  }

  /** The chunk that a handle stands for, while it is held; {@link ChunkTable#NONE} if it isn't. */
  int chunkOf(long handle) {
    return isLive(handle, state(handles.chunk(handle))) ? handles.chunk(handle) : NONE;
  }

  /**
   * Takes a chunk from its holder: of any number who try at once, one is answered with the chunk, and the others, like
   * everyone after, with {@link ChunkTable#NONE}.
   */
  int takeFromHolder(long handle) {
    int chunk = handles.chunk(handle);
    long[][] all = pages;
    if (chunk >>> PAGE_BITS < all.length) {
      long[] page = all[chunk >>> PAGE_BITS];
      int at = at(chunk) + STATE;
      long state = (long) WORDS.getAcquire(page, at);
      if (isLive(handle, state) && WORDS.compareAndSet(page, at, state, state | LEAVING)) {
        return chunk;
      }
    }
    return NONE;
  }

  private boolean isLive(long handle, long state) {
    return (state & TAGS) == LIVE && handles.isOf(handle, state >>> TAG_BITS);
  }

  private long state(int chunk) {
    long[][] all = pages;
    int page = chunk >>> PAGE_BITS;
    return page < all.length ? (long) WORDS.getAcquire(all[page], at(chunk) + STATE) : VACANT;
  }

  private void setTag(int chunk, long tag) {
    long[] page = page(chunk);
    int at = at(chunk) + STATE;
    WORDS.setRelease(page, at, (page[at] & ~TAGS) | tag);
  }

  /** Puts a chunk on top of another one in a magazine. */
  void park(int chunk, int below) {
    page(chunk)[at(chunk) + BELOW] = below;
    setTag(chunk, PARKED);
  }

  /** What lies under a parked chunk in its magazine; {@link ChunkTable#NONE} if nothing does. */
  int below(int chunk) {
    return (int) page(chunk)[at(chunk) + BELOW];
  }

  void vacate(int chunk) {
    setTag(chunk, VACANT);
  }

  /** Undoes {@link #takeFromHolder}, also after {@link #vacate}. */
  void giveToHolder(int chunk) {
    setTag(chunk, LIVE);
  }

  /** Whether some thread holds the chunk, or is about to have given it back. */
  boolean isHeld(int chunk) {
    return (state(chunk) & LIVE) != 0;
  }

  boolean isParked(int chunk) {
    return (state(chunk) & TAGS) == PARKED;
  }

  /** The last grant of the chunk. */
  long allocationId(int chunk) {
    return state(chunk) >>> TAG_BITS;
  }

  /** The grant that a handle was made for, if it was made here. */
  long allocationIdOf(long handle) {
    return handles.allocationId(handle);
  }

  int chunkIn(long handle) {
    return handles.chunk(handle);
  }

  long handleOf(int chunk) {
    return handles.of(chunk, allocationId(chunk));
  }

  long address(int chunk) {
    return page(chunk)[at(chunk) + ADDRESS];
  }

  long bytes(int chunk) {
    return page(chunk)[at(chunk) + BYTES] & ~DIRECT;
  }

  boolean isDirect(int chunk) {
    return (page(chunk)[at(chunk) + BYTES] & DIRECT) != 0;
  }

  long requestedBytes(int chunk) {
    return page(chunk)[at(chunk) + REQUESTED];
  }

  int owner(int chunk) {
    return (int) (page(chunk)[at(chunk) + HOLDER] >> Integer.SIZE);
  }

  int step(int chunk) {
    return (int) page(chunk)[at(chunk) + HOLDER];
  }

  /** All slots as they are now; the caller sees to it that nobody changes them meanwhile. */
  FrontSlots copy() {
    long[][] copied = pages.clone();
    for (int page = 0; page < copied.length; page++) {
      copied[page] = copied[page].clone();
    }
    FrontSlots copy = new FrontSlots();
    copy.pages = copied;
    return copy;
  }
}
