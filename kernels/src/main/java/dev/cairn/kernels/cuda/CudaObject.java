package dev.cairn.kernels.cuda;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Something of the driver's that lives in a context and ends with it at the latest. Closing twice does nothing the
 * second time; use after closing is an {@link IllegalStateException}.
 */
abstract class CudaObject implements AutoCloseable {
  private final CudaContext context;
  private final AtomicBoolean closed = new AtomicBoolean();

  CudaObject(CudaContext context) {
    this.context = context;
  }

  /** The driver, with the object's context made the calling thread's. */
  final CudaDriver enter() {
    if (closed.get()) {
      throw new IllegalStateException("object is closed: " + this);
    }
    return context.enter();
  }

  final CudaContext context() {
    return context;
  }

  /** That another object lives in the same context, as the driver demands of any two in one call. */
  final void requireSameContext(CudaObject other) {
    if (other.context != context) {
      throw new IllegalArgumentException("objects of two devices: first=cuda:%d second=cuda:%d"
        .formatted(context.ordinal(), other.context.ordinal()));
    }
  }

  /** Gives back to the driver what this object stands for. */
  abstract void destroy(CudaDriver driver);

  @Override
  public void close() {
    dispose();
  }

  final boolean isClosed() {
    return closed.get();
  }

  /** When the driver refuses, the object stays open and can be closed again. */
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
