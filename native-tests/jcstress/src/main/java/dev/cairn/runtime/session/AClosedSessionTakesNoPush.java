package dev.cairn.runtime.session;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.graph.GraphBuilder;
import java.util.Optional;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** One thread closes a session, another one's close is refused, since the session is closed already. */
@JCStressTest
@Outcome(id = {"0, 0", "1, 0"}, expect = Expect.ACCEPTABLE, desc = "a push before is taken, none afterwards")
@Outcome(expect = Expect.FORBIDDEN, desc = "the refused close opened the session again")
@State
public class AClosedSessionTakesNoPush {
  private final SessionRuns runs = newRuns();

  /** Of a session that is not there: counting pushes needs the name of its graph alone. */
  @SuppressWarnings("NullAway")
  private static SessionRuns newRuns() {
    var graph = new GraphBuilder("closed");
    graph.output("y", graph.input("x", TensorType.of(DType.FLOAT32, 1)));
    return new SessionRuns(null, RandomRuns.of(graph.build(), Optional.empty()), null);
  }

  @Actor
  public void closes(II_Result result) {
    result.r1 = takesPush();
    runs.beginClose();
  }

  @Actor
  public void closesAgain() {
    runs.beginClose();
    runs.cancelClose();
  }

  private int takesPush() {
    try {
      runs.beginPush();
      runs.endPush();
      return 1;
    } catch (IllegalStateException e) {
      return 0;
    }
  }

  @Arbiter
  public void end(II_Result result) {
    result.r2 = takesPush();
  }
}
