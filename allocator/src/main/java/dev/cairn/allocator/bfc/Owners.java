package dev.cairn.allocator.bfc;

import dev.cairn.allocator.Owner;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Owners by number, so that a chunk has room for one. A number is given once and stays; there are as many as a graph
 * has tensors, and if a caller makes up names without end, the late ones share a number. The caller holds the lock.
 */
final class Owners {
  static final int NOBODY = 0;
  private static final int MOST = 1 << 20;
  private static final Owner LATE = Owner.of("(too many owners)");

  private final int most;
  private final Map<Owner, Integer> numbers = new HashMap<>();
  private final ArrayList<Owner> owners = new ArrayList<>();
  private Owner last = Owner.NONE;
  private int lastNumber = NOBODY;

  Owners() {
    this(MOST);
  }

  /** @param most owners that get a number of their own */
  Owners(int most) {
    this.most = most;
    add(Owner.NONE);
  }

  /** The number of an owner, given now if it has none. */
  @SuppressWarnings("ReferenceEquality") // A guess, which is right most of the time; the map decides.
  int numberOf(Owner owner) {
    if (owner == last) {
      return lastNumber;
    }
    Integer known = numbers.get(owner);
    lastNumber = known == null ? add(owners.size() < most ? owner : LATE) : known;
    last = owner;
    return lastNumber;
  }

  private int add(Owner owner) {
    Integer known = numbers.get(owner);
    if (known != null) {
      return known;
    }
    owners.add(owner);
    numbers.put(owner, owners.size() - 1);
    return owners.size() - 1;
  }

  Owner owner(int number) {
    return owners.get(number);
  }

  boolean isKnown(int number) {
    return number >= 0 && number < owners.size();
  }

  /** All owners, by number. */
  List<Owner> all() {
    return List.copyOf(owners);
  }
}
