package dev.cairn.allocator;

import java.util.List;

/** One or several listeners where an allocator takes one. Stateless. */
public final class Listeners {
  private Listeners() {}

  /**
   * A listener that tells all of these, in this order, and never throws: one of them that throws is logged and
   * detached, and the others go on hearing. The silent listener where there is none to tell.
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
