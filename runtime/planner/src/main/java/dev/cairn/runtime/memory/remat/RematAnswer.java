package dev.cairn.runtime.memory.remat;

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
public record RematAnswer(Word word, long cost, long costOnce, long bound, long peakBytes, long budgetBytes,
  RematProblem.Floor floor) {
  /** Whether the word keeps to the budget. When it does not, it is the one of least peak among those found. */
  public boolean fits() {
    return peakBytes <= budgetBytes;
  }

  /** Whether no word within the budget is cheaper, which is proved. */
  public boolean isOptimal() {
    return fits() && cost == bound;
  }

  /** What reruns add, as a part of the cost of running each node once. */
  public double overhead() {
    return overhead(cost);
  }

  /** The least that reruns add, as a part of the cost of running each node once. */
  public double overheadBound() {
    return overhead(bound);
  }

  private double overhead(long cost) {
    return costOnce == 0 ? 0 : (double) (cost - costOnce) / costOnce;
  }
}
