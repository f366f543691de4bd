package dev.cairn.allocator;

import java.util.List;

/** Combines listeners into one. Stateless. */
public final class Listeners {
  private Listeners() {}

  /**
   * A listener that passes each event to all of these, in order. It never throws: if one of them throws, it logs the
   * exception and detaches that one. Returns the silent listener if all of these are silent.
   */
  public static AllocationListener of(AllocationListener... listeners) {
    List<AllocationListener> audible = List.of(listeners).stream().filter(it -> !it.equals(AllocationListener.silent()))
      .toList();
    if (audible.isEmpty()) {
      return AllocationListener.silent();
    }
    return audible.size() == 1 && audible.getFirst() instanceof ListenerList list ? list : new ListenerList(audible);
  }
}
