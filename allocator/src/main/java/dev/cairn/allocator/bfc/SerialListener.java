package dev.cairn.allocator.bfc;

import dev.cairn.allocator.AllocationListener;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.Owner;
import dev.cairn.allocator.PoolEvent;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Lets a listener that knows of one lock hear many threads: one call after the other, but for refusals, which are told
 * without a lock as everywhere. Knows who is being told something, so that a listener which calls back is found out.
 * Safe for use by many threads.
 */
final class SerialListener implements AllocationListener {
  private final AllocationListener listener;
  // Written with the monitor held. Read by everybody without it, for a thread finds itself here only when it is inside.
  private @Nullable Thread told;

  SerialListener(AllocationListener listener) {
    this.listener = listener;
  }

  /** Whether there is somebody to hear anything. */
  boolean isHeard() {
    return !listener.equals(AllocationListener.silent());
  }

  /**
   * Checks that this thread isn't telling the listener something just now.
   *
   * @throws IllegalStateException when it is, which means that the listener calls the allocator
   */
  void requireSilent() {
    if (Thread.currentThread().equals(told)) {
      throw HeapLock.reentered();
    }
  }

  @Override
  public synchronized void granted(long allocationId, long address, long bytes, long requestedBytes, Owner owner) {
    told = Thread.currentThread();
    try {
      listener.granted(allocationId, address, bytes, requestedBytes, owner);
    } finally {
      told = null;
    }
  }

  @Override
  public synchronized void freed(long allocationId, long address, long bytes) {
    told = Thread.currentThread();
    try {
      listener.freed(allocationId, address, bytes);
    } finally {
      told = null;
    }
  }

  @Override
  public synchronized void regionAdded(long address, long bytes) {
    told = Thread.currentThread();
    try {
      listener.regionAdded(address, bytes);
    } finally {
      told = null;
    }
  }

  @Override
  public synchronized void regionReleased(long address, long bytes) {
    told = Thread.currentThread();
    try {
      listener.regionReleased(address, bytes);
    } finally {
      told = null;
    }
  }

  @Override
  public void refused(OutOfMemory refusal) {
    listener.refused(refusal);
  }

  @Override
  public synchronized List<PoolEvent> lastEvents() {
    told = Thread.currentThread();
    try {
      return listener.lastEvents();
    } finally {
      told = null;
    }
  }
}
