package dev.cairn.runtime.cached;

/** Counts the recorded calls whose gradients may still be asked for. Thread-safe. */
final class PendingCalls {
  private int calls;
  private long bytes;

  synchronized void add(long kept) {
    calls++;
    bytes += kept;
  }

  synchronized void remove(long kept) {
    calls--;
    bytes -= kept;
  }

  synchronized int calls() {
    return calls;
  }

  synchronized long bytes() {
    return bytes;
  }
}
