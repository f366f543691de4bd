package dev.cairn.runtime.memory.planner.search;

/**
 * Buffers of one device that must be searched together: flat arrays by <em>item</em>, the buffer's number in this part.
 * A <em>section</em> is a set of items no two of which may share bytes: those that hold bytes at one step, or a pair
 * that conflicts without meeting. Only sections that are no subset of a neighbour are kept, in order of time, pairs
 * last. Immutable by convention.
 *
 * @param buffers the items' indexes in the problem
 * @param bytes reserved bytes, more than 0
 * @param alignment powers of two
 * @param fixed where an item must lie, or -1
 * @param sections by item, the sections it is in, ascending
 * @param members by section, its items, ascending
 * @param neighbours by item, with whom it is in any section, ascending
 * @param twins by item, the last one before it that it could change places with in any plan, or -1
 * @param step what every offset and size is a multiple of
 * @param contiguous whether each item's sections follow one another without a gap
 */
record Part(int[] buffers, long[] bytes, long[] alignment, long[] fixed, int[][] sections, int[][] members,
  int[][] neighbours, int[] twins, long step, boolean contiguous) {

  int size() {
    return buffers.length;
  }

  int twin(int item) {
    return twins[item];
  }

  int firstSection(int item) {
    return sections[item][0];
  }

  int lastSection(int item) {
    return sections[item][sections[item].length - 1];
  }

  /** Bytes of all of a section's items together. */
  long bytesOf(int section) {
    long sum = 0;
    for (int item : members[section]) {
      sum += bytes[item];
    }
    return sum;
  }

  /** What no plan can go below: the fullest section, or the top of what is fixed. */
  long bound() {
    long bound = 0;
    for (int section = 0; section < members.length; section++) {
      bound = Math.max(bound, bytesOf(section));
    }
    for (int item = 0; item < size(); item++) {
      bound = Math.max(bound, fixed[item] + bytes[item]);
    }
    return bound;
  }

  /** How many entries all lists have together: what memory and time of a search grow with. */
  long entries() {
    long entries = 0;
    for (int item = 0; item < size(); item++) {
      entries += neighbours[item].length + sections[item].length;
    }
    return entries;
  }

  /** The top of the highest item at these offsets, by buffer index. */
  long height(long[] offsets) {
    long height = 0;
    for (int item = 0; item < size(); item++) {
      height = Math.max(height, offsets[buffers[item]] + bytes[item]);
    }
    return height;
  }
}
