package dev.cairn.allocator;

import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listeners that are called one after the other. If one throws, the exception is logged, and the listener is not called
 * again. Thread-safe if the listeners are.
 */
final class ListenerList implements AllocationListener {
  private static final Logger LOG = LoggerFactory.getLogger(ListenerList.class);

  private volatile AllocationListener[] listeners;

  ListenerList(List<AllocationListener> listeners) {
    this.listeners = listeners.toArray(new AllocationListener[0]);
  }

  @Override
  public void granted(long allocationId, long address, long bytes, long requestedBytes, Owner owner) {
    for (AllocationListener listener : listeners) {
      try {
        listener.granted(allocationId, address, bytes, requestedBytes, owner);
      } catch (Throwable e) {
        detach(listener, e);
      }
    }
  }

  @Override
  public void freed(long allocationId, long address, long bytes) {
    for (AllocationListener listener : listeners) {
      try {
        listener.freed(allocationId, address, bytes);
      } catch (Throwable e) {
        detach(listener, e);
      }
    }
  }

  @Override
  public void regionAdded(long address, long bytes) {
    for (AllocationListener listener : listeners) {
      try {
        listener.regionAdded(address, bytes);
      } catch (Throwable e) {
        detach(listener, e);
      }
    }
  }

  @Override
  public void regionReleased(long address, long bytes) {
    for (AllocationListener listener : listeners) {
      try {
        listener.regionReleased(address, bytes);
      } catch (Throwable e) {
        detach(listener, e);
      }
    }
  }

  @Override
  public void refused(OutOfMemory refusal) {
    for (AllocationListener listener : listeners) {
      try {
        listener.refused(refusal);
      } catch (Throwable e) {
        detach(listener, e);
      }
    }
  }

  /** The events of the first listener that remembers any: all get the same calls. */
  @Override
  public List<PoolEvent> lastEvents() {
    for (AllocationListener listener : listeners) {
      try {
        List<PoolEvent> events = listener.lastEvents();
        if (!events.isEmpty()) {
          return events;
        }
      } catch (Throwable e) {
        detach(listener, e);
      }
    }
    return List.of();
  }

  @SuppressWarnings("ReferenceEquality") // equal listeners are still several listeners
  private synchronized void detach(AllocationListener listener, Throwable failure) {
    List<AllocationListener> others = new ArrayList<>(List.of(listeners));
    others.removeIf(it -> it == listener);
    listeners = others.toArray(new AllocationListener[0]);
    LOG.error("an allocation listener threw and is detached: listener={}", listener, failure);
  }
}
