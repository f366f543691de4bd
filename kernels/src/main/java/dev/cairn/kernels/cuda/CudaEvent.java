package dev.cairn.kernels.cuda;

import jcuda.driver.CUevent;

/** A moment in the work of a stream, with its time on the device's clock. Thread-safe. */
public final class CudaEvent extends CudaObject {
  private final CUevent handle;

  private CudaEvent(CudaContext context, CUevent handle) {
    super(context);
    this.handle = handle;
  }

  static CudaEvent open(CudaContext context) {
    CudaEvent event = new CudaEvent(context, context.enter().newEvent(true));
    context.adopt(event);
    return event;
  }

  /** Records the current end of the stream's work. */
  public void record(CudaStream stream) {
    requireSameContext(stream);
    enter().record(handle, stream.handle());
  }

  /** Whether the work before the event has ended. True if the event was never recorded. */
  public boolean hasPassed() {
    return enter().hasPassed(handle);
  }

  /** Waits until the work before the event has ended. */
  public void synchronize() {
    enter().synchronize(handle);
  }

  /** Milliseconds from this event to a later one. Both must have passed. The resolution is about half a microsecond. */
  public float millisUntil(CudaEvent later) {
    requireSameContext(later);
    return enter().elapsedMillis(handle, later.handle);
  }

  @Override
  void destroy(CudaDriver driver) {
    driver.destroy(handle);
  }
}
