package dev.cairn.allocator;

/**
 * When a chunk was freed, in one long: a stream's number, and a time in the order of that stream. Times of two streams
 * cannot be compared. For stream 0, the only one unless callers number streams, this is the time itself.
 */
public final class StreamTime {
  /** The highest number of a stream. */
  public static final int MAXIMUM_STREAM = (1 << 15) - 1;

  private static final int TIME_BITS = 48;
  /** The latest time. */
  public static final long MAXIMUM_TIME = (1L << TIME_BITS) - 1;

  private StreamTime() {}

  /** @throws IllegalArgumentException when stream or time is out of range */
  public static long of(int stream, long time) {
    if (stream < 0 || stream > MAXIMUM_STREAM || time <= 0 || time > MAXIMUM_TIME) {
      throw new IllegalArgumentException("no such time of a stream: stream=%d time=%d".formatted(stream, time));
    }
    return (long) stream << TIME_BITS | time;
  }

  public static int stream(long streamTime) {
    return (int) (streamTime >>> TIME_BITS);
  }

  public static long time(long streamTime) {
    return streamTime & MAXIMUM_TIME;
  }
}
