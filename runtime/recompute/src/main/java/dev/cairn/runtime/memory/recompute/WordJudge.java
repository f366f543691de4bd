package dev.cairn.runtime.memory.recompute;

import dev.cairn.runtime.memory.order.OrderProblem;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/** The memory and cost of words: the judge of every answer, which shares no code with planners, bounds and oracle. */
public final class WordJudge {
  private final RecomputeProblem problem;
  private final OrderProblem order;
  private final Word word;
  /** For each value, for each of its versions in turn: the step that makes it and the last step that holds it. */
  private final int[][] from;
  private final int[][] to;

  private WordJudge(RecomputeProblem problem, Word word) {
    this.problem = problem;
    this.order = problem.order();
    this.word = word;
    this.from = new int[order.values()][];
    this.to = new int[order.values()][];
  }

  /**
   * The bytes held while each step runs.
   *
   * @throws IllegalArgumentException when the word is not legal: it lacks a node, reads a value before its node has
   *   run, repeats a node that runs once, or breaks an edge
   */
  public static long[] bytesByStep(RecomputeProblem problem, Word word) {
    return new WordJudge(problem, word).bytesByStep();
  }

  /** The most bytes held at one step; 0 without nodes. Throws as {@link #bytesByStep}. */
  public static long peak(RecomputeProblem problem, Word word) {
    return Arrays.stream(bytesByStep(problem, word)).max().orElse(0);
  }

  /** The cost of all steps. */
  public static long cost(RecomputeProblem problem, Word word) {
    long cost = 0;
    for (int step = 0; step < word.length(); step++) {
      cost += problem.cost(word.node(step));
    }
    return cost;
  }

  private long[] bytesByStep() {
    requireLegal();
    versions();
    long[] change = new long[word.length() + 1];
    for (int value = 0; value < from.length; value++) {
      for (int k = 0; k < from[value].length; k++) {
        change[from[value][k]] += order.bytes(value);
        change[to[value][k] + 1] -= order.bytes(value);
      }
    }
    long[] held = new long[word.length()];
    long live = 0;
    for (int step = 0; step < held.length; step++) {
      live += change[step];
      held[step] = live + order.workspace(word.node(step)) - savedInPlace(step);
    }
    return held;
  }

  private void versions() {
    int[] runs = word.runs(problem.nodes());
    for (int value = 0; value < from.length; value++) {
      from[value] = new int[runs[order.producer(value)]];
      to[value] = from[value].clone();
    }
    int[] seen = new int[problem.nodes()];
    for (int step = 0; step < word.length(); step++) {
      int node = word.node(step);
      for (int value : order.read(node)) {
        int version = seen[order.producer(value)] - 1;
        to[value][version] = Math.max(to[value][version], step);
      }
      for (int value : order.made(node)) {
        boolean staysToTheEnd = order.isKept(value) && seen[node] == runs[node] - 1;
        from[value][seen[node]] = step;
        to[value][seen[node]] = staysToTheEnd ? word.length() - 1 : step;
      }
      seen[node]++;
    }
  }

  private long savedInPlace(int step) {
    int[] pairs = order.inPlace(word.node(step));
    Set<Integer> taken = new HashSet<>();
    long saved = 0;
    for (int i = 0; i < pairs.length; i += 2) {
      boolean dies = Arrays.stream(to[pairs[i]]).anyMatch(end -> end == step);
      if (dies && !taken.contains(pairs[i]) && !taken.contains(pairs[i + 1])) {
        taken.add(pairs[i]);
        taken.add(pairs[i + 1]);
        saved += order.bytes(pairs[i]);
      }
    }
    return saved;
  }

  private void requireLegal() {
    int[] first = new int[problem.nodes()];
    Arrays.fill(first, -1);
    for (int step = 0; step < word.length(); step++) {
      int node = word.node(step);
      if (node < 0 || node >= first.length) {
        throw new IllegalArgumentException("no such node: step=%d node=%d nodes=%d".formatted(step, node,
          first.length));
      }
      if (first[node] >= 0 && problem.runsOnce(node)) {
        throw fault("a node that runs once runs again", step, node, node);
      }
      for (int needed : order.before(node)) {
        if (first[needed] < 0) {
          throw fault("a node runs before one that it needs", step, node, needed);
        }
      }
      for (int later : order.edges(node)) {
        if (first[later] >= 0) {
          throw fault("a node runs again after one that ends what it reads", step, node, later);
        }
      }
      first[node] = first[node] < 0 ? step : first[node];
    }
    for (int node = 0; node < first.length; node++) {
      if (first[node] < 0) {
        throw fault("a node never runs", word.length(), node, node);
      }
    }
  }

  private IllegalArgumentException fault(String what, int step, int node, int other) {
    return new IllegalArgumentException("%s: step=%d node=%s other=%s".formatted(what, step, problem.name(node),
      problem.name(other)));
  }
}
