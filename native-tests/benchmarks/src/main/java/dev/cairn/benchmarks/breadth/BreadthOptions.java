package dev.cairn.benchmarks.breadth;

import dev.cairn.benchmarks.harness.Arguments;
import java.util.List;

/**
 * Which cases are measured, and how long.
 *
 * @param quick whether only to see that all works
 * @param write whether the page of figures is written
 * @param threads numbers of threads to compare at
 * @param operators names of the operators to measure; all when empty
 * @param sample how many cases are chosen; all when 0
 * @param seed of extents and numbers, and of the choice
 */
record BreadthOptions(boolean quick, boolean write, List<Integer> threads, List<String> operators, int sample,
  long seed) {
  static final String USAGE = "[--quick] [--write] [--threads 1,2] [--operators NAME,...] [--sample N] [--seed N]";

  BreadthOptions {
    threads = List.copyOf(threads);
    operators = List.copyOf(operators);
    if (threads.isEmpty() || threads.stream().anyMatch(it -> it < 1) || sample < 0) {
      throw new IllegalArgumentException("at least 1: threads=%s sample=%d".formatted(threads, sample));
    }
    if (write && (quick || sample > 0 || !operators.isEmpty())) {
      throw new IllegalArgumentException(
        "only figures of a whole run are kept: --write goes without --quick, --sample and --operators");
    }
  }

  /** @param processors of this machine: one thread and two are the default where there are two */
  static BreadthOptions parse(List<String> given, int processors) {
    boolean quick = false;
    boolean write = false;
    List<Integer> threads = processors == 1 ? List.of(1) : List.of(1, 2);
    List<String> operators = List.of();
    int sample = 0;
    int seed = 1;
    var arguments = new Arguments(given);
    while (arguments.hasNext()) {
      String option = arguments.next();
      switch (option) {
        case "--quick" -> quick = true;
        case "--write" -> write = true;
        case "--threads" -> threads = arguments.numbers();
        case "--operators" -> operators = arguments.list();
        case "--sample" -> sample = arguments.number();
        case "--seed" -> seed = arguments.number();
        default -> throw new IllegalArgumentException("no such option: option=" + option);
      }
    }
    return new BreadthOptions(quick, write, threads, operators, sample, seed);
  }

  BreadthTurns.Effort effort() {
    return quick ? BreadthTurns.Effort.QUICK : BreadthTurns.Effort.WHOLE;
  }
}
