package dev.cairn.kernels.cuda;

/** A range of device memory, allocated directly from the driver. */
public final class DeviceMemory extends CudaObject {
  private final long address;
  private final long bytes;

  private DeviceMemory(CudaContext context, long address, long bytes) {
    super(context);
    this.address = address;
    this.bytes = bytes;
  }

  static DeviceMemory allocate(CudaContext context, long bytes) {
    if (bytes <= 0) {
      throw new IllegalArgumentException("at least one byte: bytes=" + bytes);
    }
    DeviceMemory memory = new DeviceMemory(context, context.enter().allocate(bytes), bytes);
    context.adopt(memory);
    return memory;
  }

  /** The address of the first byte on the device. */
  public long address() {
    return address;
  }

  /** The length. */
  public long bytes() {
    return bytes;
  }

  @Override
  void destroy(CudaDriver driver) {
    driver.free(address);
  }
}
