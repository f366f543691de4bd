package dev.cairn.allocator.layer;

/** What became of those who waited. The queue's lock guards it. */
final class RetryTallies {
  long waited;
  long interrupted;
  long timedOut;
  long deadlocks;
  long served;
  private int mostOvertaken;

  void overtaken(int times) {
    mostOvertaken = Math.max(mostOvertaken, times);
  }

  RetryStats stats(int waiting) {
    return new RetryStats(waiting, waited, served, timedOut, interrupted, deadlocks, mostOvertaken);
  }
}
