package dev.cairn.runtime.engine;

/** Which threads are inside an operation of one engine, other than its workers: there a wait could never end. */
final class Inside {
  /** One of each engine: threads use several. */
  @SuppressWarnings("ThreadLocalUsage")
  private final ThreadLocal<Boolean> inside = new ThreadLocal<>();

  boolean isInside() {
    return inside.get() != null;
  }

  /** Runs something as part of an operation. */
  void run(Runnable work) {
    if (isInside()) {
      work.run();
      return;
    }
    inside.set(true);
    try {
      work.run();
    } finally {
      inside.remove();
    }
  }

  static IllegalStateException refusal(Object awaited) {
    return new IllegalStateException("a wait inside an operation, which could never end: for=" + awaited);
  }
}
