package dev.cairn.runtime.memory.analysis;

import dev.cairn.runtime.memory.MemoryPlanner;
import dev.cairn.runtime.memory.MemoryProblem;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which branches run beside the longest path when memory is limited. A branch is a connected group of steps on one of
 * the other streams. First all branches are tried at once; when the plan of a group takes too much memory, each half of
 * the group is tried by itself, and so on. A branch that has no room runs on the first stream, between the steps around
 * it in the serial order. Serves one run.
 */
final class BranchSelection {
  /** Pairs of buffers looked at, over all tries: beyond it no more branches are taken. A second or two. */
  private static final long MOST_PAIRS = 400_000_000;

  private final StepUses uses;
  private final MemoryProblem problem;
  private final StreamReuse reuse;
  private final MemoryPlanner planner;
  private final long limitBytes;
  private final int streams;
  private final StepDependencies dependencies;
  /** The stream that each step would have if memory did not matter. */
  private final int[] wanted;
  private final Set<Integer> taken = new HashSet<>();
  private StreamSchedule best;
  private long pairs;

  BranchSelection(StepUses uses, MemoryProblem problem, int streams, StreamReuse reuse, MemoryPlanner planner,
    long limitBytes) {
    this.uses = uses;
    this.problem = problem;
    this.streams = streams;
    this.reuse = reuse;
    this.planner = planner;
    this.limitBytes = limitBytes;
    this.dependencies = new StepDependencies(uses);
    this.wanted = StreamColouring.of(dependencies, streams);
    this.best = StreamAnalysis.schedule(uses, streamsWith(List.of()), streams);
  }

  /** The best schedule. At worst it has all steps on the first stream; the limit does not refuse that one. */
  StreamSchedule select() {
    List<List<Integer>> branches = branches();
    if (!branches.isEmpty()) {
      tryAll(branches);
    }
    return best;
  }

  private void tryAll(List<List<Integer>> branches) {
    long pairsOfTry = (long) problem.size() * problem.size();
    if (pairs > 0 && pairs + pairsOfTry > MOST_PAIRS) {
      return;
    }
    pairs += pairsOfTry;
    StreamSchedule schedule = StreamAnalysis.schedule(uses, streamsWith(branches), streams);
    MemoryProblem concurrent = problem.with(StreamAnalysis.conflicts(problem, schedule, reuse));
    if (planner.plan(concurrent).peakBytes() <= limitBytes) {
      branches.forEach(taken::addAll);
      best = schedule;
    } else if (branches.size() > 1) {
      int middle = branches.size() / 2;
      tryAll(branches.subList(0, middle));
      tryAll(branches.subList(middle, branches.size()));
    }
  }

  private int[] streamsWith(List<List<Integer>> branches) {
    Set<Integer> beside = new HashSet<>(taken);
    branches.forEach(beside::addAll);
    int[] streamOf = new int[wanted.length];
    beside.forEach(step -> streamOf[step] = wanted[step]);
    return streamOf;
  }

  /** Connected steps of one stream other than the first, by their first steps. */
  private List<List<Integer>> branches() {
    int[] root = new int[wanted.length];
    for (int step = 0; step < root.length; step++) {
      root[step] = step;
      for (int before : dependencies.before(step)) {
        if (wanted[before] == wanted[step]) {
          int one = find(root, before);
          int other = find(root, step);
          root[Math.max(one, other)] = Math.min(one, other);
        }
      }
    }
    Map<Integer, List<Integer>> byRoot = new HashMap<>();
    List<List<Integer>> branches = new ArrayList<>();
    for (int step = 0; step < root.length; step++) {
      if (wanted[step] != 0) {
        byRoot.computeIfAbsent(find(root, step), first -> {
          List<Integer> branch = new ArrayList<>();
          branches.add(branch);
          return branch;
        }).add(step);
      }
    }
    return branches;
  }

  private static int find(int[] root, int step) {
    int found = step;
    while (root[found] != found) {
      root[found] = root[root[found]];
      found = root[found];
    }
    return found;
  }
}
