package dev.cairn.runtime.cli.option;

import picocli.CommandLine.Option;

/** Where a model runs, and why there. */
public final class DeviceOption {
  @Option(names = "--device", paramLabel = "cpu|cuda:0", defaultValue = "auto",
    description = "Where to run: cpu, cuda:N, or auto for a GPU where one can be used. Default: ${DEFAULT-VALUE}.")
  private String device = "auto";

  @Option(names = "--require-gpu", description = "Fail rather than run on the processor.")
  private boolean requireGpu;

  /** Whether something was asked for that only a GPU gives. */
  public boolean needsGpu() {
    return requireGpu || device.startsWith("cuda");
  }

  /** Whether the word given is one of those understood. */
  public boolean isKnown() {
    return device.equals("auto") || device.equals("cpu") || device.matches("cuda(:\\d+)?");
  }

  public String given() {
    return device;
  }

  /** Why the processor was chosen, for the summary. */
  public String reason() {
    return device.equals("cpu") ? "as asked for" : "this version of Cairn has no GPU path yet";
  }
}
