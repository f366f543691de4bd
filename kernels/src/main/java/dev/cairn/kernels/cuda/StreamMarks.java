package dev.cairn.kernels.cuda;

import jcuda.driver.CUevent;
import jcuda.driver.CUstream;
import org.jspecify.annotations.Nullable;

/**
 * The marks of one stream: sequence numbers over a ring of events without timing. Mark {@code n} is held by event
 * {@code n mod length} until it has passed; when the ring is full of marks that have not, it grows, so that marking
 * never waits. Safe for use by many threads, each of which has made the context its current one.
 *
 * <p>While the stream is captured, its marks are places in the graph and no moments: nobody can ask whether they
 * passed. When the capture ends, their events are recorded anew, and they stand for the moment of its end.
 */
final class StreamMarks {
  private static final int FIRST_LENGTH = 16;
  private static final long NONE = Long.MAX_VALUE;

  private final CUstream stream;
  private @Nullable CUevent[] ring = new CUevent[FIRST_LENGTH];
  private long last;
  private long passed;
  /** The first mark of the running capture; beyond all marks when there is none. */
  private long firstCaptured = NONE;
  /** The first mark of an ended capture whose event must still be recorded anew; beyond all marks when none is. */
  private long firstUnsettled = NONE;

  StreamMarks(CUstream stream) {
    this.stream = stream;
  }

  synchronized long record(CudaDriver driver) {
    settle(driver);
    long mark = last + 1;
    boolean full = mark - passed > ring.length;
    if (full && (firstCaptured != NONE || !hasPassedInOrder(driver, mark - ring.length))) {
      grow();
    }
    int slot = slot(mark);
    CUevent event = ring[slot];
    if (event == null) {
      event = driver.newEvent(false);
      ring[slot] = event;
    }
    driver.record(event, stream);
    last = mark;
    return mark;
  }

  synchronized boolean hasPassed(CudaDriver driver, long mark) {
    if (mark > last) {
      return false;
    }
    if (mark >= firstCaptured) {
      throw new IllegalStateException("mark is in a graph that is being captured: mark=%d firstCaptured=%d"
        .formatted(mark, firstCaptured));
    }
    settle(driver);
    return mark <= passed || hasPassedInOrder(driver, mark);
  }

  /** For a stream that is closed, and so has done all its work. */
  synchronized boolean wasGiven(long mark) {
    return mark <= last;
  }

  /**
   * Lets {@code other} wait for a mark of this stream, null where there is no need to; true when the mark is in a
   * running capture.
   */
  synchronized boolean letWait(CudaDriver driver, @Nullable CUstream other, long mark) {
    requireGiven(mark);
    if (other == null) {
      return false;
    }
    settle(driver);
    if (mark > passed) {
      driver.waitFor(other, held(mark));
    }
    return mark >= firstCaptured;
  }

  synchronized void beginCapture() {
    firstCaptured = Math.min(firstUnsettled, last + 1);
  }

  /** When it fails, the next call that needs the marks records what was left. */
  synchronized void endCapture(CudaDriver driver) {
    firstUnsettled = firstCaptured;
    firstCaptured = NONE;
    settle(driver);
  }

  private void settle(CudaDriver driver) {
    // Recorded while the stream is captured, an event would be a place in that graph again.
    if (firstUnsettled == NONE || firstCaptured != NONE) {
      return;
    }
    while (firstUnsettled <= last) {
      driver.record(held(firstUnsettled), stream);
      firstUnsettled++;
    }
    firstUnsettled = NONE;
  }

  synchronized void destroy(CudaDriver driver) {
    for (int i = 0; i < ring.length; i++) {
      CUevent event = ring[i];
      if (event != null) {
        driver.destroy(event);
        ring[i] = null;
      }
    }
  }

  private boolean hasPassedInOrder(CudaDriver driver, long mark) {
    boolean gone = driver.hasPassed(held(mark));
    if (gone) {
      passed = Math.max(passed, mark);
    }
    return gone;
  }

  private void grow() {
    @Nullable
    CUevent[] old = ring;
    ring = new CUevent[2 * old.length];
    // All of the old ring's marks are still held: the next one found no room.
    for (long mark = last - old.length + 1; mark <= last; mark++) {
      ring[slot(mark)] = old[(int) (mark & (old.length - 1))];
    }
  }

  private CUevent held(long mark) {
    CUevent event = ring[slot(mark)];
    if (event == null) {
      throw new AssertionError("mark has no event: mark=%d last=%d".formatted(mark, last));
    }
    return event;
  }

  private int slot(long mark) {
    return (int) (mark & (ring.length - 1));
  }

  private void requireGiven(long mark) {
    if (mark < 1 || mark > last) {
      throw new IllegalArgumentException("no such mark: mark=%d last=%d".formatted(mark, last));
    }
  }
}
