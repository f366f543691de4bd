package dev.cairn.allocator;

/**
 * Knows how far streams have come, so that memory that was freed on them can serve all requests. The allocator asks
 * with its lock held: an implementation neither calls the allocator nor waits. Thread-safe.
 */
public interface StreamProgress {
  /** For allocators of which no streams use freed memory. */
  StreamProgress NONE = (stream, time) -> false;

  /** Whether a stream has passed a time of its order, so that it uses nothing any more that was freed then. */
  boolean hasPassed(int stream, long time);

  /**
   * Lets all later work of a stream come after a time of another stream, without a wait of the host.
   *
   * @param waiting the stream of a request, for which this thread gives work to the stream now
   * @return false when that cannot be done; then nothing has changed
   */
  default boolean comesAfter(int waiting, int stream, long time) {
    return false;
  }
}
