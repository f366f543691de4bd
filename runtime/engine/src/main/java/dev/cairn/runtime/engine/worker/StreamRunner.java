package dev.cairn.runtime.engine.worker;

import dev.cairn.runtime.engine.failure.FailureRecord;
import dev.cairn.runtime.engine.queue.Footprint;
import dev.cairn.runtime.engine.queue.FusedBody;
import dev.cairn.runtime.engine.queue.FusedWork;
import dev.cairn.runtime.engine.queue.Operation;
import dev.cairn.runtime.engine.queue.StreamBody;
import dev.cairn.runtime.engine.queue.Variable;
import dev.cairn.runtime.engine.stream.EngineStream;
import dev.cairn.runtime.engine.stream.StreamMark;
import dev.cairn.runtime.engine.stream.StreamOutcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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

    /** @param newer what becomes of variables that operations write which no stream was given yet */
    Turn(Operation operation, StreamBody body, EngineStream stream, Map<Variable, StreamOutcome> newer) {
      this.operation = operation;
      this.body = body;
      this.stream = stream;
      this.before = operation.footprint().outcomes(!operation.overwrites(), newer);
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
        fail(e);
      }
    }

    private void fail(Throwable cause) {
      outcome.fail(runner.writeDown(operation, cause));
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
        fail(e);
        return;
      }
      if (why != null) {
        outcome.fail(why);
      }
    }
  }

  /** Operations that run as one if everything before them went well. Else each has its own turn. */
  private final class FusedTurn implements Runnable {
    private final Operation operation;
    private final FusedWork whole;
    private final EngineStream stream;
    private final List<StreamOutcome> before;
    private final List<Turn> parts = new ArrayList<>();

    FusedTurn(Operation operation, FusedBody body, EngineStream stream) {
      this.operation = operation;
      this.whole = body.whole();
      this.stream = stream;
      this.before = operation.footprint().outcomes(true);
      Map<Variable, StreamOutcome> newer = new HashMap<>();
      for (Operation part : body.parts()) {
        var turn = new Turn(part, (StreamBody) part.work(), stream, newer);
        parts.add(turn);
        part.footprint().writes().forEach(it -> newer.put(it, turn.outcome));
      }
    }

    /** On the stream. */
    void runInside() {
      try {
        inside.run(this);
      } catch (Throwable e) {
        // The whole was not done, or not all of it.
        FailureRecord failure = runner.writeDown(operation, e);
        parts.forEach(it -> it.outcome.fail(failure));
      }
    }

    @Override
    public void run() {
      boolean isWell = runner.closing() == null && before.stream().allMatch(it -> it.failure() == null);
      if (!isWell || !whole.run(stream.stream())) {
        parts.forEach(Turn::run);
      }
    }
  }

  /** Returns when the stream has the work. */
  void give(Operation operation, StreamBody body, EngineStream stream) {
    if (body.work() instanceof FusedBody fused) {
      giveFused(operation, fused, stream);
    } else if (!runner.skips(operation)) {
      List<StreamMark> marks = marksBefore(operation, stream);
      var turn = new Turn(operation, body, stream, Map.of());
      leave(turn, submit(turn::runInside, marks, stream));
    }
  }

  private void giveFused(Operation operation, FusedBody fused, EngineStream stream) {
    if (runner.inherited(operation) != null) {
      fused.parts().forEach(part -> give(part, (StreamBody) part.work(), stream));
      return;
    }
    List<StreamMark> marks = marksBefore(operation, stream);
    var turn = new FusedTurn(operation, fused, stream);
    StreamMark end = submit(turn::runInside, marks, stream);
    turn.parts.forEach(it -> leave(it, end));
  }

  /** The marks that the stream must come after; those of other devices have passed when this returns. */
  private List<StreamMark> marksBefore(Operation operation, EngineStream stream) {
    List<StreamMark> marks = operation.footprint().marks();
    for (StreamMark mark : marks) {
      // A stream can come after streams of its own device only.
      if (!mark.stream().isOfSameDevice(stream)) {
        SpinThenSleep.endless(spinNanos).untilPolled(mark::hasPassed);
      }
    }
    return marks;
  }

  private static StreamMark submit(Runnable work, List<StreamMark> marks, EngineStream stream) {
    synchronized (stream) {
      marks.forEach(it -> stream.waitFor(it.stream(), it.mark()));
      return new StreamMark(stream, stream.submit(work));
    }
  }

  private static void leave(Turn turn, StreamMark end) {
    Footprint footprint = turn.operation.footprint();
    if (turn.operation.overwrites()) {
      footprint.setPoison(null);
    }
    footprint.leaveMarks(end, turn.outcome);
  }
}
