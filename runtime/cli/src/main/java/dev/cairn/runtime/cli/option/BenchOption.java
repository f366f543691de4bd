package dev.cairn.runtime.cli.option;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How many runs at a time are timed, what they are compared with, and where the times go. */
@HelpSection.In(HelpSection.TIMING)
public final class BenchOption {
  @HelpSection.Common
  @Option(names = "--concurrency", paramLabel = "N", defaultValue = "1", converter = Bounded.Threads.class,
    description = "Concurrent runs, one thread each, 1 to 1024. Default: ${DEFAULT-VALUE}.")
  private int concurrency;

  @FileUse(FileUse.Kind.WRITTEN)
  @Option(names = "--export-times", paramLabel = "FILE.csv",
    description = "Write each run's thread, start and time in nanoseconds.")
  private @Nullable Path times;

  @HelpSection.Common
  @FileUse(value = FileUse.Kind.WRITTEN, mayReplace = "--baseline")
  @Option(names = "--save", paramLabel = "FILE.json", description = "Save the results as a baseline.")
  private @Nullable Path save;

  @HelpSection.Common
  @FileUse(FileUse.Kind.READ)
  @Option(names = "--baseline", paramLabel = "FILE.json",
    description = "Compare the median with a saved baseline; exit 6 if it is slower than the tolerance allows.")
  private @Nullable Path baseline;

  @Option(names = "--tolerance", paramLabel = "PERCENT", defaultValue = "10", converter = Bounded.Amount.class,
    description = "By how much the median may exceed the baseline's. Default: ${DEFAULT-VALUE}.")
  private double tolerancePercent;

  /** At least 1. */
  public int concurrency() {
    return concurrency;
  }

  public @Nullable Path times() {
    return times;
  }

  public @Nullable Path save() {
    return save;
  }

  public @Nullable Path baseline() {
    return baseline;
  }

  public double tolerancePercent() {
    return tolerancePercent;
  }
}
