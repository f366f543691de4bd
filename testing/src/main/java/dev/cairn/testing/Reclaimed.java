package dev.cairn.testing;

import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.util.function.Supplier;

/** Waits until the garbage collector has taken an object. */
public final class Reclaimed {
  private static final long MILLIS_BETWEEN_COLLECTIONS = 20;

  private Reclaimed() {}

  /**
   * Makes an object, drops it, and collects garbage until the object is gone. Waits for ever if something keeps it.
   *
   * @param maker makes the object; nothing that stays reachable may refer to the object
   */
  public static void await(Supplier<?> maker) throws InterruptedException {
    var queue = new ReferenceQueue<Object>();
    PhantomReference<Object> reference = reference(maker, queue);
    try {
      do {
        System.gc();
      } while (queue.remove(MILLIS_BETWEEN_COLLECTIONS) == null);
    } finally {
      Reference.reachabilityFence(reference);
    }
  }

  /** In a frame of its own, so that no local variable of the caller holds the object. */
  private static PhantomReference<Object> reference(Supplier<?> maker, ReferenceQueue<Object> queue) {
    return new PhantomReference<>(maker.get(), queue);
  }
}
