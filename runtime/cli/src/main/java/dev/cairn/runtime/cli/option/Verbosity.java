package dev.cairn.runtime.cli.option;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Option;

/** How much a command says on standard error. */
public final class Verbosity {
  /** Whether a command of this process has set the level. Until then it is that of the configuration: warnings. */
  private static volatile boolean isSet;

  @HelpSection.Common
  @Option(names = {"-v", "--verbose"}, description = "Print more; twice for everything. Also prints stack traces.")
  private boolean[] verbose = {};

  @HelpSection.Common
  @Option(names = {"-q", "--quiet"}, description = "Print only results and errors.")
  private boolean quiet;

  public boolean isVerbose() {
    return verbose.length > 0;
  }

  public boolean isQuiet() {
    return quiet;
  }

  /** Sets the level of the log, which goes to standard error. If the level is right, does not load the log. */
  public void apply() {
    if (!quiet && verbose.length == 0 && !isSet) {
      return;
    }
    isSet = true;
    Level level = quiet
      ? Level.ERROR
      : verbose.length == 0 ? Level.WARN : verbose.length == 1 ? Level.INFO : Level.DEBUG;
    if (LoggerFactory.getLogger("dev.cairn") instanceof Logger logger) {
      logger.setLevel(level);
    }
  }
}
