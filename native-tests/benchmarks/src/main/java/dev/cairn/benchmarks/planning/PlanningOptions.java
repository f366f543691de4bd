package dev.cairn.benchmarks.planning;

import dev.cairn.benchmarks.harness.Arguments;
import java.util.List;

/**
 * What is measured.
 *
 * @param quick whether only to see that all works: the figures are not worth keeping
 * @param write whether the page of figures is written
 * @param tables names of the tables to make; all when empty
 */
record PlanningOptions(boolean quick, boolean write, List<String> tables) {
  static final String USAGE = "[--quick] [--write] [--tables NAME,...]";

  PlanningOptions {
    tables = List.copyOf(tables);
    if (write && (quick || !tables.isEmpty())) {
      throw new IllegalArgumentException(
        "only figures of a whole run are kept: --write goes without --quick and --tables");
    }
  }

  static PlanningOptions parse(List<String> given) {
    boolean quick = false;
    boolean write = false;
    List<String> tables = List.of();
    var arguments = new Arguments(given);
    while (arguments.hasNext()) {
      String option = arguments.next();
      switch (option) {
        case "--quick" -> quick = true;
        case "--write" -> write = true;
        case "--tables" -> tables = arguments.list();
        default -> throw new IllegalArgumentException("no such option: option=" + option);
      }
    }
    return new PlanningOptions(quick, write, tables);
  }

  boolean wants(PlanningTable table) {
    return tables.isEmpty() || tables.contains(table.name());
  }

  PlanningEffort effort() {
    return quick ? PlanningEffort.QUICK : PlanningEffort.FULL;
  }
}
