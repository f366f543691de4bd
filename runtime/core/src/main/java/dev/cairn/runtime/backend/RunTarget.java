package dev.cairn.runtime.backend;

import dev.cairn.kernels.device.Device;
import dev.cairn.kernels.device.DeviceId;
import dev.cairn.runtime.executor.replay.RunRecorder;

/**
 * What an executor needs of a backend.
 *
 * @param device on whose streams the steps run
 * @param transfers between the host's memory and the kernels'
 * @param recorder repeats whole runs, where the device can
 */
public record RunTarget(Device device, Transfers transfers, RunRecorder recorder) {
  /** A device whose kernels read and write the host's memory. */
  public static RunTarget host(Device device) {
    return new RunTarget(device, HostTransfers.INSTANCE, RunRecorder.NONE);
  }

  /** Whether the kernels read and write the host's memory. */
  public boolean isHost() {
    return device.id().kind() == DeviceId.Kind.CPU;
  }

  /** The same without recordings: each step of each run is launched. */
  public RunTarget withoutReplay() {
    return new RunTarget(device, transfers, RunRecorder.NONE);
  }
}
