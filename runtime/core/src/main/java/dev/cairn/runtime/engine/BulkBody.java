package dev.cairn.runtime.engine;

/**
 * Several operations run as one, in the order pushed. Each is looked at by itself: a failure keeps from running only
 * those that come after it by their own variables.
 */
final class BulkBody implements Runnable {
  private final Operation[] operations;
  private final OperationRunner runner;

  BulkBody(Operation[] operations, OperationRunner runner) {
    this.operations = operations;
    this.runner = runner;
  }

  @Override
  public void run() {
    for (Operation operation : operations) {
      runner.run(operation, operation.work());
    }
  }
}
