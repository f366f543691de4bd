package dev.cairn.benchmarks.harness;

import java.io.IOException;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;

/**
 * How the figures of a page came to be.
 *
 * @param machine that they are of
 * @param date in UTC
 * @param command as a user would type it
 */
public record Origin(Machine machine, LocalDate date, String command) {

  /**
   * This machine, today.
   *
   * @param benchmark its name
   * @param arguments as given to it
   */
  public static Origin here(String benchmark, List<String> arguments) throws IOException {
    return new Origin(Machine.here(), LocalDate.now(ZoneOffset.UTC),
      ("native-tests/benchmarks/run.sh " + benchmark + " " + String.join(" ", arguments)).strip());
  }

  /** The first lines of a page's list, without a line's end after the last. */
  @Override
  public String toString() {
    return "- Command: `%s`%n- Date: %s (UTC)%n- Machine: %s".formatted(command, date, machine);
  }
}
