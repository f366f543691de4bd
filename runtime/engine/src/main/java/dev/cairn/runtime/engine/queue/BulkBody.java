package dev.cairn.runtime.engine.queue;

import java.util.List;

/**
 * Several operations run as one, in the order pushed. Each is looked at by itself: a failure keeps from running only
 * those that come after it by their own variables. Engines look for it and never run it as it stands.
 *
 * @param operations at least two; each ends with its work
 */
public record BulkBody(List<Operation> operations) implements Runnable {
  @Override
  public void run() {
    throw new AssertionError("a bulk run without its engine");
  }
}
