package dev.cairn.allocator.bfc;

import dev.cairn.allocator.AllocationListener;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.Owner;

/** Lets a listener that knows of one lock hear many threads: one call after the other. Safe for use by many threads. */
final class SerialListener implements AllocationListener {
  private final AllocationListener listener;

  SerialListener(AllocationListener listener) {
    this.listener = listener;
  }

  @Override
  public synchronized void granted(long allocationId, long address, long bytes, long requestedBytes, Owner owner) {
    listener.granted(allocationId, address, bytes, requestedBytes, owner);
  }

  @Override
  public synchronized void freed(long allocationId, long address, long bytes) {
    listener.freed(allocationId, address, bytes);
  }

  @Override
  public synchronized void regionAdded(long address, long bytes) {
    listener.regionAdded(address, bytes);
  }

  @Override
  public synchronized void regionReleased(long address, long bytes) {
    listener.regionReleased(address, bytes);
  }

  @Override
  public synchronized void refused(OutOfMemory refusal) {
    listener.refused(refusal);
  }
}
