package dev.cairn.allocator.flight;

import dev.cairn.allocator.AllocationListener;
import dev.cairn.allocator.Owner;
import dev.cairn.allocator.PoolEvent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Remembers the last things that one allocator did, {@value #KEPT} of them, for the report of a refusal. An event is
 * five stores into arrays that exist already: no object is made before a caller reads. Safe for use by many threads.
 */
public final class RecentEvents implements AllocationListener {
  /** How many events are kept. */
  public static final int KEPT = 64;

  private final PoolEvent.Kind[] kinds = new PoolEvent.Kind[KEPT];
  private final long[] allocationIds = new long[KEPT];
  private final long[] addresses = new long[KEPT];
  private final long[] bytes = new long[KEPT];
  private final Owner[] owners = new Owner[KEPT];
  // The number of events so far. Modulo the number of kept events, it is the place of the next event.
  private long told;

  /** Remembers nothing yet. */
  public RecentEvents() {
    Arrays.fill(kinds, PoolEvent.Kind.GRANT);
    Arrays.fill(owners, Owner.NONE);
  }

  @Override
  public synchronized void granted(long allocationId, long address, long held, long requestedBytes, Owner owner) {
    note(PoolEvent.Kind.GRANT, allocationId, address, held, owner);
  }

  @Override
  public synchronized void freed(long allocationId, long address, long held) {
    note(PoolEvent.Kind.FREE, allocationId, address, held, Owner.NONE);
  }

  @Override
  public synchronized void regionAdded(long address, long ofRegion) {
    note(PoolEvent.Kind.GROW, PoolEvent.NO_GRANT, address, ofRegion, Owner.NONE);
  }

  @Override
  public synchronized void regionReleased(long address, long ofRegion) {
    note(PoolEvent.Kind.SHRINK, PoolEvent.NO_GRANT, address, ofRegion, Owner.NONE);
  }

  private void note(PoolEvent.Kind kind, long allocationId, long address, long held, Owner owner) {
    int at = (int) (told % KEPT);
    kinds[at] = kind;
    allocationIds[at] = allocationId;
    addresses[at] = address;
    bytes[at] = held;
    owners[at] = owner;
    told++;
  }

  /** The events that are kept, the oldest first. The owner of a free is known while its grant is kept, too. */
  @Override
  public synchronized List<PoolEvent> lastEvents() {
    List<PoolEvent> events = new ArrayList<>();
    for (long event = Math.max(0, told - KEPT); event < told; event++) {
      int at = (int) (event % KEPT);
      events.add(new PoolEvent(kinds[at], allocationIds[at], addresses[at], bytes[at], ownerOf(at, events)));
    }
    return List.copyOf(events);
  }

  private Owner ownerOf(int at, List<PoolEvent> before) {
    if (kinds[at] == PoolEvent.Kind.FREE) {
      for (PoolEvent event : before.reversed()) {
        if (event.kind() == PoolEvent.Kind.GRANT && event.allocationId() == allocationIds[at]) {
          return event.owner();
        }
      }
    }
    return owners[at];
  }
}
