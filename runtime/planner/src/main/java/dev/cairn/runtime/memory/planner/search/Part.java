package dev.cairn.runtime.memory.planner.search;

import dev.cairn.runtime.memory.Buffer;
import dev.cairn.runtime.memory.MemoryProblem;
import java.nio.IntBuffer;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Buffers of one device that must be searched together: flat arrays by <em>item</em>, the buffer's number in this part.
 * A <em>section</em> is a set of items no two of which may share bytes: buffers that hold bytes at one step, or a pair
 * that conflicts without meeting. Only sections that are no subset of a neighbour are kept, in order of time, pairs
 * last. Its arrays do not change.
 */
final class Part {
  /** For each item, its buffer's index in the problem. */
  final int[] buffers;
  /** For each item, reserved bytes, more than 0. */
  final long[] bytes;
  /** For each item, a power of two. */
  final long[] alignment;
  /** For each item, where it must lie, or -1. */
  final long[] fixed;
  /** For each item, the sections it is in, ascending. */
  final int[][] sections;
  /** For each section, its items, ascending. */
  final int[][] members;
  /** For each item, the items with which it shares a section, ascending. */
  final int[][] neighbours;
  /** For each item, the last one before it that it could change places with in any plan, or -1. */
  final int[] twins;
  /** Every offset that a search tries is a multiple of this number. */
  final long step;
  /** Whether each item's sections follow one another without a gap. */
  final boolean contiguous;

  Part(MemoryProblem problem, int[] buffers, int[][] members) {
    this.buffers = buffers;
    this.members = members;
    List<Buffer> items = Arrays.stream(buffers).mapToObj(problem::buffer).toList();
    bytes = items.stream().mapToLong(Buffer::reservedBytes).toArray();
    alignment = items.stream().mapToLong(Buffer::alignment).toArray();
    fixed = items.stream().mapToLong(buffer -> buffer.fixedOffset().orElse(-1)).toArray();
    sections = sectionsOf(buffers.length, members);
    neighbours = neighbours(sections, members);
    twins = twins(items, sections);
    step = step(bytes, alignment, fixed);
    contiguous = Arrays.stream(sections).allMatch(of -> of[of.length - 1] - of[0] == of.length - 1);
  }

  int size() {
    return buffers.length;
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

  /** A lower bound of all plans: the fullest section, or the top of what is fixed. */
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

  /** The top of the highest item at these offsets, by buffer index. */
  long height(long[] offsets) {
    long height = 0;
    for (int item = 0; item < size(); item++) {
      height = Math.max(height, offsets[buffers[item]] + bytes[item]);
    }
    return height;
  }

  private static long step(long[] bytes, long[] alignment, long[] fixed) {
    long step = 0;
    for (int item = 0; item < bytes.length; item++) {
      step = gcd(gcd(step, bytes[item]), Math.max(fixed[item], 0));
    }
    for (long multiple : alignment) {
      step = step % multiple == 0 ? step : gcd(step, multiple); // where sums of bytes are rounded up to a multiple
    }
    return step;
  }

  private static int[][] sectionsOf(int items, int[][] itemsOf) {
    int[] counts = new int[items];
    for (int[] section : itemsOf) {
      for (int item : section) {
        counts[item]++;
      }
    }
    int[][] sectionsOf = Arrays.stream(counts).mapToObj(int[]::new).toArray(int[][]::new);
    Arrays.fill(counts, 0);
    for (int section = 0; section < itemsOf.length; section++) {
      for (int item : itemsOf[section]) {
        sectionsOf[item][counts[item]++] = section;
      }
    }
    return sectionsOf;
  }

  private static int[][] neighbours(int[][] sectionsOf, int[][] itemsOf) {
    BitSet[] sets = new BitSet[itemsOf.length];
    for (int section = 0; section < sets.length; section++) {
      sets[section] = new BitSet(sectionsOf.length);
      for (int item : itemsOf[section]) {
        sets[section].set(item);
      }
    }
    int[][] neighbours = new int[sectionsOf.length][];
    for (int item = 0; item < neighbours.length; item++) {
      BitSet met = new BitSet(neighbours.length);
      for (int section : sectionsOf[item]) {
        met.or(sets[section]);
      }
      met.clear(item);
      neighbours[item] = met.stream().toArray();
    }
    return neighbours;
  }

  private static int[] twins(List<Buffer> items, int[][] sectionsOf) {
    Map<List<Object>, Integer> last = new HashMap<>();
    int[] twins = new int[items.size()];
    for (int item = 0; item < twins.length; item++) {
      Buffer buffer = items.get(item);
      List<Object> kind = List.of(buffer.reservedBytes(), buffer.alignment(), buffer.fixedOffset(),
        IntBuffer.wrap(sectionsOf[item]));
      Integer before = last.put(kind, item);
      twins[item] = before == null ? -1 : before;
    }
    return twins;
  }

  private static long gcd(long a, long b) {
    return b == 0 ? a : gcd(b, a % b);
  }
}
