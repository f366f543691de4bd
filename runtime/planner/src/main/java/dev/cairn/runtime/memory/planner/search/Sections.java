package dev.cairn.runtime.memory.planner.search;

import dev.cairn.runtime.memory.Lifetime;
import dev.cairn.runtime.memory.MemoryProblem;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Cuts time where the set of buffers that hold bytes changes. A section whose set is a subset of a neighbour's is left
 * out, since it adds no condition.
 */
final class Sections {
  /** How many entries the lists of sections may have together; a search of more would not get far. */
  private static final long MOST_ENTRIES = 2_000_000;

  private final MemoryProblem problem;
  private final List<List<Lifetime>> active;
  private long entries;

  Sections(MemoryProblem problem) {
    this.problem = problem;
    this.active = problem.active();
  }

  /** The buffers of this device that need to be searched for. */
  int[] buffers(int device) {
    return IntStream.range(0, problem.size())
      .filter(i -> problem.buffer(i).device() == device && isInTheWay(i))
      .toArray();
  }

  /** Whether the buffer has bytes at any step, or a conflict. Buffers without one may lie anywhere. */
  boolean isInTheWay(int buffer) {
    return problem.buffer(buffer).bytes() > 0 && (!active.get(buffer).isEmpty()
      || problem.conflicts().with(buffer).anyMatch(other -> problem.conflicts(buffer, other)));
  }

  /** Sets of buffers that may not share: by time, then pairs that never meet. Empty if there are too many sections. */
  Optional<List<int[]>> of(int[] buffers) {
    List<int[]> sections = overTime(buffers);
    for (int first : buffers) {
      if (entries > MOST_ENTRIES) {
        return Optional.empty();
      }
      problem.conflicts().with(first)
        .filter(second -> first < second && problem.conflicts(first, second) && !meet(first, second))
        .forEach(second -> add(sections, new int[] {first, second}));
    }
    return entries > MOST_ENTRIES ? Optional.empty() : Optional.of(sections);
  }

  private List<int[]> overTime(int[] buffers) {
    int[] cuts = Arrays.stream(buffers)
      .flatMap(i -> active.get(i).stream().flatMapToInt(part -> IntStream.of(part.first(), part.end())))
      .sorted().distinct().toArray();
    List<List<Integer>> beginning = lists(cuts.length);
    List<List<Integer>> ending = lists(cuts.length);
    for (int buffer : buffers) {
      for (Lifetime part : active.get(buffer)) {
        beginning.get(Arrays.binarySearch(cuts, part.first())).add(buffer);
        ending.get(Arrays.binarySearch(cuts, part.end())).add(buffer);
      }
    }
    List<int[]> sections = new ArrayList<>();
    BitSet live = new BitSet();
    boolean grown = false;
    for (int cut = 0; cut < cuts.length; cut++) {
      // A set that only grew is followed by a larger set, and a set that only shrank follows a larger one.
      if (grown && !ending.get(cut).isEmpty()) {
        add(sections, live.stream().toArray());
        grown = false;
      }
      if (entries > MOST_ENTRIES) {
        break;
      }
      ending.get(cut).forEach(live::clear);
      for (int buffer : beginning.get(cut)) {
        live.set(buffer);
        grown = true;
      }
    }
    return sections;
  }

  private void add(List<int[]> sections, int[] section) {
    sections.add(section);
    entries += section.length;
  }

  private boolean meet(int first, int second) {
    return active.get(first).stream().anyMatch(a -> active.get(second).stream().anyMatch(a::overlaps));
  }

  private static List<List<Integer>> lists(int count) {
    return IntStream.range(0, count).mapToObj(i -> (List<Integer>) new ArrayList<Integer>()).toList();
  }
}
