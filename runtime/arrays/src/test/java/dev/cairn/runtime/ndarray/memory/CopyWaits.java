package dev.cairn.runtime.ndarray.memory;

/** Lets a test act on a thread that is about to wait for the calls that read its earlier values. */
public final class CopyWaits {
  private CopyWaits() {}

  public static void before(ArrayDevice device, Runnable action) {
    device.room().beforeWait = action;
  }
}
