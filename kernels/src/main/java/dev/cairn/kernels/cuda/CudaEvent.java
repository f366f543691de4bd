package dev.cairn.kernels.cuda;

import jcuda.driver.CUevent;

/** A moment in the work of a stream, with its time on the device's clock. Safe for use by many threads. */
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

  /** Stands from now on for the present end of the stream's work. */
  public void record(CudaStream stream) {
    requireSameContext(stream);
    enter().record(handle, stream.handle());
  }

  /** Whether the work before it has ended; true when never recorded. */
  public boolean hasPassed() {
    return enter().hasPassed(handle);
  }

  /** Returns when the work before it has ended. */
  public void synchronize() {
    enter().synchronize(handle);
  }

  /** Milliseconds from this event to a later one; both must have passed. The clock's step is some half microsecond. */
  public float millisUntil(CudaEvent later) {
    requireSameContext(later);
    return enter().elapsedMillis(handle, later.handle);
  }

  @Override
  void destroy(CudaDriver driver) {
    driver.destroy(handle);
  }
}
