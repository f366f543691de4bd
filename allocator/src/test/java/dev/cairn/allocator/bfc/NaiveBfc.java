package dev.cairn.allocator.bfc;

import dev.cairn.allocator.AllocatorStats;
import dev.cairn.allocator.Rounding;
import dev.cairn.allocator.source.Region;
import dev.cairn.allocator.source.SubAllocator;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The same semantics written down as plainly as can be: lists, and every question answered by looking at all chunks.
 * Shares nothing with the allocator but the options' values.
 */
final class NaiveBfc {
  private static final long UNIT = 256;
  private static final long MOST_BYTES = Long.MAX_VALUE / UNIT * UNIT;

  /** A range; {@code id} is negative when free. */
  static final class Chunk {
    Place place;
    long address;
    long bytes;
    long requested;
    long id = -1;
    long freedAt;
    int owner;
    int step;

    Chunk(Place place, long address, long bytes) {
      this.place = place;
      this.address = address;
      this.bytes = bytes;
    }

    boolean isFree() {
      return id < 0;
    }

    boolean isFreeForAll() {
      return id < 0 && freedAt == 0;
    }
  }

  /** A region, of one or more parts that adjoin, and its chunks in the order of addresses. */
  static final class Place {
    final List<Region> parts = new ArrayList<>();
    final List<Chunk> chunks = new ArrayList<>();
    boolean isReserved;
    long idleSince;

    long bytes() {
      return parts.stream().mapToLong(Region::bytes).sum();
    }

    boolean isIdle() {
      return chunks.size() == 1 && chunks.getFirst().isFreeForAll();
    }
  }

  /** What is wanted of a chunk. */
  record Wish(long bytes, long alignment, long freedBefore) {
    boolean fits(Chunk chunk) {
      return chunk.isFree() && (freedBefore == 0 || chunk.freedAt <= freedBefore)
        && chunk.bytes - prefix(chunk) >= bytes;
    }

    long prefix(Chunk chunk) {
      return (alignment - chunk.address % alignment) % alignment;
    }
  }

  private final SubAllocator source;
  private final BfcOptions options;
  private final NaiveGrowth growth;
  private final NaiveFigures figures;
  private final NaiveNeighbours neighbours = new NaiveNeighbours();
  final List<Place> places = new ArrayList<>();
  /** Free chunks with a time, by that time, and those of one time in the order in which they came. */
  private final List<@Nullable Chunk> awaited = new ArrayList<>();
  int step;
  private long time;
  private long frontier;
  private long grants;
  private long moment;

  NaiveBfc(SubAllocator source, BfcOptions options) {
    this.source = source;
    this.options = options;
    this.growth = new NaiveGrowth(source, options);
    this.figures = new NaiveFigures(options.limitBytes());
  }

  /** The time of the last free. */
  long time() {
    return time;
  }

  /** The chunk granted; null when there is none. {@code alignment} is 0 on the face that has none. */
  @Nullable
  Chunk allocate(long requested, long alignment, long freedBefore, int owner) {
    if (requested > MOST_BYTES - alignment) {
      return null;
    }
    if (options.pooling() == BfcOptions.Pooling.NONE && alignment <= UNIT) {
      Chunk own = reserve(requested, owner);
      if (own != null || places.stream().flatMap(it -> it.chunks.stream()).noneMatch(Chunk::isFree)) {
        return own;
      }
    }
    Wish wish = new Wish(rounded(requested), Math.max(UNIT, alignment), freedBefore);
    mergeSafe();
    Chunk found = best(wish);
    boolean isPeak = figures.wouldPeak(places, wish.bytes);
    if (found == null && options.collection() == BfcOptions.Collection.BEFORE_A_PEAK && isPeak) {
      giveBack(0);
    }
    if (found == null && extend(wish)) {
      found = best(wish);
    }
    if (found == null && freedBefore == 0 && mergeUntil(wish)) {
      found = best(wish);
    }
    if (found == null && options.collection() != BfcOptions.Collection.NEVER && collect(wish.bytes) && extend(wish)) {
      found = best(wish);
    }
    if (found == null) {
      return null;
    }
    boolean byNeighbours = options.placement() == BfcOptions.Placement.BY_NEIGHBOURS && alignment <= UNIT
      && freedBefore == 0;
    return occupied(byNeighbours ? cutByNeighbours(found, wish) : cut(found, wish), requested, owner);
  }

  private Chunk cutByNeighbours(Chunk found, Wish wish) {
    neighbours.note(wish.bytes);
    Chunk chunk = neighbours.choose(places, found, wish.bytes);
    boolean isCut = chunk.bytes > wish.bytes && options.split().splits(chunk.bytes, wish.bytes);
    if (!isCut || neighbours.isLow(chunk, wish.bytes)) {
      return cut(chunk, wish);
    }
    long below = chunk.bytes - wish.bytes;
    Chunk high = new Chunk(chunk.place, chunk.address + below, wish.bytes);
    chunk.bytes = below;
    chunk.place.chunks.add(chunk.place.chunks.indexOf(chunk) + 1, high);
    return high;
  }

  private long rounded(long requested) {
    Rounding rounding = options.rounding();
    if (rounding != null && requested <= Rounding.MAXIMUM_BYTES) {
      return rounding.round(requested);
    }
    return (requested - 1) / UNIT * UNIT + UNIT;
  }

  private @Nullable Chunk best(Wish wish) {
    Chunk best = null;
    for (Place place : places) {
      for (Chunk chunk : place.chunks) {
        // In the order of addresses, so that the lower one of two equally long chunks is kept.
        if (wish.fits(chunk) && (best == null || chunk.bytes < best.bytes)) {
          best = chunk;
        }
      }
    }
    return best;
  }

  private Chunk cut(Chunk found, Wish wish) {
    long prefixBytes = wish.prefix(found);
    if (prefixBytes > 0) {
      Chunk prefix = splitOff(found, prefixBytes);
      prefix.freedAt = found.freedAt;
      if (prefix.freedAt > 0) {
        await(prefix);
      }
    }
    long slack = found.bytes - wish.bytes;
    if (slack > 0 && options.split().splits(found.bytes, wish.bytes)) {
      return splitOff(found, wish.bytes);
    }
    awaited.remove(found);
    found.freedAt = 0;
    return found;
  }

  /** The first bytes of a chunk, as a chunk before it. */
  private static Chunk splitOff(Chunk chunk, long bytes) {
    Chunk first = new Chunk(chunk.place, chunk.address, bytes);
    chunk.place.chunks.add(chunk.place.chunks.indexOf(chunk), first);
    chunk.address += bytes;
    chunk.bytes -= bytes;
    return first;
  }

  private Chunk occupied(Chunk chunk, long requested, int owner) {
    chunk.id = grants++;
    chunk.requested = requested;
    chunk.owner = owner;
    chunk.step = step;
    figures.granted(chunk.bytes);
    settle();
    return chunk;
  }

  /** A chunk with a region of its own; null when there is none to be had. */
  @Nullable
  Chunk reserve(long requested, int owner) {
    if (requested > MOST_BYTES) {
      return null;
    }
    Region region = growth.exactly(rounded(requested), pool());
    if (region == null && collect(rounded(requested))) {
      region = growth.exactly(rounded(requested), pool());
    }
    if (region == null) {
      return null;
    }
    Place place = added(region);
    place.isReserved = true;
    figures.reserved();
    return occupied(place.chunks.getFirst(), requested, owner);
  }

  void free(Chunk chunk) {
    if (chunk.place.isReserved) {
      source.release(chunk.place.parts.getFirst());
      places.remove(chunk.place);
      settle();
      return;
    }
    chunk.id = -1;
    chunk.requested = 0;
    if (options.clock() != null) {
      chunk.freedAt = ++time;
      await(chunk);
    } else {
      coalesce(chunk);
    }
    noteIdle(chunk.place);
    settle();
  }

  private void coalesce(Chunk chunk) {
    List<Chunk> chunks = chunk.place.chunks;
    int at = chunks.indexOf(chunk);
    if (at + 1 < chunks.size() && chunks.get(at + 1).isFreeForAll()) {
      chunk.bytes += chunks.remove(at + 1).bytes;
    }
    if (at > 0 && chunks.get(at - 1).isFreeForAll()) {
      chunks.get(at - 1).bytes += chunks.remove(at).bytes;
    }
  }

  private void noteIdle(Place place) {
    if (place.chunks.size() == 1) {
      place.idleSince = moment;
    }
  }

  void setSafeFrontier(long to) {
    frontier = Math.max(frontier, to);
  }

  private void await(Chunk chunk) {
    int at = awaited.size();
    while (at > 0 && awaited.get(at - 1).freedAt > chunk.freedAt) {
      at--;
    }
    awaited.add(at, chunk);
  }

  private void mergeSafe() {
    boolean merged = false;
    while (!awaited.isEmpty() && awaited.getFirst().freedAt < frontier) {
      Chunk safe = awaited.removeFirst();
      safe.freedAt = 0;
      coalesce(safe);
      noteIdle(safe.place);
      merged = true;
    }
    if (merged) {
      settle();
    }
  }

  private boolean mergeUntil(Wish wish) {
    boolean isMet = false;
    for (int i = 0; i < awaited.size() && !isMet; i++) {
      isMet = awaited.get(i) != null && wish.fits(joined(awaited.get(i)));
    }
    awaited.removeIf(chunk -> chunk == null);
    settle();
    return isMet;
  }

  /** One chunk of a free one and its free neighbours; in {@code awaited} it has the place of the latest of them. */
  private Chunk joined(Chunk middle) {
    List<Chunk> all = middle.place.chunks;
    int at = all.indexOf(middle);
    int low = at > 0 && all.get(at - 1).isFree() ? at - 1 : at;
    int high = at + 1 < all.size() && all.get(at + 1).isFree() ? at + 1 : at;
    if (low == high) {
      return middle;
    }
    List<Chunk> parts = List.copyOf(all.subList(low, high + 1));
    Chunk latest = parts.getFirst();
    for (Chunk part : parts) {
      latest = part.freedAt > latest.freedAt ? part : latest;
    }
    Chunk whole = new Chunk(middle.place, parts.getFirst().address, parts.stream().mapToLong(part -> part.bytes).sum());
    whole.freedAt = latest.freedAt;
    for (int i = 0; i < awaited.size(); i++) {
      Chunk one = awaited.get(i);
      if (one != null && parts.contains(one)) {
        awaited.set(i, one == latest ? whole : null);
      }
    }
    all.removeAll(parts);
    all.add(low, whole);
    noteIdle(whole.place);
    return whole;
  }

  private boolean extend(Wish wish) {
    long ample = wish.bytes + wish.alignment - UNIT;
    if (options.growth() == BfcOptions.Growth.BY_PAGE && source.supportsCoalescing()) {
      return extendByPages(ample);
    }
    Region region = growth.grow(ample, pool());
    if (region == null && ample > wish.bytes) {
      region = growth.grow(wish.bytes, pool());
    }
    if (region == null) {
      return false;
    }
    place(region);
    settle();
    return true;
  }

  /** Pages until so much is free at the end; none where the limit won't allow as many. */
  private boolean extendByPages(long ample) {
    long missing = ample - freeAtEnd();
    if (missing > options.limitBytes() - pool()) {
      return false;
    }
    for (long added = 0; added < 2 * missing && freeAtEnd() < ample; added += options.firstRegionBytes()) {
      Region page = growth.exactly(options.firstRegionBytes(), pool());
      if (page == null) {
        return false;
      }
      place(page);
      settle();
    }
    return freeAtEnd() >= ample;
  }

  private long freeAtEnd() {
    Chunk last = places.isEmpty() ? null : places.getLast().chunks.getLast();
    return last != null && last.isFreeForAll() ? last.bytes : 0;
  }

  private void place(Region region) {
    for (Place place : places) {
      Chunk last = place.chunks.getLast();
      if (source.supportsCoalescing() && !place.isReserved && last.address + last.bytes == region.address()) {
        place.parts.add(region);
        if (last.isFreeForAll()) {
          last.bytes += region.bytes();
        } else {
          place.chunks.add(new Chunk(place, region.address(), region.bytes()));
        }
        noteIdle(place);
        return;
      }
    }
    noteIdle(added(region));
  }

  private Place added(Region region) {
    Place place = new Place();
    place.parts.add(region);
    place.chunks.add(new Chunk(place, region.address(), region.bytes()));
    places.add(place);
    places.sort(Comparator.comparingLong(one -> one.chunks.getFirst().address));
    return place;
  }

  private boolean collect(long wanted) {
    long idle = places.stream().filter(Place::isIdle).mapToLong(Place::bytes).sum();
    if (growth.allowed(pool() - idle) < wanted) {
      return false;
    }
    long before = pool();
    releaseIdle(0);
    return pool() < before;
  }

  /** Gives back what is idle, the longest idle first; the bytes given. */
  long trim(long keepFree) {
    mergeSafe();
    long before = pool();
    giveBack(keepFree);
    return before - pool();
  }

  private void giveBack(long keepFree) {
    releaseIdle(keepFree);
    for (Place place : List.copyOf(places)) {
      for (int index = place.parts.size() - 1; index >= 0 && place.chunks.size() > 1; index--) {
        cutOut(place, index, keepFree);
      }
    }
    releaseIdle(keepFree);
  }

  private void releaseIdle(long keepFree) {
    List<Place> idle = new ArrayList<>(places.stream().filter(Place::isIdle).toList());
    idle.sort(Comparator.comparingLong(place -> place.idleSince));
    for (Place place : idle) {
      if (pool() - figures.inUse(places) - place.bytes() < keepFree) {
        return;
      }
      release(place);
    }
  }

  /** Gives back one part of a region, if a free chunk covers it; what lies above is then a region of its own. */
  private void cutOut(Place place, int index, long keepFree) {
    Region part = place.parts.get(index);
    Chunk chunk = place.chunks.stream().filter(one -> one.address <= part.address()).toList().getLast();
    long end = chunk.address + chunk.bytes;
    if (!chunk.isFreeForAll() || end < part.endAddress()
      || pool() - figures.inUse(places) - part.bytes() < keepFree) {
      return;
    }
    source.release(part);
    Place above = new Place();
    above.idleSince = place.idleSince;
    List<Region> partsAbove = place.parts.subList(index + 1, place.parts.size());
    above.parts.addAll(partsAbove);
    partsAbove.clear();
    place.parts.removeLast();
    int at = place.chunks.indexOf(chunk);
    if (part.endAddress() < end) {
      above.chunks.add(new Chunk(above, part.endAddress(), end - part.endAddress()));
    }
    above.chunks.addAll(place.chunks.subList(at + 1, place.chunks.size()));
    above.chunks.forEach(one -> one.place = above);
    chunk.bytes = part.address() - chunk.address;
    place.chunks.subList(chunk.bytes > 0 ? at + 1 : at, place.chunks.size()).clear();
    places.remove(place);
    for (Place rest : List.of(place, above)) {
      if (!rest.parts.isEmpty()) {
        places.add(rest);
        noteIdle(rest);
      }
    }
    places.sort(Comparator.comparingLong(one -> one.chunks.getFirst().address));
    growth.shrunk();
    settle();
  }

  private void release(Place place) {
    Chunk chunk = place.chunks.getFirst();
    try {
      while (!place.parts.isEmpty()) {
        source.release(place.parts.getLast());
        chunk.bytes -= place.parts.removeLast().bytes();
        growth.shrunk();
      }
    } finally {
      if (place.parts.isEmpty()) {
        places.remove(place);
      }
      place.idleSince = moment;
      settle();
    }
  }

  private long pool() {
    return places.stream().mapToLong(Place::bytes).sum();
  }

  private void settle() {
    moment++;
    figures.follow(places);
  }

  void refused() {
    figures.refused();
  }

  AllocatorStats stats() {
    return figures.stats(places, Math.max(1, frontier));
  }

  void clearStats() {
    figures.clear();
  }
}
