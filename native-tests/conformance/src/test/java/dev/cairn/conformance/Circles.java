package dev.cairn.conformance;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The strongly connected components of a graph of names, by Tarjan's algorithm. */
final class Circles {
  private final Map<String, Set<String>> edges;
  private final Map<String, Integer> numbers = new HashMap<>();
  private final Map<String, Integer> lowest = new HashMap<>();
  private final Deque<String> open = new ArrayDeque<>();
  private final List<Set<String>> found = new ArrayList<>();

  private Circles(Map<String, Set<String>> edges) {
    this.edges = edges;
  }

  /** The circles that have at least two names. */
  static List<Set<String>> of(Map<String, Set<String>> edges) {
    var circles = new Circles(edges);
    edges.keySet().forEach(name -> {
      if (!circles.numbers.containsKey(name)) {
        circles.visit(name);
      }
    });
    return circles.found;
  }

  private void visit(String name) {
    int number = numbers.size();
    numbers.put(name, number);
    lowest.put(name, number);
    open.push(name);
    for (String next : edges.getOrDefault(name, Set.of())) {
      if (!numbers.containsKey(next)) {
        visit(next);
        lowest.merge(name, lowest.getOrDefault(next, number), Math::min);
      } else if (open.contains(next)) {
        lowest.merge(name, numbers.getOrDefault(next, number), Math::min);
      }
    }
    if (lowest.getOrDefault(name, number) == number) {
      Set<String> circle = new TreeSet<>();
      String member;
      do {
        member = open.pop();
        circle.add(member);
      } while (!member.equals(name));
      if (circle.size() > 1) {
        found.add(circle);
      }
    }
  }
}
