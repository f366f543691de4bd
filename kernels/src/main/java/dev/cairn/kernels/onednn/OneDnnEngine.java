package dev.cairn.kernels.onednn;

/** oneDNN's engine for the processor, for kernels that use a number of threads. Thread-safe. */
final class OneDnnEngine implements AutoCloseable {
  private static final int PROCESSOR = 1;

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

  OneDnnCalls calls() {
    return calls;
  }

  long handle() {
    return handle;
  }

  /** Must be called by each thread before it describes, makes or runs a primitive: it holds for that thread. */
  void useThreads() {
    calls.useThreads(threads);
  }

  /** Runs a part on all threads at once. */
  void runOnAll(Runnable part) {
    calls.runOnAll(threads, part);
  }

  @Override
  public void close() {
    scope.close();
  }
}
