package dev.cairn.allocator.flight;

import dev.cairn.allocator.AllocationListener;
import dev.cairn.allocator.MemorySpace;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.Owner;
import jdk.jfr.FlightRecorder;

/**
 * Records what one allocator does in Java Flight Recorder: growth, shrinkage and refusals each, grants sampled by
 * bytes. Belongs to one allocator, whose lock guards it.
 *
 * <p>A grant is sampled when as many bytes as the period were granted since the last sample, as the JVM samples its own
 * heap: large blocks are seen each, small ones now and then, and a sample's weight says how many bytes it stands for.
 * No more than 300 samples a second are taken, unless the recording's setting {@code cairn.Allocation#throttle} says
 * otherwise; weights count the events that were passed over.
 *
 * <p>While no recording runs, a call is a look at one or two flags: nothing is made and nothing is counted.
 */
public final class FlightListener implements AllocationListener {
  /** Bytes between samples unless said otherwise: 1 MiB. */
  public static final long DEFAULT_PERIOD_BYTES = 1L << 20;
  /** Samples every grant. */
  public static final long EVERY_GRANT = 1;

  private final String space;
  private final long periodBytes;
  // Bytes granted since the last sample, while a recording runs.
  private long unsampledBytes;

  /** A listener for the allocator of one memory. */
  public FlightListener(MemorySpace space) {
    this(space, DEFAULT_PERIOD_BYTES);
  }

  /**
   * A listener for the allocator of one memory.
   *
   * @param periodBytes bytes granted from one sample to the next, positive
   */
  public FlightListener(MemorySpace space, long periodBytes) {
    if (periodBytes <= 0) {
      throw new IllegalArgumentException("period must be positive: periodBytes=" + periodBytes);
    }
    this.space = space.toString();
    this.periodBytes = periodBytes;
  }

  @Override
  public void granted(long allocationId, long address, long bytes, long requestedBytes, Owner owner) {
    if (FlightRecorder.isInitialized() && AllocationEvent.isOn()) {
      // Capped, so that sums of huge blocks can't overflow.
      unsampledBytes = Math.min(unsampledBytes, Long.MAX_VALUE - bytes) + bytes;
      if (unsampledBytes >= periodBytes) {
        sample(allocationId, address, bytes, requestedBytes, owner);
      }
    }
  }

  private void sample(long allocationId, long address, long bytes, long requestedBytes, Owner owner) {
    AllocationEvent event = new AllocationEvent();
    if (event.shouldCommit()) {
      event.space = space;
      event.allocationId = allocationId;
      event.address = address;
      event.bytes = bytes;
      event.requestedBytes = requestedBytes;
      event.ownedBy(owner);
      event.weight = unsampledBytes;
      event.commit();
      unsampledBytes = 0;
    }
  }

  @Override
  public void regionAdded(long address, long bytes) {
    if (FlightRecorder.isInitialized()) {
      ArenaGrowEvent.commit(space, address, bytes);
    }
  }

  @Override
  public void regionReleased(long address, long bytes) {
    if (FlightRecorder.isInitialized()) {
      ArenaShrinkEvent.commit(space, address, bytes);
    }
  }

  @Override
  public void refused(OutOfMemory refusal) {
    if (FlightRecorder.isInitialized()) {
      OutOfMemoryEvent.commit(space, refusal);
    }
  }
}
