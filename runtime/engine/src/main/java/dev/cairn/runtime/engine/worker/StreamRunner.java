package dev.cairn.runtime.engine.worker;

import dev.cairn.runtime.engine.failure.FailureRecord;
import dev.cairn.runtime.engine.queue.Footprint;
import dev.cairn.runtime.engine.queue.Operation;
import dev.cairn.runtime.engine.queue.StreamBody;
import dev.cairn.runtime.engine.stream.EngineStream;
import dev.cairn.runtime.engine.stream.StreamMark;
import dev.cairn.runtime.engine.stream.StreamOutcome;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Gives work to streams. Where the host would wait for earlier operations, the stream waits for their marks; the
 * operation then ends for the engine at once, and leaves its own mark at its variables. Only the stream knows whether
 * the values that the operation reads were computed, so it checks that itself. Thread-safe.
 */
final class StreamRunner {
  private final OperationRunner runner;
  private final OperationDepth inside;
  private final long spinNanos;

  StreamRunner(OperationRunner runner, OperationDepth inside, long spinNanos) {
    this.runner = runner;
    this.inside = inside;
    this.spinNanos = spinNanos;
  }

  /** One push under way. */
  private final class Turn implements Runnable {
    private final Operation operation;
    private final StreamBody body;
    private final EngineStream stream;
    /** What must have gone well before it. */
    private final List<StreamOutcome> before;
    private final @Nullable FailureRecord inherited;
    private final StreamOutcome outcome = new StreamOutcome();
    private boolean begun;

    Turn(Operation operation, StreamBody body, EngineStream stream) {
      this.operation = operation;
      this.body = body;
      this.stream = stream;
      this.before = operation.footprint().outcomes(!operation.overwrites());
      this.inherited = runner.inherited(operation);
    }

    /** On the stream. */
    void runInside() {
      try {
        inside.run(this);
      } catch (Throwable e) {
        if (begun) {
          throw e;
        }
        // The heap has no room for that: its values are not computed.
        outcome.fail(runner.writeDown(operation, e));
      }
    }

    @Override
    public void run() {
      begun = true;
      FailureRecord why = runner.closing();
      for (int i = 0; why == null && i < before.size(); i++) {
        why = before.get(i).failure();
      }
      why = why == null ? inherited : why;
      if (why != null && !OperationRunner.runsAllTheSame(operation, why)) {
        outcome.fail(why);
        return;
      }
      try {
        body.work().run(stream.stream());
      } catch (Throwable e) {
        outcome.fail(runner.writeDown(operation, e));
        return;
      }
      if (why != null) {
        outcome.fail(why);
      }
    }
  }

  /** Returns when the stream has the work. */
  void give(Operation operation, StreamBody body, EngineStream stream) {
    if (runner.skips(operation)) {
      return;
    }
    Footprint footprint = operation.footprint();
    List<StreamMark> marks = footprint.marks();
    for (StreamMark mark : marks) {
      // A stream can come after streams of its own device only.
      if (!mark.stream().isOfSameDevice(stream)) {
        SpinThenSleep.endless(spinNanos).untilPolled(mark::hasPassed);
      }
    }
    var turn = new Turn(operation, body, stream);
    StreamMark end;
    synchronized (stream) {
      marks.forEach(it -> stream.waitFor(it.stream(), it.mark()));
      end = new StreamMark(stream, stream.submit(turn::runInside));
    }
    if (operation.overwrites()) {
      footprint.setPoison(null);
    }
    footprint.leaveMarks(end, turn.outcome);
  }
}
