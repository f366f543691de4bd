package dev.cairn.testing;

import java.util.Set;
import java.util.stream.Collectors;

/** The threads that the code under test has started. */
public final class OwnThreads {
  private static final String PREFIX = "cairn-";
  /** They serve the whole process, and end when they had nothing to do for a while. */
  private static final String OF_PROCESS = "cairn-openmp-";

  private final Set<Thread> before = now();

  private OwnThreads() {}

  /** The threads that are there now. */
  public static OwnThreads before() {
    return new OwnThreads();
  }

  private static Set<Thread> now() {
    return Thread.getAllStackTraces().keySet().stream().filter(it -> it.getName().startsWith(PREFIX) && !it.getName()
      .startsWith(OF_PROCESS)).collect(Collectors.toSet());
  }

  /** Waits until all threads that came later have ended; for ever, if one of them does not end. */
  public void awaitEndOfLaterOnes() {
    for (Thread thread : now()) {
      if (!before.contains(thread)) {
        try {
          thread.join();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          throw new AssertionError("a thread does not end: " + thread, e);
        }
      }
    }
  }
}
