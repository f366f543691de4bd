package dev.cairn.benchmarks.harness;

import java.util.List;

/**
 * The parts of a page that are measured.
 *
 * @param quick whether only to see that all works: the figures are not worth keeping
 * @param write whether the page of figures is written
 * @param tables names of the tables to make; all when empty
 */
public record PageOptions(boolean quick, boolean write, List<String> tables) {
  public static final String USAGE = "[--quick] [--write]";
  public static final String USAGE_WITH_TABLES = USAGE + " [--tables NAME,...]";

  public PageOptions {
    tables = List.copyOf(tables);
    if (write && (quick || !tables.isEmpty())) {
      throw new IllegalArgumentException(
        "only figures of a whole run are kept: --write goes without --quick and --tables");
    }
  }

  /** @param known the names of all tables; empty for a page that is made as a whole */
  public static PageOptions parse(List<String> given, List<String> known) {
    boolean quick = false;
    boolean write = false;
    List<String> tables = List.of();
    var arguments = new Arguments(given);
    while (arguments.hasNext()) {
      String option = arguments.next();
      if (option.equals("--quick")) {
        quick = true;
      } else if (option.equals("--write")) {
        write = true;
      } else if (option.equals("--tables") && !known.isEmpty()) {
        tables = arguments.list();
      } else {
        throw new IllegalArgumentException("no such option: option=" + option);
      }
    }
    if (!known.containsAll(tables)) {
      throw new IllegalArgumentException("no such table: given=%s tables=%s".formatted(tables, known));
    }
    return new PageOptions(quick, write, tables);
  }

  public boolean wants(String table) {
    return tables.isEmpty() || tables.contains(table);
  }
}
