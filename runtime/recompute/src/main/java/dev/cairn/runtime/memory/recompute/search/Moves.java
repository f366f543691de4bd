package dev.cairn.runtime.memory.recompute.search;

import dev.cairn.runtime.memory.order.OrderProblem;
import dev.cairn.runtime.memory.recompute.RecomputeProblem;
import java.util.PriorityQueue;
import java.util.SplittableRandom;

/**
 * The changes that a search makes to a word: to run a node again before a read, so that its value needn't be held until
 * then; to take such runs away; to move steps. Each leaves a legal word; a result of false means that it gave up
 * halfway, and its changes are to be taken back.
 */
final class Moves {
  private static final int TRIES = 24;
  private static final int MOST_RIVALS = 4;
  private static final int LONGEST_CLOSURE = 256;
  private static final int FARTHEST = 80;

  private final RecomputeProblem problem;
  private final OrderProblem order;
  private final SlottedWord word;
  private final SplittableRandom random;
  private final PriorityQueue<Integer> waiting = new PriorityQueue<>((a, b) -> Integer.compare(b, a));

  Moves(RecomputeProblem problem, SlottedWord word, SplittableRandom random) {
    this.problem = problem;
    this.order = problem.order();
    this.word = word;
    this.random = random;
  }

  /** A slot over the budget; any slot with a step when there is none. */
  int someSlot() {
    int slot = random.nextInt(word.slots());
    int over = word.profile().overFrom(slot);
    return over >= 0 ? over : stepFrom(slot);
  }

  private int stepFrom(int slot) {
    int at = slot;
    while (word.node(at) == SlottedWord.FREE) {
      at = at + 1 == word.slots() ? 0 : at + 1;
    }
    return at;
  }

  /**
   * Lets go of a value that lives at a slot and isn't used there: its node runs again before the next read. Of up to
   * four values, the one with the most bytes for the cost of its node.
   */
  boolean drop(int slot) {
    int rivals = 1 + random.nextInt(MOST_RIVALS);
    int best = -1;
    double most = -1;
    for (int i = 0, found = 0; i < TRIES * rivals && found < rivals; i++) {
      int value = random.nextInt(order.values());
      if (order.bytes(value) > 0 && spans(value, slot)) {
        double rate = (double) order.bytes(value) / (1 + problem.cost(order.producer(value)));
        best = rate > most ? value : best;
        most = Math.max(most, rate);
        found++;
      }
    }
    if (best < 0) {
      return false;
    }
    int read = word.values().nextRead(best, slot);
    return recomputed(order.producer(best), read == Integer.MAX_VALUE ? word.slots() : read, slot, 0.9);
  }

  /** Whether a version lives at the slot that the step there neither makes nor reads, of a node that may run again. */
  boolean spans(int value, int slot) {
    int node = order.producer(value);
    return !problem.runsOnce(node) && word.node(slot) != node && word.values().lives(value, slot) > slot
      && !reads(word.node(slot), value);
  }

  private boolean reads(int node, int value) {
    for (int read : order.read(node)) {
      if (read == value) {
        return true;
      }
    }
    return false;
  }

  /**
   * Runs a node again right before a slot, and before it the nodes whose values are dead there, if that seems cheaper
   * to hold than their values.
   *
   * @param slot where memory is short: a value that would have to live across it is computed again
   * @param depth how likely values that died after that slot are computed again
   */
  boolean recomputed(int node, int before, int slot, double depth) {
    waiting.clear();
    waiting.add(node);
    int at = before;
    for (int count = 0; !waiting.isEmpty(); count++) {
      int next = waiting.remove();
      at = word.freeBefore(at);
      if (count == LONGEST_CLOSURE || at < 0 || at <= slot) {
        return false;
      }
      for (int value : order.read(next)) {
        int operand = order.producer(value);
        int end = word.values().lives(value, at);
        boolean isDead = end < at && !problem.runsOnce(operand);
        if (isDead && (end < slot || random.nextDouble() < depth) && !waiting.contains(operand)
          && random.nextInt(16) != 0) {
          waiting.add(operand);
        }
      }
      if (!word.insert(next, at)) {
        return false;
      }
    }
    return true;
  }

  /** Takes away some run of some node that runs more than once. */
  boolean removeRecomputation() {
    if (word.recomputed().size() == 0) {
      return false;
    }
    int node = word.recomputed().get(random.nextInt(word.recomputed().size()));
    int k = random.nextInt(word.runs(node));
    return word.remove(node, word.slot(node, k)) && removeUnread(node);
  }

  /** Removes runs that no step reads any more, among the operands of a node and before. */
  boolean removeUnread(int node) {
    waiting.clear();
    addOperands(node);
    while (!waiting.isEmpty()) {
      int next = waiting.remove();
      for (int k = word.runs(next) - 1; k >= 0 && word.runs(next) > 1; k--) {
        if (word.values().isUnread(next, k) && word.remove(next, word.slot(next, k))) {
          addOperands(next);
        }
      }
    }
    return true;
  }

  private void addOperands(int node) {
    for (int value : order.read(node)) {
      int operand = order.producer(value);
      if (word.runs(operand) > 1 && !waiting.contains(operand)) {
        waiting.add(operand);
      }
    }
  }

  /** Moves some step to some place not far away. */
  boolean moveStep() {
    int from = word.recomputed().size() > 0 && random.nextInt(2) == 0
      ? someRecomputation()
      : stepFrom(random.nextInt(word.slots()));
    int distance = 1 + random.nextInt(1 + random.nextInt(FARTHEST));
    int target = random.nextBoolean() ? from + distance : from - distance;
    int to = word.freeBefore(Math.clamp(target, 1, word.slots()));
    return to >= 0 && word.move(word.node(from), from, to);
  }

  private int someRecomputation() {
    int node = word.recomputed().get(random.nextInt(word.recomputed().size()));
    return word.slot(node, random.nextInt(word.runs(node)));
  }

  /** Takes a recomputation away, and lets go of another value where memory is short then. */
  boolean exchange() {
    if (!removeRecomputation()) {
      return false;
    }
    for (int i = 0; i < 3 && word.over() > 0; i++) {
      if (!drop(word.profile().highest())) {
        return false;
      }
    }
    return true;
  }
}
