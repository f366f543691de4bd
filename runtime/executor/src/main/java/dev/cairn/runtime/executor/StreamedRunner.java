package dev.cairn.runtime.executor;

import dev.cairn.kernels.device.Stream;
import dev.cairn.runtime.trace.RunObserver;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Runs the segments of a schedule on several streams. The calling thread issues them in the table's order, and runs
 * those of the first stream itself where that stream is the caller's own. Segments wait for each other by marks. After
 * a failure no further step begins; of several failures the one of the earliest step is thrown. Makes no garbage.
 *
 * <p>Where inputs and outputs are staged, the first stream brings them: the others wait for the inputs, and the first
 * one waits for the others before it takes the outputs away. So it alone is waited for in the end.
 */
final class StreamedRunner implements StepRunner {
  private final SegmentTable table;
  private final BoundSteps steps;
  private final List<Stream> streams;
  private final Staging staging;
  private final Segment[] segments;
  /** For each segment, the mark after it in this run. */
  private final long[] marks;
  private final RunFailure failure = new RunFailure();
  private RunLimit limit = RunLimit.NONE;
  private RunObserver observer = RunObserver.NONE;
  /** For which the streams work now; null for a run without a session. */
  private @Nullable RunScope scope;

  /** @param streams by their number in the schedule */
  StreamedRunner(SegmentTable table, BoundSteps steps, List<Stream> streams, Staging staging) {
    this.table = table;
    this.steps = steps;
    this.staging = staging;
    this.streams = List.copyOf(streams);
    this.marks = new long[table.size()];
    this.segments = new Segment[table.size()];
    for (int i = 0; i < segments.length; i++) {
      segments[i] = new Segment(table.steps(i), table.streamOf(i));
    }
  }

  /** The work of a stream: some steps in a row. */
  private final class Segment implements Runnable {
    private final int[] numbers;
    private final int stream;

    Segment(int[] numbers, int stream) {
      this.numbers = numbers;
      this.stream = stream;
    }

    @Override
    public void run() {
      RunScope run = scope;
      RunScope entered = run != null && run.enter() ? run : null;
      try {
        for (int i = 0; i < numbers.length && !failure.isAny(); i++) {
          attempt(numbers[i]);
        }
      } finally {
        if (entered != null) {
          entered.leave();
        }
      }
    }

    private void attempt(int step) {
      try {
        limit.check(step);
        steps.run(step, stream, observer);
      } catch (RuntimeException | Error e) {
        failure.add(step, e);
      }
    }
  }

  @Override
  public void run(RunLimit given, RunObserver observer) {
    issueAll(given, observer, true);
    int awaited = staging.isNeeded() && !failure.isAny() ? 1 : streams.size();
    for (int i = 0; i < awaited; i++) {
      synchronize(streams.get(i));
    }
    forget();
    failure.throwIfAny();
  }

  @Override
  public void enqueue(RunLimit given, RunObserver observer) {
    issueAll(given, observer, false);
    forget();
    failure.throwIfAny();
  }

  private void forget() {
    limit = RunLimit.NONE;
    steps.begin(RunLimit.NONE);
    observer = RunObserver.NONE;
    scope = null;
  }

  /** @param whole whether copies that differ from run to run are part of it */
  private void issueAll(RunLimit given, RunObserver observer, boolean whole) {
    limit = given;
    steps.begin(given);
    this.observer = observer;
    scope = RunScope.innermost();
    failure.clear();
    try {
      if (staging.isNeeded()) {
        begin(whole);
      }
      for (int segment = 0; segment < segments.length && !failure.isAny(); segment++) {
        issue(segment);
      }
      if (staging.isNeeded() && !failure.isAny()) {
        end(whole);
      }
    } catch (RuntimeException | Error e) {
      failure.add(steps.size(), e);
    }
  }

  private void begin(boolean whole) {
    Stream first = streams.getFirst();
    if (whole) {
      staging.enqueueInputs(first);
    }
    staging.enqueueUploads(first);
    long mark = first.record();
    for (int i = 1; i < streams.size(); i++) {
      if (!streams.get(i).equals(first)) {
        streams.get(i).waitFor(first, mark);
      }
    }
  }

  private void end(boolean whole) {
    Stream first = streams.getFirst();
    for (int i = 1; i < streams.size(); i++) {
      Stream other = streams.get(i);
      if (!other.equals(first)) {
        first.waitFor(other, other.record());
      }
    }
    staging.enqueueDownloads(first);
    if (whole) {
      staging.enqueueResults(first, observer);
    }
  }

  private void issue(int segment) {
    Stream stream = streams.get(table.streamOf(segment));
    int end = table.firstWait(segment + 1);
    for (int wait = table.firstWait(segment); wait < end; wait++) {
      int awaited = table.awaited(wait);
      stream.waitFor(streams.get(table.streamOf(awaited)), marks[awaited]);
    }
    stream.submit(segments[segment]);
    if (table.isAwaited(segment)) {
      marks[segment] = stream.record();
    }
  }

  private void synchronize(Stream stream) {
    try {
      stream.synchronize();
    } catch (RuntimeException | Error e) {
      failure.add(steps.size(), e);
    }
  }
}
