package dev.cairn.benchmarks.breadth;

/**
 * A case that was measured.
 *
 * @param threads that an operator may use
 */
record BreadthFigure(BreadthCase of, int threads, BreadthTurns turns) {
  double ratio() {
    return turns.ratio();
  }
}
