package dev.cairn.runtime.trace.flight;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** A model was compiled and planned for one set of input shapes. */
@Name("cairn.Plan")
@Label("Plan")
@Category({"Cairn", "Runtime"})
@Description("A model that was compiled and planned for one set of input shapes")
@StackTrace(false)
final class PlanEvent extends Event {
  @Label("Model")
  String model = "";

  @Label("Planner")
  @Description("Empty when compiling failed")
  String planner = "";

  @Label("Steps")
  int steps;

  @Label("Buffers")
  int buffers;

  @Label("Peak")
  @DataAmount(DataAmount.BYTES)
  long peakBytes;

  @Label("Lower Bound")
  @Description("No plan takes less")
  @DataAmount(DataAmount.BYTES)
  long boundBytes;

  @Label("Planner Time")
  @Timespan(Timespan.NANOSECONDS)
  long plannerNanos;
}
