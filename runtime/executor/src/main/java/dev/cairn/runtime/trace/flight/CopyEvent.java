package dev.cairn.runtime.trace.flight;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;

/** An output was copied to the caller; those shorter than 20 µs are left out unless the settings say otherwise. */
@Name("cairn.Copy")
@Label("Copy")
@Category({"Cairn", "Runtime"})
@Description("An output that was copied to the caller")
@StackTrace(false)
@Threshold("20 us")
final class CopyEvent extends Event {
  /** Asked whether the event is on, so that nothing need be made to find out. */
  private static final CopyEvent PROBE = new CopyEvent();

  @Label("Model")
  String model = "";

  @Label("Tensor")
  String tensor = "";

  @Label("Type")
  String type = "";

  @Label("Size")
  @DataAmount(DataAmount.BYTES)
  long bytes;

  static boolean isOn() {
    return PROBE.isEnabled();
  }
}
