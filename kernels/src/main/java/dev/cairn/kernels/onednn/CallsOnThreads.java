package dev.cairn.kernels.onednn;

/**
 * Calls oneDNN's functions after setting its number of threads. oneDNN reads this number from the thread of the
 * operating system, when it describes, makes and runs a primitive. A virtual thread may continue on another one
 * whenever it waits. So the number is set directly before each call, with no place to wait in between.
 */
record CallsOnThreads(OneDnnCalls calls, int threads) implements OneDnnCalls {
  @Override
  public int status(String function, Object... arguments) {
    calls.useThreads(threads);
    return calls.status(function, arguments);
  }

  @Override
  public int answer(String function, Object... arguments) {
    calls.useThreads(threads);
    return calls.answer(function, arguments);
  }

  @Override
  public long number(String function, Object... arguments) {
    calls.useThreads(threads);
    return calls.number(function, arguments);
  }

  @Override
  public int execute(long primitive, long stream, int count, long arguments) {
    calls.useThreads(threads);
    return calls.execute(primitive, stream, count, arguments);
  }

  @Override
  public int setHandle(long memory, long address) {
    return calls.setHandle(memory, address);
  }

  @Override
  public void useThreads(int other) {
    calls.useThreads(other);
  }

  @Override
  public void runOnAll(int count, Runnable part) {
    calls.runOnAll(count, part);
  }

  @Override
  public void spin(int spins) {
    calls.spin(spins);
  }
}
