package dev.cairn.runtime.backend;

import dev.cairn.kernels.device.Device;
import dev.cairn.kernels.device.DeviceId;
import dev.cairn.runtime.executor.replay.RunRecorder;

/**
 * The parts of a backend that an executor needs.
 *
 * @param device its streams run the steps
 * @param transfers copies between host memory and the kernels' memory
 * @param recorder repeats whole runs, if the device can
 */
public record RunTarget(Device device, Transfers transfers, RunRecorder recorder) {
  /** A device whose kernels read and write host memory. */
  public static RunTarget host(Device device) {
    return new RunTarget(device, HostTransfers.INSTANCE, RunRecorder.NONE);
  }

  /** Whether kernels read and write host memory. */
  public boolean isHost() {
    return device.id().kind() == DeviceId.Kind.CPU;
  }

  /** The same target without recording: each run launches each step. */
  public RunTarget withoutReplay() {
    return new RunTarget(device, transfers, RunRecorder.NONE);
  }
}
