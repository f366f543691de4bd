package dev.cairn.runtime.engine.queue;

/** Finds operations of a bulk that may run as one. Thread-safe. */
public interface BulkFusion {
  /** Whether the operation may run together with others. */
  boolean isFusible(Operation operation);

  /** A run that begins with a fusible operation. */
  FusibleRun begin(Operation first);
}
