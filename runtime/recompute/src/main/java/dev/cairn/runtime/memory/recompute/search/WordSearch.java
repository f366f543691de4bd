package dev.cairn.runtime.memory.recompute.search;

import dev.cairn.runtime.memory.recompute.RecomputeProblem;
import dev.cairn.runtime.memory.recompute.Word;
import java.util.SplittableRandom;

/**
 * Makes a word cheaper, or makes it fit: simulated annealing over words (Kirkpatrick and others 1983). The measure is
 * the cost and, with a weight that adapts itself, the bytes over the budget.
 */
final class WordSearch implements Comparable<WordSearch> {
  private static final int PERIOD = 256;
  private static final int SPREAD_PERIOD = 8 * PERIOD;
  private static final double COLDEST = 0.002;

  private final SlottedWord word;
  private final Moves moves;
  private final SplittableRandom random;
  private final double averageCost;
  private final long bound;
  private Word best;
  private long bestCost;
  private long bestOver;
  private double weight;
  private double temperature;

  /** @param bound a cost that no word goes below: the search stops there */
  WordSearch(RecomputeProblem problem, long budget, Word start, long bound, long seed) {
    this.bound = bound;
    random = new SplittableRandom(seed);
    word = new SlottedWord(problem, budget, start);
    moves = new Moves(problem, word, random);
    averageCost = Math.max(1, (double) problem.costOnce() / Math.max(1, problem.nodes()));
    weight = 100 * averageCost / Math.max(1, budget);
    best = start;
    bestCost = word.cost();
    bestOver = word.over();
  }

  /**
   * Searches from the best word so far.
   *
   * @param work how many numbers of the profile may be gone through, about
   * @param warmest the first temperature, in average costs of a node
   */
  void anneal(long work, double warmest) {
    word.become(best);
    long start = word.touched();
    int fitting = 0;
    for (int i = 0; !isDone(); i++) {
      if (i % PERIOD == 0) {
        double spent = (double) (word.touched() - start) / work;
        if (spent >= 1) {
          return;
        }
        temperature = averageCost * warmest * Math.pow(COLDEST / warmest, spent);
        weight *= fitting < PERIOD / 4 ? 1.15 : fitting > PERIOD / 2 ? 1 / 1.15 : 1;
        fitting = 0;
      }
      if (i % SPREAD_PERIOD == SPREAD_PERIOD - 1) {
        word.become(word.word());
      }
      step();
      fitting += word.over() == 0 ? 1 : 0;
    }
  }

  /** Whether the best word fits and costs no more than any must. */
  boolean isDone() {
    return bestOver == 0 && bestCost <= bound;
  }

  Word best() {
    return best;
  }

  /** The one whose best word is nearer to the budget comes first, then the one whose word is cheaper. */
  @Override
  public int compareTo(WordSearch other) {
    int byBytes = Long.compare(bestOver, other.bestOver);
    return byBytes == 0 ? Long.compare(bestCost, other.bestCost) : byBytes;
  }

  private void step() {
    int mark = word.mark();
    double before = energy();
    if (!change() || !isAccepted(energy() - before)) {
      word.undoTo(mark);
      return;
    }
    word.accept();
    keepBest();
  }

  private boolean change() {
    int kind = random.nextInt(100);
    if (kind < 30 || (word.over() > 0 && kind < 40)) {
      return moves.drop(moves.someSlot());
    } else if (kind < 55) {
      return moves.removeRecomputation();
    } else if (kind < 75) {
      return moves.exchange();
    }
    return moves.moveStep();
  }

  private boolean isAccepted(double change) {
    return change <= 0 || random.nextDouble() < Math.exp(-change / temperature);
  }

  private double energy() {
    return word.cost() + weight * word.over();
  }

  private void keepBest() {
    if (word.over() < bestOver || (word.over() == bestOver && word.cost() < bestCost)) {
      best = word.word();
      bestOver = word.over();
      bestCost = word.cost();
    }
  }
}
