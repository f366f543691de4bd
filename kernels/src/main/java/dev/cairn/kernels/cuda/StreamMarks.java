package dev.cairn.kernels.cuda;

import java.util.function.Supplier;
import jcuda.driver.CUevent;
import jcuda.driver.CUstream;
import org.jspecify.annotations.Nullable;

/**
 * The marks of one stream: sequence numbers over a ring of events without timing. Event {@code n mod length} represents
 * mark {@code n} until the mark has passed. If all marks in the ring are pending, the ring grows, so recording a mark
 * never waits. Thread-safe.
 *
 * <p>Methods make the context current when they have entered the monitor: a virtual thread that waits for the monitor
 * may continue on another thread of the operating system, where another context is current. {@link #endCapture} does
 * not: captures run on platform threads.
 *
 * <p>During a capture, the stream's marks are places in the graph, not moments, so no thread can query them. When the
 * capture ends, their events are recorded again and represent the end of the capture.
 */
final class StreamMarks {
  private static final int FIRST_LENGTH = 16;
  private static final long NONE = Long.MAX_VALUE;

  private final CUstream stream;
  private @Nullable CUevent[] ring = new CUevent[FIRST_LENGTH];
  private long last;
  private long passed;
  /** The first mark of the running capture; above all marks if no capture is running. */
  private long firstCaptured = NONE;
  /** The first mark of an ended capture whose event must still be recorded again; above all marks if there is none. */
  private long firstUnsettled = NONE;

  StreamMarks(CUstream stream) {
    this.stream = stream;
  }

  synchronized long record(Supplier<CudaDriver> entry) {
    CudaDriver driver = entry.get();
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

  synchronized boolean hasPassed(Supplier<CudaDriver> entry, long mark) {
    CudaDriver driver = entry.get();
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

  /** Whether the stream has recorded a mark. For a closed stream, which has finished all of its work. */
  synchronized boolean wasGiven(long mark) {
    return mark <= last;
  }

  /**
   * Makes {@code other} wait for a mark of this stream. A null {@code other} does not need to wait. Returns whether the
   * mark belongs to a running capture.
   */
  synchronized boolean letWait(Supplier<CudaDriver> entry, @Nullable CUstream other, long mark) {
    CudaDriver driver = entry.get();
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

  /** Ends a capture. If this fails, the next call that needs the marks records the remaining events. */
  synchronized void endCapture(CudaDriver driver) {
    firstUnsettled = firstCaptured;
    firstCaptured = NONE;
    settle(driver);
  }

  private void settle(CudaDriver driver) {
    // An event that is recorded during a capture would become a place in the captured graph.
    if (firstUnsettled == NONE || firstCaptured != NONE) {
      return;
    }
    while (firstUnsettled <= last) {
      driver.record(held(firstUnsettled), stream);
      firstUnsettled++;
    }
    firstUnsettled = NONE;
  }

  synchronized void destroy(Supplier<CudaDriver> entry) {
    CudaDriver driver = entry.get();
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
    // All marks of the old ring are still pending: there was no room for the next one.
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
