package dev.cairn.runtime.cli.option;

import java.util.List;
import picocli.CommandLine.Option;

/** How often a model is run, and what is told of the times. */
public final class RepeatOption {
  @Option(names = "--warmup", paramLabel = "N", defaultValue = "3", description = "Runs that are not timed. Default: ${DEFAULT-VALUE}.")
  private int warmup;

  @Option(names = "--iterations", paramLabel = "N", defaultValue = "10", description = "Runs that are timed, at least 1. Default: ${DEFAULT-VALUE}.")
  private int iterations;

  @Option(names = "--duration", paramLabel = "SECONDS", defaultValue = "0", description = "Go on timing runs for so long.")
  private double durationSeconds;

  @Option(names = "--percentile", paramLabel = "50,90,99", split = ",", defaultValue = "50,90,99", description = "Which percentiles of the times are told. Default: ${DEFAULT-VALUE}.")
  private List<Double> percentiles = List.of();

  /** At least 0. */
  public int warmup() {
    return Math.max(0, warmup);
  }

  /** At least 1. */
  public int iterations() {
    return Math.max(1, iterations);
  }

  public long durationNanos() {
    return (long) (Math.max(0, durationSeconds) * 1e9);
  }

  public List<Double> percentiles() {
    return List.copyOf(percentiles);
  }
}
