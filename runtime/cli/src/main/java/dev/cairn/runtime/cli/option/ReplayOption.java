package dev.cairn.runtime.cli.option;

import dev.cairn.runtime.backend.DeviceOptions;
import picocli.CommandLine.Option;

/** How a GPU is given the steps of a run. */
@HelpSection.In(HelpSection.DEVICE)
public final class ReplayOption {
  @Option(names = "--no-replay",
    description = "Launch each step of each run, instead of replaying whole runs as CUDA graphs.")
  private boolean noReplay;

  /** The same device, which runs its steps in this way. */
  public DeviceOptions on(DeviceOptions device) {
    return device.withReplay(!noReplay);
  }
}
