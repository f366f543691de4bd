package dev.cairn.runtime.trace.flight;

import dev.cairn.runtime.trace.TracedStep;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;

/** A step of a run; those shorter than 20 µs are left out unless the recording's settings say otherwise. */
@Name("cairn.Kernel")
@Label("Kernel")
@Category({"Cairn", "Runtime"})
@Description("One step of a run")
@StackTrace(false)
@Threshold("20 us")
final class KernelEvent extends Event {
  /** Asked whether the event is on, so that nothing need be made to find out. */
  private static final KernelEvent PROBE = new KernelEvent();

  @Label("Model")
  String model = "";

  @Label("Step")
  int step;

  @Label("Stream")
  int stream;

  @Label("Node")
  String node = "";

  @Label("Operator")
  String operator = "";

  @Label("Kernel")
  @Description("Which of the kernels for the operator")
  String kernel = "";

  @Label("Types")
  @Description("Of operands and results")
  String types = "";

  @Label("Read")
  @DataAmount(DataAmount.BYTES)
  long readBytes;

  @Label("Written")
  @DataAmount(DataAmount.BYTES)
  long writtenBytes;

  static boolean isOn() {
    return PROBE.isEnabled();
  }

  void of(TracedStep known) {
    node = known.node();
    operator = known.operator();
    kernel = known.kernel();
    types = known.types();
    readBytes = known.readBytes();
    writtenBytes = known.writtenBytes();
  }
}
