package dev.cairn.benchmarks.models;

import dev.cairn.benchmarks.harness.Arguments;
import java.util.List;

/**
 * Which cases are measured, and how long.
 *
 * @param quick whether only to see that all works: the figures are not worth keeping
 * @param write whether the page of figures is written
 * @param threads numbers of threads to compare at
 * @param models names of the models to measure; all when empty
 * @param rounds how often the engines take turns
 * @param parts whether to measure two runs at a time, and Cairn with single parts switched off
 * @param classes whether to measure a small model of each class instead
 */
record ModelsOptions(boolean quick, boolean write, List<Integer> threads, List<String> models, int rounds,
  boolean parts, boolean classes) {
  static final String USAGE = "[--quick] [--write] [--threads 2,1] [--models NAME,...] [--rounds N] [--parts]"
    + " [--classes]";
  /** Options that models written for a benchmark understand. */
  static final String OF_WRITTEN = "[--quick] [--write] [--threads 2] [--models NAME,...] [--rounds N]";

  ModelsOptions {
    threads = List.copyOf(threads);
    models = List.copyOf(models);
    if (rounds < 1 || threads.isEmpty() || threads.stream().anyMatch(it -> it < 1)) {
      throw new IllegalArgumentException("at least 1: rounds=%d threads=%s".formatted(rounds, threads));
    }
    if (threads.stream().distinct().count() != threads.size()) {
      throw new IllegalArgumentException("a number of threads twice: threads=" + threads);
    }
    if (write && (quick || !models.isEmpty())) {
      throw new IllegalArgumentException(
        "only figures of a whole run are kept: --write goes without --quick and --models");
    }
  }

  /** @param processors of this machine: two threads are the default where there are two */
  static ModelsOptions parse(List<String> arguments, int processors) {
    boolean quick = arguments.contains("--quick");
    boolean write = false;
    List<Integer> threads = processors == 1 ? List.of(1) : quick ? List.of(2) : List.of(2, 1);
    List<String> models = List.of();
    int rounds = quick ? 1 : 5;
    boolean parts = quick;
    boolean classes = false;
    var rest = new Arguments(arguments);
    while (rest.hasNext()) {
      String option = rest.next();
      switch (option) {
        case "--quick" -> {}
        case "--write" -> write = true;
        case "--threads" -> threads = rest.numbers();
        case "--models" -> models = rest.list();
        case "--parts" -> parts = true;
        case "--classes" -> classes = true;
        case "--rounds" -> rounds = rest.number();
        default -> throw new IllegalArgumentException("no such option: option=" + option);
      }
    }
    return new ModelsOptions(quick, write, threads, models, rounds, parts, classes);
  }

  boolean wants(Subject subject) {
    return models.isEmpty() || models.contains(subject.name());
  }

  /** For how long each process times its runs. */
  double seconds() {
    return quick ? 0.3 : 1;
  }

  /**
   * For how long each process runs before that: long enough for the JVM's compiler to be done with the kernels. Runs of
   * small models also need the engine around the kernels compiled, which takes longer.
   */
  double warmupSeconds() {
    return quick ? 0.5 : classes ? 10 : 3;
  }

  /** How often each plan is made. */
  int planRepeats() {
    return quick ? 5 : 51;
  }
}
