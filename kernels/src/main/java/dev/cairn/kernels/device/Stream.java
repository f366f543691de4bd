package dev.cairn.kernels.device;

/**
 * Runs work in the order of submission. Work on two streams of a device may overlap. Marks are places in that order:
 * sequence numbers 1, 2, 3 … of the stream. No number is used twice, so a mark always means the same work. Only one
 * thread at a time may submit, record or wait; any thread may call {@link #hasPassed}. Work must not submit to its own
 * stream or synchronize it.
 */
public interface Stream {
  Device device();

  /**
   * Submits work. A stream without a thread of its own runs the work at once and throws its exceptions. A stream with
   * its own thread runs the work later; after a failure it drops work until {@link #synchronize} has reported the
   * failure.
   *
   * @throws IllegalStateException if the stream is closed
   */
  void submit(Runnable work);

  /** Marks the current end of the stream. The mark has passed when all work before it has ended or failed. */
  long record();

  /**
   * Delays later work of this stream until the other stream has passed the mark. If this stream has a queue, the caller
   * does not wait.
   *
   * @param other a stream of the same device
   * @param mark a mark that {@code other} has recorded
   * @throws IllegalArgumentException if the other stream belongs to another device or has not recorded the mark
   */
  void waitFor(Stream other, long mark);

  /** Whether all work before the mark has ended, so that its results can be read. Does not wait. */
  boolean hasPassed(long mark);

  /** Waits until all submitted work has ended. Throws the failure, if any, since the last call. */
  void synchronize();

  /**
   * Waits for all submitted work, then closes a stream of {@link Device#newStream}. Its marks stay passed.
   *
   * @throws IllegalStateException if it is the default stream, or already closed
   */
  void close();
}
