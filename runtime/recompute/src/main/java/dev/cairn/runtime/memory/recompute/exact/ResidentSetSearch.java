package dev.cairn.runtime.memory.recompute.exact;

import dev.cairn.runtime.memory.order.OrderProblem;
import dev.cairn.runtime.memory.recompute.RecomputeAnswer;
import dev.cairn.runtime.memory.recompute.RecomputeProblem;
import dev.cairn.runtime.memory.recompute.Word;
import dev.cairn.runtime.memory.recompute.WordJudge;
import java.util.Arrays;
import java.util.Optional;

/**
 * Finds the cheapest word within a budget: Dijkstra's algorithm over sets of resident values.
 *
 * <p>A step runs a node whose operands are resident, when the set with its results and workspace keeps to the budget;
 * any value may be dropped at no cost. The end is reached when the kept values are resident and every node has run. For
 * problems of about 22 values; the number of states doubles with each.
 */
public final class ResidentSetSearch {
  private static final int MOST_BITS = 31;
  private static final int MOST_STATES = 8_000_000;
  private static final int DROP = -1;

  private final RecomputeProblem problem;
  private final OrderProblem order;
  private final long budget;
  private final StateTable states;
  /** For each node: the bit that remembers that it has run; 0 for a node whose readers decide. */
  private final long[] doneBit;
  private final long[] operands;
  private final long[] results;
  private final long[] bytesAlone;
  private long kept;
  private long allDone;

  private ResidentSetSearch(RecomputeProblem problem, long budget, int mostStates) {
    this.problem = problem;
    this.order = problem.order();
    this.budget = budget;
    this.states = new StateTable(mostStates);
    doneBit = new long[problem.nodes()];
    operands = new long[problem.nodes()];
    results = new long[problem.nodes()];
    bytesAlone = new long[problem.nodes()];
  }

  /**
   * The result.
   *
   * @param word the cheapest word within the budget; empty when there is none, or the states did not suffice
   * @param isProved whether the states sufficed
   */
  public record Found(Optional<Word> word, boolean isProved) {}

  /**
   * The cheapest word whose peak is within the budget.
   *
   * @param mostStates how many sets of values may be looked at
   * @throws TooLargeForExact when the problem has too many values, or too many nodes to remember whether they have run
   */
  public static Found search(RecomputeProblem problem, long budget, int mostStates) {
    var search = new ResidentSetSearch(problem, budget, mostStates);
    search.number();
    Optional<Word> word = search.search();
    return new Found(word, word.isPresent() || !search.states.isFull());
  }

  /**
   * The cheapest word within a budget, which is proved; the given order where the search proves that there is none.
   *
   * @throws TooLargeForExact when the problem has too many values, or the search needs too many states
   */
  public static RecomputeAnswer answer(RecomputeProblem problem, long budget) {
    Found found = search(problem, budget, MOST_STATES);
    if (!found.isProved) {
      throw new TooLargeForExact(problem.order().values(), MOST_BITS, MOST_STATES);
    }
    Word word = found.word.orElseGet(problem::givenOrder);
    long cost = WordJudge.cost(problem, word);
    return new RecomputeAnswer(word, cost, problem.costOnce(), found.word.isPresent() ? cost : Long.MAX_VALUE, WordJudge
      .peak(problem, word), budget, problem.floor());
  }

  private void number() {
    int tracked = 0;
    boolean[] edgeEnd = new boolean[problem.nodes()];
    for (int node = 0; node < problem.nodes(); node++) {
      for (int later : order.edges(node)) {
        edgeEnd[node] = true;
        edgeEnd[later] = true;
      }
    }
    for (int node = 0; node < problem.nodes(); node++) {
      boolean told = false;
      for (int value : order.made(node)) {
        boolean stays = order.isKept(value) || order.readers(value).length > 0;
        told |= stays;
        results[node] |= stays ? 1L << value : 0;
        kept |= order.isKept(value) ? 1L << value : 0;
        bytesAlone[node] += stays ? 0 : order.bytes(value);
      }
      bytesAlone[node] += order.workspace(node);
      for (int value : order.read(node)) {
        operands[node] |= 1L << value;
      }
      if (!told || problem.runsOnce(node) || edgeEnd[node]) {
        doneBit[node] = 1L << (32 + tracked++);
        allDone |= doneBit[node];
      }
    }
    if (order.values() > MOST_BITS || tracked > MOST_BITS) {
      throw new TooLargeForExact(Math.max(order.values(), tracked), MOST_BITS, states.most());
    }
  }

  private Optional<Word> search() {
    states.reach(0, 0, -1, DROP);
    for (int at = states.next(); at >= 0 && !states.isFull(); at = states.next()) {
      long set = states.key(at);
      if ((set & allDone) == allDone && (set & kept) == kept) {
        return Optional.of(word(at));
      }
      for (long left = set & 0xffffffffL; left != 0; left &= left - 1) {
        states.reach(set & ~Long.lowestOneBit(left), states.distance(at), at, DROP);
      }
      for (int node = 0; node < problem.nodes(); node++) {
        if (mayRun(node, set)) {
          run(node, set, at);
        }
      }
    }
    return Optional.empty();
  }

  private boolean mayRun(int node, long set) {
    long news = (results[node] & ~set) | (doneBit[node] & ~set);
    if ((operands[node] & ~set) != 0 || news == 0 || (problem.runsOnce(node) && (set & doneBit[node]) != 0)) {
      return false;
    }
    for (int later : order.edges(node)) {
      if ((set & doneBit[later]) != 0) {
        return false;
      }
    }
    for (int needed : order.before(node)) {
      if ((doneBit[needed] & ~set) != 0 && Arrays.binarySearch(order.edges(needed), node) >= 0) {
        return false;
      }
    }
    return true;
  }

  /** Runs a node, once for each choice of operands that die in place. */
  private void run(int node, long set, int at) {
    long after = set | results[node] | doneBit[node];
    long bytes = bytesOf(after) + bytesAlone[node];
    long cost = states.distance(at) + problem.cost(node);
    int[] pairs = order.inPlace(node);
    long overwritable = 0;
    for (int i = 0; i < pairs.length; i += 2) {
      overwritable |= 1L << pairs[i];
    }
    long dying = 0;
    do {
      if (bytes - savedInPlace(pairs, dying) <= budget) {
        states.reach(after & ~dying, cost, at, node);
      }
      dying = dying - overwritable & overwritable;
    } while (dying != 0);
  }

  private long savedInPlace(int[] pairs, long dying) {
    long taken = 0;
    long saved = 0;
    for (int i = 0; i < pairs.length; i += 2) {
      long pair = 1L << pairs[i] | 1L << pairs[i + 1];
      if ((dying >>> pairs[i] & 1) != 0 && (taken & pair) == 0) {
        taken |= pair;
        saved += order.bytes(pairs[i]);
      }
    }
    return saved;
  }

  private long bytesOf(long set) {
    long bytes = 0;
    for (long left = set & 0xffffffffL; left != 0; left &= left - 1) {
      bytes += order.bytes(Long.numberOfTrailingZeros(left));
    }
    return bytes;
  }

  private Word word(int end) {
    int length = 0;
    for (int at = end; at >= 0; at = states.parent(at)) {
      length += states.move(at) == DROP ? 0 : 1;
    }
    int[] steps = new int[length];
    for (int at = end; at >= 0; at = states.parent(at)) {
      if (states.move(at) != DROP) {
        steps[--length] = states.move(at);
      }
    }
    return Word.of(steps);
  }
}
