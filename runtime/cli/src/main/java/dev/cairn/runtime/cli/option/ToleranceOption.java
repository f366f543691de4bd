package dev.cairn.runtime.cli.option;

import picocli.CommandLine.Option;

/** How far two values may be apart. */
@HelpSection.In(HelpSection.OUTPUT)
public final class ToleranceOption {
  @HelpSection.Common
  @Option(names = "--rtol", paramLabel = "X", defaultValue = "1e-3", converter = Bounded.Amount.class,
    description = "Relative tolerance. Default: ${DEFAULT-VALUE}.")
  private double rtol;

  @HelpSection.Common
  @Option(names = "--atol", paramLabel = "X", defaultValue = "1e-5", converter = Bounded.Amount.class,
    description = "Absolute tolerance. Default: ${DEFAULT-VALUE}.")
  private double atol;

  public double rtol() {
    return rtol;
  }

  public double atol() {
    return atol;
  }
}
