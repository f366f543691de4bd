package dev.cairn.allocator.layer;

/**
 * What a {@link RetryingAllocator} did so far.
 *
 * @param waiting requests that wait at this moment
 * @param waited requests that ever waited
 * @param served those that got memory
 * @param timedOut those that waited in vain
 * @param interrupted those whose thread was interrupted
 * @param deadlocks those that failed because of a deadlock
 * @param mostOvertaken the most times that one request was overtaken
 */
public record RetryStats(int waiting, long waited, long served, long timedOut, long interrupted, long deadlocks,
  int mostOvertaken) {}
