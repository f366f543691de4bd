package dev.cairn.allocator.flight;

import dev.cairn.allocator.Owner;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.MemoryAddress;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Throttle;

/** A sampled grant; 300 a second at most, unless the recording's settings say otherwise. */
@Name("cairn.Allocation")
@Label("Allocation")
@Category({"Cairn", "Allocator"})
@Description("A block that was granted, sampled by bytes")
@StackTrace(true)
@Throttle("300/s")
final class AllocationEvent extends Event {
  /** Asked whether the event is on, so that nothing need be made to find out. */
  private static final AllocationEvent PROBE = new AllocationEvent();

  @Label("Memory Space")
  @Description("Which memory the block is in: host, pinned or a device")
  String space = "";

  @Label("Allocation Id")
  long allocationId;

  @Label("Address")
  @MemoryAddress
  long address;

  @Label("Size")
  @Description("Bytes of the chunk, with slack")
  @DataAmount(DataAmount.BYTES)
  long bytes;

  @Label("Requested Size")
  @DataAmount(DataAmount.BYTES)
  long requestedBytes;

  @Label("Operator")
  String operator = "";

  @Label("Tensor")
  String tensor = "";

  @Label("Shape")
  String shape = "";

  @Label("Sample Weight")
  @Description("Bytes granted since the sample before, this block's included")
  @DataAmount(DataAmount.BYTES)
  long weight;

  static boolean isOn() {
    return PROBE.isEnabled();
  }

  void ownedBy(Owner owner) {
    operator = owner.operator();
    tensor = owner.tensor();
    shape = owner.shape();
  }
}
