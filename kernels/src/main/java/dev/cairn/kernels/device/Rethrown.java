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
    throw Rethrown.<RuntimeException>unchecked(failure);
  }

  @SuppressWarnings("unchecked") // erased: nothing is cast
  private static <T extends Throwable> T unchecked(Throwable failure) throws T {
    throw (T) failure;
  }
}
