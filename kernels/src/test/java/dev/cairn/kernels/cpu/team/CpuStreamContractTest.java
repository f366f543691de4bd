package dev.cairn.kernels.cpu.team;

import dev.cairn.kernels.device.Device;
import dev.cairn.kernels.device.StreamContract;

class CpuStreamContractTest extends StreamContract {
  @Override
  protected Device newDevice() {
    return new CpuDevice(2);
  }
}
