package dev.cairn.runtime.memory.planner.search;

import dev.cairn.runtime.memory.Buffer;
import dev.cairn.runtime.memory.MemoryProblem;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Splits a problem without groups into parts that share no section, and lays each out in flat arrays. */
final class Parts {
  private final MemoryProblem problem;

  private Parts(MemoryProblem problem) {
    this.problem = problem;
  }

  /** The parts of one device, by their first buffers' indexes. */
  static List<Part> of(MemoryProblem problem, int device) {
    Parts parts = new Parts(problem);
    Sections sections = new Sections(problem);
    int[] buffers = sections.buffers(device);
    return parts.split(buffers, sections.of(buffers));
  }

  private List<Part> split(int[] buffers, List<int[]> sections) {
    int[] root = IntStream.range(0, problem.size()).toArray();
    for (int[] section : sections) {
      for (int buffer : section) {
        root[find(root, buffer)] = find(root, section[0]);
      }
    }
    Map<Integer, List<Integer>> buffersOf = new LinkedHashMap<>();
    for (int buffer : buffers) {
      buffersOf.computeIfAbsent(find(root, buffer), it -> new ArrayList<>()).add(buffer);
    }
    Map<Integer, List<int[]>> sectionsOf = new LinkedHashMap<>();
    for (int[] section : sections) {
      sectionsOf.computeIfAbsent(find(root, section[0]), it -> new ArrayList<>()).add(section);
    }
    List<Part> parts = new ArrayList<>();
    buffersOf.forEach((it, members) -> parts.add(part(members, sectionsOf.getOrDefault(it, List.of()))));
    return parts;
  }

  private Part part(List<Integer> members, List<int[]> sections) {
    int[] buffers = members.stream().mapToInt(Integer::intValue).toArray();
    int[][] itemsOf = sections.stream()
      .map(section -> Arrays.stream(section).map(buffer -> Arrays.binarySearch(buffers, buffer)).toArray())
      .toArray(int[][]::new);
    List<Buffer> chosen = members.stream().map(problem::buffer).toList();
    long[] bytes = chosen.stream().mapToLong(Buffer::reservedBytes).toArray();
    long[] alignment = chosen.stream().mapToLong(Buffer::alignment).toArray();
    long[] fixed = chosen.stream().mapToLong(buffer -> buffer.fixedOffset().orElse(-1)).toArray();
    int[][] sectionsOf = sectionsOf(buffers.length, itemsOf);
    boolean contiguous = Arrays.stream(sectionsOf).allMatch(of -> of[of.length - 1] - of[0] == of.length - 1);
    return new Part(buffers, bytes, alignment, fixed, sectionsOf, itemsOf, neighbours(sectionsOf, itemsOf),
      twins(chosen, sectionsOf), step(bytes, alignment, fixed), contiguous);
  }

  /** What every offset that a search tries is a multiple of. */
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
    int[][] neighbours = new int[sectionsOf.length][];
    for (int item = 0; item < neighbours.length; item++) {
      BitSet met = new BitSet();
      for (int section : sectionsOf[item]) {
        for (int other : itemsOf[section]) {
          met.set(other);
        }
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
        IntStream.of(sectionsOf[item]).boxed().toList());
      Integer before = last.put(kind, item);
      twins[item] = before == null ? -1 : before;
    }
    return twins;
  }

  private static int find(int[] root, int buffer) {
    int at = buffer;
    while (root[at] != at) {
      root[at] = root[root[at]];
      at = root[at];
    }
    return at;
  }

  private static long gcd(long a, long b) {
    return b == 0 ? a : gcd(b, a % b);
  }
}
