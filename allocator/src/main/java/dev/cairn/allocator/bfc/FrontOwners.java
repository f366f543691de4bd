package dev.cairn.allocator.bfc;

import dev.cairn.allocator.Owner;
import java.util.concurrent.ConcurrentHashMap;

/** The numbers of owners, known without the heap's lock once they were asked for. Safe for use by many threads. */
final class FrontOwners {
  // Owners that share a number, once there are too many, are not remembered one by one.
  private static final int MOST = 1 << 16;

  private final Depot depot;
  private final ConcurrentHashMap<Owner, Integer> numbers = new ConcurrentHashMap<>();
  private volatile int count = 1;

  FrontOwners(Depot depot) {
    this.depot = depot;
  }

  /** The number of an owner, given now if it has none. */
  int numberOf(Owner owner) {
    if (owner.equals(Owner.NONE)) {
      return Owners.NOBODY;
    }
    Integer known = numbers.get(owner);
    return known != null ? known : newNumber(owner);
  }

  private int newNumber(Owner owner) {
    int number = depot.lock.with(() -> {
      int given = depot.owners.numberOf(owner);
      count = Math.max(count, given + 1);
      return given;
    });
    if (numbers.size() < MOST) {
      numbers.put(owner, number);
    }
    return number;
  }

  boolean isKnown(int number) {
    return number >= 0 && number < count;
  }

  Owner owner(int number) {
    return depot.lock.with(() -> depot.owners.owner(number));
  }
}
