package dev.cairn.runtime.ndarray;

import dev.cairn.runtime.engine.queue.Footprint;
import dev.cairn.runtime.engine.queue.Operation;

/** Work that says itself where it runs, such as on a GPU or on a thread for copies. */
interface Pushable extends Runnable {
  /** The operation, as soon as it is known what it reads and writes. */
  Operation operation(String name, Footprint footprint);

  /** Is not called: the operation runs its own work. */
  @Override
  default void run() {
    throw new AssertionError("work of another device");
  }
}
