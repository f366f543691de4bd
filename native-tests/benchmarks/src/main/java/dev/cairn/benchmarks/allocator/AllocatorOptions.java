package dev.cairn.benchmarks.allocator;

import dev.cairn.benchmarks.harness.Arguments;
import java.util.List;

/**
 * Which cases are measured, and how long.
 *
 * @param quick whether only to see that all works: the figures are not worth keeping
 * @param write whether the page of figures is written
 * @param tables names of the tables to make; all when empty
 * @param effort how much of each
 */
record AllocatorOptions(boolean quick, boolean write, List<String> tables, Effort effort) {
  static final String USAGE = "[--quick] [--write] [--rounds N] [--tables NAME,...]";

  AllocatorOptions {
    tables = List.copyOf(tables);
    if (write && (quick || !tables.isEmpty())) {
      throw new IllegalArgumentException(
        "only figures of a whole run are kept: --write goes without --quick and --tables");
    }
  }

  static AllocatorOptions parse(List<String> given) {
    boolean quick = given.contains("--quick");
    boolean write = false;
    List<String> tables = List.of();
    Effort effort = quick ? Effort.QUICK : Effort.FULL;
    var arguments = new Arguments(given);
    while (arguments.hasNext()) {
      String option = arguments.next();
      switch (option) {
        case "--quick" -> {}
        case "--write" -> write = true;
        case "--tables" -> tables = arguments.list();
        case "--rounds" -> effort = effort.withRounds(arguments.number());
        default -> throw new IllegalArgumentException("no such option: option=" + option);
      }
    }
    return new AllocatorOptions(quick, write, tables, effort);
  }

  boolean wants(FigureTable table) {
    return tables.isEmpty() || tables.contains(table.name());
  }
}
