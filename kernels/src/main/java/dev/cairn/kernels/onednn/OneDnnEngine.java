package dev.cairn.kernels.onednn;

import java.util.concurrent.Semaphore;

/** oneDNN's engine for the processor, for kernels that use a number of threads. Thread-safe. */
final class OneDnnEngine implements AutoCloseable {
  private static final int PROCESSOR = 1;
  private static final int ALL = Runtime.getRuntime().availableProcessors();
  /**
   * A region of several threads takes a processor for each. Its threads wait for one another by spinning: with more of
   * them than processors, each region would wait for threads that do not run.
   */
  private static final Semaphore PROCESSORS = new Semaphore(ALL);

  private final OneDnnCalls calls;
  private final int threads;
  private final NativeScope scope;
  private final long handle;

  /** @param threads that one kernel may use */
  OneDnnEngine(OneDnnCalls calls, int threads) {
    this.calls = calls;
    this.threads = threads;
    this.scope = new NativeScope(calls);
    this.handle = scope.createNew("engine", PROCESSOR, 0L);
  }

  private OneDnnEngine(OneDnnEngine other, int threads) {
    this.calls = other.calls;
    this.threads = threads;
    this.scope = new NativeScope(calls);
    this.handle = other.handle;
  }

  /**
   * The same engine for short work, for which threads would wait for one another longer than they work. Must not be
   * used after this is closed.
   */
  OneDnnEngine onOneThread() {
    return new OneDnnEngine(this, 1);
  }

  OneDnnCalls calls() {
    return calls;
  }

  /** Threads that one kernel may use. */
  int threads() {
    return threads;
  }

  long handle() {
    return handle;
  }

  /** Must be called by each thread before it describes, makes or runs a primitive: it holds for that thread. */
  void useThreads() {
    calls.useThreads(threads);
  }

  /** Runs a primitive on all threads; on several, when there are processors for them. */
  void execute(long primitive, long stream, int count, long arguments) {
    if (threads == 1) {
      OneDnnCalls.check("dnnl_primitive_execute", calls.execute(primitive, stream, count, arguments));
      return;
    }
    int taken = Math.min(threads, ALL);
    PROCESSORS.acquireUninterruptibly(taken);
    try {
      OneDnnCalls.check("dnnl_primitive_execute", calls.execute(primitive, stream, count, arguments));
    } finally {
      PROCESSORS.release(taken);
    }
  }

  /** Runs a part on all threads at once; on the caller alone while there are no processors for them. */
  void runOnAll(Runnable part) {
    int taken = Math.min(threads, ALL);
    if (!PROCESSORS.tryAcquire(taken)) {
      part.run();
      return;
    }
    try {
      calls.runOnAll(threads, part);
    } finally {
      PROCESSORS.release(taken);
    }
  }

  @Override
  public void close() {
    scope.close();
  }
}
