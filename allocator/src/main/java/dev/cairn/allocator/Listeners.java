package dev.cairn.allocator;

import java.util.List;

/** Several listeners where an allocator takes one. Stateless. */
public final class Listeners {
  private Listeners() {}

  /**
   * A listener that tells all of these, in this order.
   *
   * <p>When one of them objects to a grant by throwing, those before it are told that the block was freed, for the
   * allocator undoes the grant. All other news reach every one of them, whoever throws; what is thrown first goes to
   * the caller, with the rest suppressed in it.
   */
  public static AllocationListener of(AllocationListener... listeners) {
    List<AllocationListener> audible = List.of(listeners).stream().filter(it -> !it.equals(AllocationListener.silent()))
      .toList();
    return switch (audible.size()) {
      case 0 -> AllocationListener.silent();
      case 1 -> audible.getFirst();
      default -> new Audience(audible.toArray(new AllocationListener[0]));
    };
  }
}
