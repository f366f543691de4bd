package dev.cairn.kernels.cuda;

import dev.cairn.kernels.device.Device;
import dev.cairn.kernels.device.DeviceId;

/**
 * One NVIDIA device. Holds its primary context, once, and all streams, events, modules and memory made from it. Closing
 * destroys whatever of these is still open, latest first, and works after the context was lost. Safe for use by many
 * threads, but for closing.
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

  /** Retains the primary context of a device and gives that device to use. The caller closes it. */
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

  /** Whether it was not closed yet. */
  public boolean isOpen() {
    return context.isOpen();
  }

  /** Makes the device's context the calling thread's, for libraries over the driver, such as cuBLAS. */
  public void makeCurrent() {
    context.enter();
  }

  @Override
  public DeviceId id() {
    return new DeviceId(DeviceId.Kind.CUDA, context.ordinal());
  }

  /** What the device is. */
  public CudaProperties properties() {
    return properties;
  }

  @Override
  public String description() {
    return "cuda:%d, %s, compute capability %d.%d, %d multiprocessors, %d MiB".formatted(context.ordinal(),
      properties.name(), properties.major(), properties.minor(), properties.multiprocessors(),
      properties.memoryBytes() >> 20);
  }

  /** Made with the device; never the driver's legacy default stream, which waits for all others. */
  @Override
  public CudaStream defaultStream() {
    return stream;
  }

  @Override
  public CudaStream newStream(String name) {
    return CudaStream.open(this, name);
  }

  /** How much of the device's memory is free now. */
  public MemoryInfo memoryInfo() {
    return context.enter().memoryInfo();
  }

  /** An event that knows when it happened. Marks of streams need none. */
  public CudaEvent newEvent() {
    return CudaEvent.open(context);
  }

  /** Loads compiled code, CUBIN or PTX. */
  public CudaModule load(byte[] image) {
    return CudaModule.load(context, image);
  }

  /**
   * Memory of the device straight from the driver, slowly: for measurements, tests and tools. The runtime asks its
   * allocators.
   */
  public DeviceMemory allocate(long bytes) {
    return DeviceMemory.allocate(context, bytes);
  }

  /** Page-locked memory of the host, between which and the device copies are asynchronous. */
  public PinnedMemory allocatePinned(long bytes) {
    return PinnedMemory.allocate(context, bytes);
  }

  /** Returns when all work on all streams of the device has ended; throws what failed. */
  public void synchronize() {
    context.enter().synchronizeContext();
  }

  /** Whether the context can do no more; waits until all work has ended. */
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
