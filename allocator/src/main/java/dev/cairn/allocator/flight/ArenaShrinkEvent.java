package dev.cairn.allocator.flight;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.MemoryAddress;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** The pool shrank by a region. */
@Name("cairn.ArenaShrink")
@Label("Arena Shrink")
@Category({"Cairn", "Allocator"})
@Description("A region that was given back")
@StackTrace(true)
final class ArenaShrinkEvent extends Event {
  @Label("Memory Space")
  @Description("Which memory the region is in: host, pinned or a device")
  String space = "";

  @Label("Address")
  @MemoryAddress
  long address;

  @Label("Size")
  @DataAmount(DataAmount.BYTES)
  long bytes;

  static void commit(String space, long address, long bytes) {
    ArenaShrinkEvent event = new ArenaShrinkEvent();
    if (event.shouldCommit()) {
      event.space = space;
      event.address = address;
      event.bytes = bytes;
      event.commit();
    }
  }
}
