package dev.cairn.kernels.onednn;

/**
 * The functions of oneDNN, by name. Handles and addresses are numbers. Arguments are {@code Integer}, {@code Long} (for
 * a handle, an address or a size) or {@code Float}.
 */
interface OneDnnCalls {
  /** Calls a function that answers a status; slow, for what happens once. */
  int status(String function, Object... arguments);

  /** Calls a function that answers an {@code int} other than a status; slow, for what happens once. */
  int answer(String function, Object... arguments);

  /** Calls a function that answers an address or a size; slow, for what happens once. */
  long number(String function, Object... arguments);

  /** {@code dnnl_primitive_execute}. */
  int execute(long primitive, long stream, int count, long arguments);

  /** {@code dnnl_memory_set_data_handle}. */
  int setHandle(long memory, long address);

  /**
   * How many threads oneDNN may use for calls of the calling thread of the operating system from now on.
   * {@link CallsOnThreads} calls this before each call that depends on the number.
   */
  void useThreads(int threads);

  /**
   * Runs a part on so many threads of OpenMP, the calling one among them, and waits for all of them. Throws one of the
   * failures if the part has thrown.
   */
  void runOnAll(int threads, Runnable part);

  /** How often threads of OpenMP look for what they wait for before they sleep, from their next wait on. */
  void spin(int spins);

  /** Calls a function that answers a status, which must be success. */
  default void call(String function, Object... arguments) {
    check(function, status(function, arguments));
  }

  static void check(String function, int status) {
    if (status != 0) {
      throw new OneDnnFailure(function, status);
    }
  }
}
