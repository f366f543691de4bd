package dev.cairn.kernels.cuda;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * An object of the driver that belongs to a context and does not outlive it. Closing it a second time has no effect.
 * Use after closing throws {@link IllegalStateException}.
 */
abstract class CudaObject implements AutoCloseable {
  private final CudaContext context;
  private final AtomicBoolean closed = new AtomicBoolean();

  CudaObject(CudaContext context) {
    this.context = context;
  }

  /** Makes the object's context current on the calling thread and returns the driver. */
  final CudaDriver enter() {
    if (closed.get()) {
      throw new IllegalStateException("object is closed: " + this);
    }
    return context.enter();
  }

  final CudaContext context() {
    return context;
  }

  /** Requires that another object belongs to the same context, as the driver demands for objects of one call. */
  final void requireSameContext(CudaObject other) {
    if (other.context != context) {
      throw new IllegalArgumentException("objects of two devices: first=cuda:%d second=cuda:%d"
        .formatted(context.ordinal(), other.context.ordinal()));
    }
  }

  /** Destroys the driver's object. */
  abstract void destroy(CudaDriver driver);

  @Override
  public void close() {
    dispose();
  }

  final boolean isClosed() {
    return closed.get();
  }

  /** Closes the object. If the driver refuses, the object stays open and can be closed again. */
  final void dispose() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    try {
      destroy(context.enter());
    } catch (CudaFailure e) {
      closed.set(false);
      throw e;
    }
    context.forget(this);
  }

  @Override
  public String toString() {
    return getClass().getSimpleName() + " of cuda:" + context.ordinal();
  }
}
