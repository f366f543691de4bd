package dev.cairn.runtime.engine.queue;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Two readers leave while a writer waits: the later one alone makes it ready. */
@JCStressTest
@Outcome(id = {"1, 0", "0, 1"}, expect = Expect.ACCEPTABLE, desc = "one of them, once")
@Outcome(expect = Expect.FORBIDDEN, desc = "forgotten, or ready twice")
@State
public class LastReaderLetsTheWriterIn {
  private final Variable variable = Runs.VARIABLES.make("v");

  /** Two readers are in, a writer waits. */
  public LastReaderLetsTheWriterIn() {
    Runs.blockOf(Footprint.reading(variable), () -> {}).enqueue();
    Runs.blockOf(Footprint.reading(variable), () -> {}).enqueue();
    Runs.blockOf(Footprint.writing(variable), () -> {}).enqueue();
  }

  @Actor
  public void one(II_Result result) {
    result.r1 = Footprint.reading(variable).leave(null) == null ? 0 : 1;
  }

  @Actor
  public void two(II_Result result) {
    result.r2 = Footprint.reading(variable).leave(null) == null ? 0 : 1;
  }
}
