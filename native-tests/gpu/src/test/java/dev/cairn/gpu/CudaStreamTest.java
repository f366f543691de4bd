package dev.cairn.gpu;

import dev.cairn.kernels.cuda.CudaDevice;
import dev.cairn.kernels.device.Device;
import dev.cairn.kernels.device.StreamContract;

class CudaStreamTest extends StreamContract {
  @Override
  protected Device newDevice() {
    return CudaDevice.open(CudaUnderTest.driver(), 0);
  }
}
