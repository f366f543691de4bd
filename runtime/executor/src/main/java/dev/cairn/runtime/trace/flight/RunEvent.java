package dev.cairn.runtime.trace.flight;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** A run, from being asked for to its outputs. */
@Name("cairn.Run")
@Label("Run")
@Category({"Cairn", "Runtime"})
@Description("One run, from being asked for to its outputs")
@StackTrace(false)
final class RunEvent extends Event {
  /** Asked whether the event is on, so that nothing need be made to find out. */
  private static final RunEvent PROBE = new RunEvent();

  @Label("Model")
  String model = "";

  @Label("Steps")
  int steps;

  @Label("Plan")
  @Description("Bytes of the plan's pools")
  @DataAmount(DataAmount.BYTES)
  long planBytes;

  @Label("Waited")
  @Description("For an executor and for memory")
  @Timespan(Timespan.NANOSECONDS)
  long waitedNanos;

  @Label("Failed")
  boolean failed;

  static boolean isOn() {
    return PROBE.isEnabled();
  }
}
