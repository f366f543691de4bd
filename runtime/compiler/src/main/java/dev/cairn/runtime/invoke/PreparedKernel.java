package dev.cairn.runtime.invoke;

import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.device.Stream;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * A kernel for calls of one signature that keeps prepared runs, such as primitives of oneDNN, for the next calls. There
 * are as many as calls ran at the same time. Each call binds operands again, and their values are not kept.
 * Thread-safe. After it is closed it still runs, and keeps nothing.
 */
final class PreparedKernel implements Kernel, AutoCloseable {
  private final Kernel kernel;
  private final Deque<Prepared> idle = new ArrayDeque<>();
  private boolean closed;

  /** A run that one call at a time uses. */
  private record Prepared(KernelCall call, Runnable work) {
    void run(KernelCall given) {
      for (int i = 0; i < given.inputCount(); i++) {
        if (given.has(i)) {
          call.bindInput(i, given.input(i));
        }
      }
      for (int i = 0; i < given.outputCount(); i++) {
        call.bindOutput(i, given.output(i));
      }
      call.bindWorkspace(given.workspace());
      try {
        work.run();
      } finally {
        unbind();
      }
    }

    /** Unbinds the operands, so that the run holds no memory of a call that has ended. */
    private void unbind() {
      for (int i = 0; i < call.inputCount(); i++) {
        call.unbindInput(i);
      }
      for (int i = 0; i < call.outputCount(); i++) {
        call.unbindOutput(i);
      }
      call.bindWorkspace(MemorySegment.NULL);
    }

    void close() {
      if (work instanceof AutoCloseable closeable) {
        try {
          closeable.close();
        } catch (RuntimeException e) {
          throw e;
        } catch (Exception e) {
          throw new IllegalStateException("a prepared run was not closed", e);
        }
      }
    }
  }

  PreparedKernel(Kernel kernel) {
    this.kernel = kernel;
  }

  @Override
  public void run(KernelCall call) {
    Prepared prepared = take(call.stream());
    if (prepared == null) {
      prepared = prepared(call);
    }
    boolean done = false;
    try {
      prepared.run(call);
      done = true;
    } finally {
      if (!done || !keep(prepared)) {
        prepared.close();
      }
    }
  }

  private Prepared prepared(KernelCall call) {
    var own = new KernelCall(call);
    return new Prepared(own, kernel.prepare(own));
  }

  /** The run that was used last, if it is one for this stream. */
  private synchronized @Nullable Prepared take(Stream stream) {
    Prepared last = idle.peek();
    return last != null && last.call().stream().equals(stream) ? idle.pop() : null;
  }

  private synchronized boolean keep(Prepared prepared) {
    if (!closed) {
      idle.push(prepared);
    }
    return !closed;
  }

  @Override
  public long workspaceBytes(KernelSignature signature) {
    return kernel.workspaceBytes(signature);
  }

  /** How many prepared runs wait for a call. */
  synchronized int idle() {
    return idle.size();
  }

  @Override
  public synchronized void close() {
    closed = true;
    idle.forEach(Prepared::close);
    idle.clear();
  }
}
