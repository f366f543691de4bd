package dev.cairn.testing;

/** Waits until an object refuses calls, because another thread closes it. */
public final class Refusal {
  private Refusal() {}

  /**
   * Calls again and again until the call throws {@link IllegalStateException}. Until then, the call may return, or
   * throw {@link IllegalArgumentException} because it is given too little to do anything.
   *
   * @param message how the message of the refusal begins
   */
  public static void await(Runnable call, String message) {
    while (true) {
      try {
        call.run();
      } catch (IllegalArgumentException e) {
        // Not refused yet.
      } catch (IllegalStateException e) {
        if (!String.valueOf(e.getMessage()).startsWith(message)) {
          throw e;
        }
        return;
      }
    }
  }
}
