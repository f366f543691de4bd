package dev.cairn.runtime.cli.option;

import java.util.List;
import picocli.CommandLine.Option;

/** How often a model is run, and which figures of the times are printed. */
@HelpSection.In(HelpSection.TIMING)
public final class RepeatOption {
  @Option(names = "--warmup", paramLabel = "N", defaultValue = "10", converter = Bounded.Count.class,
    description = "Warm-up runs before timing. Default: ${DEFAULT-VALUE}.")
  private int warmup;

  @HelpSection.Common
  @Option(names = "--iterations", paramLabel = "N", defaultValue = "20", converter = Bounded.Positive.class,
    description = "Timed runs, at least 1. Default: ${DEFAULT-VALUE}.")
  private int iterations;

  @HelpSection.Common
  @Option(names = "--duration", paramLabel = "SECONDS", defaultValue = "0", converter = Bounded.Amount.class,
    description = "Time runs for this long.")
  private double durationSeconds;

  @Option(names = "--percentile", paramLabel = "50,90,99", split = ",", defaultValue = "50,90,99",
    converter = Bounded.Percent.class,
    description = "Percentiles to print. Default: ${DEFAULT-VALUE}.")
  private List<Double> percentiles = List.of();

  /** At least 0. */
  public int warmup() {
    return warmup;
  }

  /** At least 1. */
  public int iterations() {
    return iterations;
  }

  public long durationNanos() {
    return (long) (durationSeconds * 1e9);
  }

  /** Each from 0 to 100. */
  public List<Double> percentiles() {
    return List.copyOf(percentiles);
  }
}
