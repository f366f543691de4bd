package dev.cairn.allocator.flight;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.MemoryAddress;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** The pool grew by a region. */
@Name("cairn.ArenaGrow")
@Label("Arena Grow")
@Category({"Cairn", "Allocator"})
@Description("A region that was added")
@StackTrace(true)
final class ArenaGrowEvent extends Event {
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
    ArenaGrowEvent event = new ArenaGrowEvent();
    if (event.shouldCommit()) {
      event.space = space;
      event.address = address;
      event.bytes = bytes;
      event.commit();
    }
  }
}
