package dev.cairn.runtime.engine.queue;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Two reads beside a write of two fields: each sees none of it, or all; the later no less. */
@JCStressTest
@Outcome(id = {"0, 0", "0, 2", "2, 2"}, expect = Expect.ACCEPTABLE, desc = "nothing, or all, of the write")
@Outcome(expect = Expect.FORBIDDEN, desc = "half a write, or a read was forgotten")
@State
public class ReadersSeeWholeWrites {
  private final Variable variable = Runs.VARIABLES.make("v");
  private int left;
  private int right;
  private int first = -1;
  private int second = -1;

  @Actor
  public void write() {
    Runs.push(Runs.blockOf(Footprint.writing(variable), () -> {
      left++;
      right++;
    }));
  }

  @Actor
  public void read() {
    Runs.push(Runs.blockOf(Footprint.reading(variable), () -> first = left + right));
    Runs.push(Runs.blockOf(Footprint.reading(variable), () -> second = right + left));
  }

  /** The values that the reads saw. */
  @Arbiter
  public void end(II_Result result) {
    result.r1 = first;
    result.r2 = second;
  }
}
