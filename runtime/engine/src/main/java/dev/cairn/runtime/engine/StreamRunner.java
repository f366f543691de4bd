package dev.cairn.runtime.engine;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Gives work to streams. Where the host would wait for earlier operations, the stream is told to come after their
 * marks; the operation then ends for the engine at once, and leaves its own mark at its variables. Whether the values
 * it reads were computed is known only on the stream, so that it is asked there. Thread-safe.
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

  /** One push under way: what must have gone well before it, and what becomes of it. */
  private record Turn(Operation operation, StreamBody body, EngineStream stream, List<StreamOutcome> before,
    StreamOutcome outcome) {}

  /** Returns when the stream has the work. */
  void give(Operation operation, StreamBody body, EngineStream stream) {
    if (runner.skips(operation)) {
      return;
    }
    Footprint footprint = operation.footprint();
    List<StreamMark> marks = footprint.marks();
    awaitOtherDevices(marks, stream);
    var turn = new Turn(operation, body, stream, outcomes(operation), new StreamOutcome());
    FailureRecord inherited = runner.inherited(operation);
    StreamMark end;
    try {
      synchronized (stream) {
        marks.forEach(it -> stream.waitFor(it.stream(), it.mark()));
        end = new StreamMark(stream, stream.submit(() -> inside.run(() -> run(turn, inherited))));
      }
    } catch (RuntimeException e) {
      runner.failed(operation, e);
      return;
    }
    if (operation.traits().overwrites()) {
      footprint.setPoison(null);
    }
    footprint.leaveMarks(end, turn.outcome);
  }

  /** A stream can come after streams of its own device only. */
  private void awaitOtherDevices(List<StreamMark> marks, EngineStream stream) {
    for (StreamMark mark : marks) {
      if (!mark.stream().isOfSameDevice(stream)) {
        DeviceStreams.awaitPassed(mark, SpinThenSleep.endless(spinNanos));
      }
    }
  }

  private static List<StreamOutcome> outcomes(Operation operation) {
    Footprint footprint = operation.footprint();
    List<StreamOutcome> outcomes = new ArrayList<>();
    for (int i = 0; i < footprint.size(); i++) {
      VariableMarks marks = footprint.variable(i).marks();
      StreamOutcome outcome = marks == null ? null : marks.outcome();
      if (outcome != null && !(footprint.isWritten(i) && operation.traits().overwrites())) {
        outcomes.add(outcome);
      }
    }
    return outcomes;
  }

  /** On the stream. */
  private void run(Turn turn, @Nullable FailureRecord inherited) {
    FailureRecord why = runner.closing();
    for (int i = 0; why == null && i < turn.before.size(); i++) {
      why = turn.before.get(i).failure();
    }
    why = why == null ? inherited : why;
    if (why != null && !OperationRunner.runsAllTheSame(turn.operation, why)) {
      turn.outcome.fail(why);
      return;
    }
    try {
      turn.body.work().run(turn.stream.stream());
    } catch (Throwable e) {
      turn.outcome.fail(runner.writeDown(turn.operation, e));
      return;
    }
    if (why != null) {
      turn.outcome.fail(why);
    }
  }
}
