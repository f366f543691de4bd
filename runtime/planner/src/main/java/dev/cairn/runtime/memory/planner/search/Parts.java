package dev.cairn.runtime.memory.planner.search;

import dev.cairn.runtime.memory.MemoryProblem;
import java.util.ArrayList;
import java.util.Arrays;
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

  /** The parts of one device, by their first buffers' indexes; none when there is too much to search. */
  static List<Part> of(MemoryProblem problem, int device) {
    Parts parts = new Parts(problem);
    Sections sections = new Sections(problem);
    int[] buffers = sections.buffers(device);
    return sections.of(buffers).map(found -> parts.split(buffers, found)).orElse(List.of());
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
    int[][] items = sections.stream()
      .map(section -> Arrays.stream(section).map(buffer -> Arrays.binarySearch(buffers, buffer)).toArray())
      .toArray(int[][]::new);
    return new Part(problem, buffers, items);
  }

  private static int find(int[] root, int buffer) {
    int at = buffer;
    while (root[at] != at) {
      root[at] = root[root[at]];
      at = root[at];
    }
    return at;
  }
}
