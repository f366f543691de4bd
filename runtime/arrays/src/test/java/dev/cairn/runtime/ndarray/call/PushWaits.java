package dev.cairn.runtime.ndarray.call;

/** Lets a test act on a thread that is about to wait, since it has pushed too many operations. */
public final class PushWaits {
  private PushWaits() {}

  public static void before(Invoker invoker, Runnable action) {
    invoker.beforeWait = action;
  }
}
