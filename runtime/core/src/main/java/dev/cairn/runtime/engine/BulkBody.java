package dev.cairn.runtime.engine;

import java.util.List;

/**
 * Several operations run as one, in the order pushed. Each is looked at by itself: a failure keeps from running only
 * those that come after it by their own variables.
 */
record BulkBody(List<Operation> operations, OperationRunner runner) implements Runnable {
  @Override
  public void run() {
    for (int i = 0; i < operations.size(); i++) {
      runner.run(operations.get(i));
    }
  }
}
