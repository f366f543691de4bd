package dev.cairn.allocator;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Listeners as one; see {@link Listeners#of}. As safe for many threads as they are. */
final class Audience implements AllocationListener {
  private final AllocationListener[] listeners;

  Audience(AllocationListener[] listeners) {
    this.listeners = listeners;
  }

  @Override
  public void granted(long allocationId, long address, long bytes, long requestedBytes, Owner owner) {
    int told = 0;
    try {
      while (told < listeners.length) {
        listeners[told].granted(allocationId, address, bytes, requestedBytes, owner);
        told++;
      }
    } catch (Throwable objection) {
      takeBack(told, allocationId, address, bytes, objection);
      throw objection;
    }
  }

  private void takeBack(int told, long allocationId, long address, long bytes, Throwable objection) {
    for (int i = told - 1; i >= 0; i--) {
      try {
        listeners[i].freed(allocationId, address, bytes);
      } catch (Throwable e) {
        objection.addSuppressed(e);
      }
    }
  }

  @Override
  public void freed(long allocationId, long address, long bytes) {
    Throwable first = null;
    for (AllocationListener listener : listeners) {
      try {
        listener.freed(allocationId, address, bytes);
      } catch (Throwable e) {
        first = joined(first, e);
      }
    }
    rethrow(first);
  }

  @Override
  public void regionAdded(long address, long bytes) {
    Throwable first = null;
    for (AllocationListener listener : listeners) {
      try {
        listener.regionAdded(address, bytes);
      } catch (Throwable e) {
        first = joined(first, e);
      }
    }
    rethrow(first);
  }

  @Override
  public void regionReleased(long address, long bytes) {
    Throwable first = null;
    for (AllocationListener listener : listeners) {
      try {
        listener.regionReleased(address, bytes);
      } catch (Throwable e) {
        first = joined(first, e);
      }
    }
    rethrow(first);
  }

  @Override
  public void refused(OutOfMemory refusal) {
    Throwable first = null;
    for (AllocationListener listener : listeners) {
      try {
        listener.refused(refusal);
      } catch (Throwable e) {
        first = joined(first, e);
      }
    }
    rethrow(first);
  }

  /** Those of the first who remembers anything: all hear the same. */
  @Override
  public List<PoolEvent> lastEvents() {
    for (AllocationListener listener : listeners) {
      List<PoolEvent> events = listener.lastEvents();
      if (!events.isEmpty()) {
        return events;
      }
    }
    return List.of();
  }

  @SuppressWarnings("ReferenceEquality") // nothing can suppress itself
  private static Throwable joined(@Nullable Throwable first, Throwable next) {
    if (first == null) {
      return next;
    }
    if (first != next) {
      first.addSuppressed(next);
    }
    return first;
  }

  /** Listeners declare no checked exceptions, so that there are none here, whatever the compiler thinks. */
  private static void rethrow(@Nullable Throwable thrown) {
    switch (thrown) {
      case null -> {}
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      default -> throw new AssertionError("a listener threw what it doesn't declare", thrown);
    }
  }
}
