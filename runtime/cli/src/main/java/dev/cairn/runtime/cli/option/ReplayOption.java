package dev.cairn.runtime.cli.option;

import dev.cairn.runtime.backend.DeviceOptions;
import picocli.CommandLine.Option;

/** How a GPU is given the steps of a run. */
public final class ReplayOption {
  @Option(names = "--no-replay",
    description = "Give the GPU each step of each run, rather than have it repeat whole runs as graphs.")
  private boolean noReplay;

  /** The same device, given its steps so. */
  public DeviceOptions on(DeviceOptions device) {
    return device.withReplay(!noReplay);
  }
}
