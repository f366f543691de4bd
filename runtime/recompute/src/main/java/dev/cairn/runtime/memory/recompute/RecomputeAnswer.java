package dev.cairn.runtime.memory.recompute;

/**
 * The cheapest word found for a budget, and what is proved about it.
 *
 * @param word the steps to run
 * @param cost what its steps cost together
 * @param costOnce what it costs to run each node once
 * @param bound no word within the budget costs less
 * @param peakBytes the most bytes that it holds
 * @param budgetBytes the bytes that were allowed
 * @param floor the node that needs most by itself; no word needs less
 */
public record RecomputeAnswer(Word word, long cost, long costOnce, long bound, long peakBytes, long budgetBytes,
  RecomputeProblem.Floor floor) {
  /** An answer without a proof that its word is the cheapest: the bound is the cost of each node once. */
  public static RecomputeAnswer of(RecomputeProblem problem, Word word, long peakBytes, long budgetBytes) {
    return new RecomputeAnswer(word, WordJudge.cost(problem, word), problem.costOnce(), problem.costOnce(), peakBytes,
      budgetBytes, problem.floor());
  }

  /** Whether the word keeps to the budget. When it does not, it is the one of least peak among those found. */
  public boolean fits() {
    return peakBytes <= budgetBytes;
  }

  /** Whether no word within the budget is cheaper, which is proved. */
  public boolean isOptimal() {
    return fits() && cost == bound;
  }

  /** The same word as an answer for a larger budget. */
  public RecomputeAnswer within(long budget, long boundThere) {
    return new RecomputeAnswer(word, cost, costOnce, boundThere, peakBytes, budget, floor);
  }

  /** The cost that recomputations add, divided by the cost of running each node once. */
  public double overhead() {
    return overhead(cost);
  }

  /** The least that recomputations add, as a part of the cost of running each node once. */
  public double overheadBound() {
    return overhead(bound);
  }

  /** How many steps run a node again. */
  public int recomputations() {
    boolean[] seen = new boolean[word.length()];
    int recomputations = 0;
    for (int step = 0; step < word.length(); step++) {
      recomputations += seen[word.node(step)] ? 1 : 0;
      seen[word.node(step)] = true;
    }
    return recomputations;
  }

  private double overhead(long cost) {
    return costOnce == 0 ? 0 : (double) (cost - costOnce) / costOnce;
  }
}
