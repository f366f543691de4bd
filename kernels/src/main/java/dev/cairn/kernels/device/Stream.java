package dev.cairn.kernels.device;

/**
 * Runs work in the order in which it was given; work on two streams of a device may overlap. Places in that order are
 * named by marks: sequence numbers 1, 2, 3 … of the stream, never used again, so that waiting for one can't mean other
 * work. One thread at a time gives work, records and waits; {@link #hasPassed} may be asked by any. Work must not give
 * work to its own stream, nor synchronize it.
 */
public interface Stream {
  Device device();

  /**
   * Gives work: done at once where the calling thread drives the stream itself, and thrown then what it throws; done
   * later by a stream with a thread of its own. Work given between one that failed there and the {@link #synchronize}
   * that says so is dropped.
   *
   * @throws IllegalStateException when the stream is closed
   */
  void submit(Runnable work);

  /** Marks the present end of the stream. The mark is passed when all work before it has ended or failed. */
  long record();

  /**
   * Work given from now on begins only when the other stream has passed that mark. Does not block the caller of a
   * stream with a queue.
   *
   * @param other of the same device
   * @param mark recorded before
   * @throws IllegalArgumentException when the other is of another device, or has recorded no such mark
   */
  void waitFor(Stream other, long mark);

  /** Whether all work before the mark has ended; does not wait. What that work wrote can be read then. */
  boolean hasPassed(long mark);

  /** Returns when all work given so far has ended; throws what failed since the last time. */
  void synchronize();

  /**
   * Ends a stream that was made by {@link Device#newStream}, after all work given to it. Its marks stay passed.
   *
   * @throws IllegalStateException when it is the default stream, or closed already
   */
  void close();
}
