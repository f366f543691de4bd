package dev.cairn.runtime.memory.recompute.search;

import dev.cairn.runtime.memory.order.OrderProblem;
import dev.cairn.runtime.memory.recompute.RecomputeProblem;
import dev.cairn.runtime.memory.recompute.Word;
import java.util.Arrays;

/**
 * A word that changes: its steps lie in a row of slots with free ones between them. Knows its cost and the bytes over
 * the budget after every change, and can take changes back. It is always legal.
 *
 * <p>A word is legal when the first runs of the nodes are in a topological order, nodes that run once do, and edges
 * hold for all runs; so a change asks for first and last runs only.
 */
final class SlottedWord {
  static final int FREE = -1;
  /** Slots for each step when they are spread. */
  private static final int SPREAD = 2;
  private static final int LONGEST_STEP_ASIDE = 32;

  private final RecomputeProblem problem;
  private final OrderProblem order;
  private final long budget;
  private final WordValues values;
  private final int[][] edgesInto;
  private int[] nodeAt = new int[0];
  private final int[][] slotsOf;
  private final int[] runs;
  /** For each node: its first and its last run's slot, to have them near each other; the last is -1 without a run. */
  private final int[] first;
  private final int[] last;
  private final RecomputedSet recomputed;
  private HeldProfile profile;
  private long cost;
  private int length;
  private long touchedBefore;
  /** The changes so far: a node, and its slot or the complement of the slot that it left. */
  private int[] changes = new int[64];
  private int changeCount;

  SlottedWord(RecomputeProblem problem, long budget, Word word) {
    this.problem = problem;
    this.order = problem.order();
    this.budget = budget;
    slotsOf = new int[problem.nodes()][1];
    runs = new int[problem.nodes()];
    first = new int[problem.nodes()];
    last = new int[problem.nodes()];
    recomputed = new RecomputedSet(problem.nodes());
    values = new WordValues(order, slotsOf, runs, last);
    edgesInto = edgesInto(order);
    profile = new HeldProfile(0, budget);
    spread(word.steps());
  }

  private static int[][] edgesInto(OrderProblem order) {
    int[][] into = new int[order.nodes()][0];
    for (int node = 0; node < order.nodes(); node++) {
      for (int later : order.edges(node)) {
        into[later] = Arrays.copyOf(into[later], into[later].length + 1);
        into[later][into[later].length - 1] = node;
      }
    }
    return into;
  }

  /** Becomes another word, its steps at equal distances. Changes made before can't be taken back. */
  void become(Word other) {
    spread(other.steps());
  }

  private void spread(int[] steps) {
    int slots = HeldProfile.roundUp(SPREAD * steps.length + SPREAD * 16);
    int pace = slots / (steps.length + 1);
    touchedBefore += profile.touched() + slots;
    profile = new HeldProfile(slots, budget);
    nodeAt = new int[slots];
    Arrays.fill(nodeAt, FREE);
    Arrays.fill(runs, 0);
    recomputed.clear();
    cost = 0;
    length = 0;
    for (int i = 0; i < steps.length; i++) {
      place(steps[i], (i + 1) * pace);
    }
    values.startOver(profile, nodeAt);
    changeCount = 0;
  }

  int slots() {
    return nodeAt.length;
  }

  int length() {
    return length;
  }

  long cost() {
    return cost;
  }

  long over() {
    return profile.over();
  }

  HeldProfile profile() {
    return profile;
  }

  WordValues values() {
    return values;
  }

  /** The nodes that run more than once. */
  RecomputedSet recomputed() {
    return recomputed;
  }

  int node(int slot) {
    return nodeAt[slot];
  }

  int runs(int node) {
    return runs[node];
  }

  /** The slot of a node's k-th run. */
  int slot(int node, int k) {
    return slotsOf[node][k];
  }

  /** A measure of the work done so far. */
  long touched() {
    return touchedBefore + profile.touched();
  }

  /** The nearest free slot before the given one; -1 when it is too far. */
  int freeBefore(int slot) {
    for (int i = slot - 1; i >= Math.max(0, slot - LONGEST_STEP_ASIDE); i--) {
      if (nodeAt[i] == FREE) {
        return i;
      }
    }
    return -1;
  }

  /** Runs a node once more; false when that is not legal. */
  boolean insert(int node, int slot) {
    if (problem.runsOnce(node) || nodeAt[slot] != FREE
      || !isLegal(node, Math.min(slot, first[node]), Math.max(slot, last[node]))) {
      return false;
    }
    change(node, slot);
    return true;
  }

  /** Takes a run away; false when that is not legal. */
  boolean remove(int node, int slot) {
    int[] at = slotsOf[node];
    if (runs[node] == 1 || (at[0] == slot && !isLegal(node, at[1], at[runs[node] - 1]))) {
      return false;
    }
    change(node, ~slot);
    return true;
  }

  /** Moves a run to a free slot; false when that is not legal. */
  boolean move(int node, int from, int to) {
    int[] at = slotsOf[node];
    int k = runs[node] - 1;
    int start = at[0] == from ? k > 0 ? at[1] : to : at[0];
    int end = at[k] == from ? k > 0 ? at[k - 1] : to : at[k];
    if (nodeAt[to] != FREE || !isLegal(node, Math.min(to, start), Math.max(to, end))) {
      return false;
    }
    change(node, ~from);
    change(node, to);
    return true;
  }

  /** Whether it is legal that the first and the last run of a node are at these slots. */
  private boolean isLegal(int node, int firstRun, int lastRun) {
    for (int needed : order.before(node)) {
      if (first[needed] >= firstRun) {
        return false;
      }
    }
    for (int later : order.after(node)) {
      if (first[later] <= firstRun) {
        return false;
      }
    }
    for (int later : order.edges(node)) {
      if (first[later] <= lastRun) {
        return false;
      }
    }
    for (int needed : edgesInto[node]) {
      if (last[needed] >= firstRun) {
        return false;
      }
    }
    return true;
  }

  private void change(int node, int slot) {
    if (changeCount + 2 > changes.length) {
      changes = Arrays.copyOf(changes, 2 * changes.length);
    }
    changes[changeCount++] = node;
    changes[changeCount++] = slot;
    apply(node, slot);
  }

  private void apply(int node, int slot) {
    values.before(node);
    if (slot >= 0) {
      place(node, slot);
      profile.occupy(slot);
    } else {
      displace(node, ~slot);
      profile.vacate(~slot);
    }
    values.after(node, slot);
  }

  private void place(int node, int slot) {
    int count = runs[node]++;
    if (count == slotsOf[node].length) {
      slotsOf[node] = Arrays.copyOf(slotsOf[node], 2 * count);
    }
    int[] at = slotsOf[node];
    int k = count;
    for (; k > 0 && at[k - 1] > slot; k--) {
      at[k] = at[k - 1];
    }
    at[k] = slot;
    first[node] = at[0];
    last[node] = at[count];
    nodeAt[slot] = node;
    cost += problem.cost(node);
    length++;
    recomputed.put(node, runs[node] > 1);
  }

  private void displace(int node, int slot) {
    int[] at = slotsOf[node];
    int count = --runs[node];
    int k = 0;
    while (at[k] != slot) {
      k++;
    }
    System.arraycopy(at, k + 1, at, k, count - k);
    first[node] = at[0];
    last[node] = count == 0 ? -1 : at[count - 1];
    nodeAt[slot] = FREE;
    cost -= problem.cost(node);
    length--;
    recomputed.put(node, count > 1);
  }

  /** How many changes there are so far, to go back to. */
  int mark() {
    return changeCount;
  }

  /** Takes back all changes since then. */
  void undoTo(int mark) {
    while (changeCount > mark) {
      changeCount -= 2;
      apply(changes[changeCount], ~changes[changeCount + 1]);
    }
  }

  /** Keeps all changes. */
  void accept() {
    changeCount = 0;
  }

  Word word() {
    int[] steps = new int[length];
    int step = 0;
    for (int node : nodeAt) {
      if (node != FREE) {
        steps[step++] = node;
      }
    }
    return Word.of(steps);
  }
}
