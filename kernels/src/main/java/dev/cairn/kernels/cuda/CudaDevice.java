package dev.cairn.kernels.cuda;

import dev.cairn.kernels.device.Device;
import dev.cairn.kernels.device.DeviceId;

/**
 * One NVIDIA device. Retains its primary context once, and holds all streams, events, modules and memory created from
 * it. Closing destroys streams that are still open, latest first, and also works after the context was lost.
 * Thread-safe, except for closing.
 */
public final class CudaDevice implements Device {
  private final CudaContext context;
  private final CudaProperties properties;
  private final CudaStream stream;

  private CudaDevice(CudaContext context, CudaProperties properties) {
    this.context = context;
    this.properties = properties;
    this.stream = CudaStream.open(this, "default");
  }

  /** Opens a device and retains its primary context. The caller closes the device. */
  public static CudaDevice open(CudaDriver driver, int ordinal) {
    CudaProperties properties = driver.properties(ordinal);
    CudaContext context = CudaContext.retain(driver, ordinal);
    try {
      return new CudaDevice(context, properties);
    } catch (RuntimeException | Error e) {
      closeAfter(e, context);
      throw e;
    }
  }

  private static void closeAfter(Throwable failure, CudaContext context) {
    try {
      context.close();
    } catch (RuntimeException e) {
      failure.addSuppressed(e);
    }
  }

  CudaContext context() {
    return context;
  }

  /** Whether the device is still open. */
  public boolean isOpen() {
    return context.isOpen();
  }

  /**
   * Lets streams of this device copy from and to another device's memory.
   *
   * @return false if the machine has no direct way between the two
   */
  public boolean reaches(CudaDevice peer) {
    return context.reaches(peer.context);
  }

  /** Makes the device's context current on the calling thread, for libraries such as cuBLAS. */
  public void makeCurrent() {
    context.enter();
  }

  @Override
  public DeviceId id() {
    return new DeviceId(DeviceId.Kind.CUDA, context.ordinal());
  }

  /** The device's properties. */
  public CudaProperties properties() {
    return properties;
  }

  @Override
  public String description() {
    return "cuda:%d, %s, compute capability %d.%d, %d multiprocessors, %d MiB".formatted(context.ordinal(),
      properties.name(), properties.major(), properties.minor(), properties.multiprocessors(),
      properties.memoryBytes() >> 20);
  }

  /** A stream created with the device. It is not the driver's legacy default stream, which waits for all others. */
  @Override
  public CudaStream defaultStream() {
    return stream;
  }

  @Override
  public CudaStream newStream(String name) {
    return CudaStream.open(this, name);
  }

  /** The free and total memory of the device at this moment. */
  public MemoryInfo memoryInfo() {
    return context.enter().memoryInfo();
  }

  /** Creates an event that records its time. Marks of streams do not need such events. */
  public CudaEvent newEvent() {
    return CudaEvent.open(context);
  }

  /** Loads compiled code, CUBIN or PTX. */
  public CudaModule load(byte[] image) {
    return CudaModule.load(context, image);
  }

  /**
   * Allocates device memory directly from the driver, which is slow: for measurements, tests and tools. The runtime
   * uses its allocators instead.
   */
  public DeviceMemory allocate(long bytes) {
    return DeviceMemory.allocate(context, bytes);
  }

  /** Allocates page-locked host memory. Copies between it and the device are asynchronous. */
  public PinnedMemory allocatePinned(long bytes) {
    return PinnedMemory.allocate(context, bytes);
  }

  /** Waits until all work on all streams of the device has ended. Throws the failure, if any. */
  public void synchronize() {
    context.enter().synchronizeContext();
  }

  /** Whether the context is lost and can do no more work. Waits until all work has ended. */
  public boolean isLost() {
    try {
      synchronize();
      return false;
    } catch (CudaFailure e) {
      return e.losesContext();
    }
  }

  @Override
  public void close() {
    context.close();
  }
}
