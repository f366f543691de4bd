package dev.cairn.benchmarks.engine;

import dev.cairn.benchmarks.harness.Arguments;
import java.nio.file.Path;
import java.util.List;

/**
 * Which cases are measured, and how long.
 *
 * @param quick whether only to see that all works: the figures are not worth keeping
 * @param write whether the page of figures is written
 * @param tables names of the tables to make; all when empty
 * @param library the jar with MXNet's library, whether it is there or not
 * @param effort how much of each
 */
record EngineRunOptions(boolean quick, boolean write, List<String> tables, Path library, EngineEffort effort) {
  static final String USAGE = "[--quick] [--write] [--rounds N] [--tables NAME,...] "
    + "[--library mxnet-native-mkl-1.9.1-linux-x86_64.jar]";
  /** The folder in which Maven puts the library when it fetches it. */
  private static final Path FETCHED = Path.of(System.getProperty("user.home"),
    ".m2/repository/ai/djl/mxnet/mxnet-native-mkl/1.9.1/mxnet-native-mkl-1.9.1-linux-x86_64.jar");

  EngineRunOptions {
    tables = List.copyOf(tables);
    if (write && (quick || !tables.isEmpty())) {
      throw new IllegalArgumentException(
        "only figures of a whole run are kept: --write goes without --quick and --tables");
    }
  }

  static EngineRunOptions parse(List<String> given) {
    boolean quick = given.contains("--quick");
    boolean write = false;
    List<String> tables = List.of();
    Path library = FETCHED;
    EngineEffort effort = quick ? EngineEffort.QUICK : EngineEffort.FULL;
    var arguments = new Arguments(given);
    while (arguments.hasNext()) {
      String option = arguments.next();
      switch (option) {
        case "--quick" -> {}
        case "--write" -> write = true;
        case "--tables" -> tables = arguments.list();
        case "--library" -> library = Path.of(arguments.value());
        case "--rounds" -> effort = effort.withRounds(arguments.number());
        default -> throw new IllegalArgumentException("no such option: option=" + option);
      }
    }
    return new EngineRunOptions(quick, write, tables, library, effort);
  }

  boolean wants(EngineTable table) {
    return tables.isEmpty() || tables.contains(table.name());
  }
}
