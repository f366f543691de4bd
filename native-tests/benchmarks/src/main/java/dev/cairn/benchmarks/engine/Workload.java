package dev.cairn.benchmarks.engine;

import dev.cairn.benchmarks.harness.Goal;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The work of engines in a benchmark: pushes of work that does nothing, made anew for each push unless it says
 * otherwise. Goals as they were stated: nanoseconds an operation, and Cairn's time over MXNet's.
 */
enum Workload {
  WRITE("write", "one write, 1,000 variables in turn", OptionalDouble.of(140), OptionalDouble.of(0.2)),
  CHAIN("chain", "one write, always the same variable", OptionalDouble.empty(), OptionalDouble.empty()),
  READS_AND_WRITE("2r1w", "two reads and one write, of 100 variables", OptionalDouble.of(350), OptionalDouble.of(0.35)),
  /** Cairn only: MXNet's C interface cannot keep an operator. */
  REUSED("reused", "the same, operations made before", OptionalDouble.of(250), OptionalDouble.empty()),
  BULK("bulk15", "one write, 1,000 variables in turn, put together by 15", OptionalDouble.of(40),
    OptionalDouble.empty());

  static final int VARIABLES = 1000;
  static final int FEW_VARIABLES = 100;
  static final int BULK_SIZE = 15;

  private final String key;
  private final String words;
  private final OptionalDouble mostNanos;
  private final OptionalDouble mostRatio;

  Workload(String key, String words, OptionalDouble mostNanos, OptionalDouble mostRatio) {
    this.key = key;
    this.words = words;
    this.mostNanos = mostNanos;
    this.mostRatio = mostRatio;
  }

  String key() {
    return key;
  }

  String words() {
    return words;
  }

  Optional<Goal> nanosGoal() {
    return goal(mostNanos);
  }

  Optional<Goal> ratioGoal() {
    return goal(mostRatio);
  }

  private static Optional<Goal> goal(OptionalDouble most) {
    return most.isEmpty() ? Optional.empty() : Optional.of(Goal.atMost(most.getAsDouble()));
  }
}
