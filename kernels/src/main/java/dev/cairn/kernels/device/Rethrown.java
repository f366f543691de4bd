package dev.cairn.kernels.device;

/** Throws on one thread what work has thrown on another. */
public final class Rethrown {
  private Rethrown() {}

  /**
   * Throws a failure as it is, also a checked exception: code in other languages of the JVM throws those undeclared.
   *
   * @return never; callers write {@code throw Rethrown.asItIs(e)}
   */
  public static RuntimeException asItIs(Throwable failure) {
    Rethrown.<RuntimeException>raise(failure);
    throw new AssertionError("thrown above", failure);
  }

  @SuppressWarnings("unchecked") // erased: nothing is cast
  private static <T extends Throwable> void raise(Throwable failure) throws T {
    throw (T) failure;
  }
}
