package dev.cairn.allocator.flight;

import dev.cairn.allocator.AllocatorStats;
import dev.cairn.allocator.OutOfMemory;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A request that could not be met, with the figures of that moment. */
@Name("cairn.OutOfMemory")
@Label("Out of Memory")
@Category({"Cairn", "Allocator"})
@Description("A request that could not be met")
@StackTrace(true)
final class OutOfMemoryEvent extends Event {
  @Label("Memory Space")
  @Description("Which memory was asked for: host, pinned or a device")
  String space = "";

  @Label("Reason")
  @Description("limit, fragmentation, source-refused or time-held")
  String reason = "";

  @Label("Owner")
  String owner = "";

  @Label("Requested Size")
  @DataAmount(DataAmount.BYTES)
  long requestedBytes;

  @Label("Short By")
  @DataAmount(DataAmount.BYTES)
  long bytesShort;

  @Label("In Use")
  @DataAmount(DataAmount.BYTES)
  long bytesInUse;

  @Label("Pool")
  @DataAmount(DataAmount.BYTES)
  long poolBytes;

  @Label("Limit")
  @DataAmount(DataAmount.BYTES)
  long limitBytes;

  @Label("Free")
  @DataAmount(DataAmount.BYTES)
  long freeBytes;

  @Label("Largest Free Chunk")
  @DataAmount(DataAmount.BYTES)
  long largestFreeBytes;

  static void commit(String space, OutOfMemory refusal) {
    OutOfMemoryEvent event = new OutOfMemoryEvent();
    if (event.shouldCommit()) {
      AllocatorStats stats = refusal.memoryMap().stats();
      event.space = space;
      event.reason = refusal.reason().word();
      event.owner = refusal.owner().toString();
      event.requestedBytes = refusal.requestedBytes();
      event.bytesShort = refusal.bytesShort();
      event.bytesInUse = stats.bytesInUse();
      event.poolBytes = stats.poolBytes();
      event.limitBytes = stats.limitBytes();
      event.freeBytes = stats.freeBytes();
      event.largestFreeBytes = stats.largestFreeBytes();
      event.commit();
    }
  }
}
