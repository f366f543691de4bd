package dev.cairn.allocator.bfc;

import dev.cairn.allocator.Owner;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Owners by number, so that a chunk has room for one. A number that a caller asked for stays; there are as many as a
 * graph has tensors, and if a caller makes up names without end, the late ones share a number. The number of an owner
 * that came with a request serves another owner when no chunk has it any more: programs with arrays of ever new shapes
 * make ever new owners. The caller holds the lock.
 */
final class Owners {
  static final int NOBODY = 0;
  private static final int MOST = 1 << 20;
  private static final Owner LATE = Owner.of("(too many owners)");

  /** When there are so many, numbers that no chunk has are looked for the first time. */
  private static final int FIRST_SWEEP = 1024;

  private final int most;
  private final Map<Owner, Integer> numbers = new HashMap<>();
  private final ArrayList<Owner> owners = new ArrayList<>();
  /** Numbers that callers asked for. */
  private final BitSet kept = new BitSet();
  /** Numbers that no owner has. */
  private final BitSet vacant = new BitSet();
  private int vacantCount;
  private int sweepAt = FIRST_SWEEP;
  private Owner last = Owner.NONE;
  private int lastNumber = NOBODY;

  Owners() {
    this(MOST);
  }

  /** @param most owners that get a number of their own */
  Owners(int most) {
    this.most = most;
    numberOf(Owner.NONE);
  }

  /** The number of an owner for all time, given now if it has none. */
  int numberOf(Owner owner) {
    Integer known = numbers.get(owner);
    int number = known == null ? add(owners.size() - vacantCount < most ? owner : LATE) : known;
    kept.set(number);
    return number;
  }

  /** The number of an owner for as long as a chunk has it, given now if it has none. */
  @SuppressWarnings("ReferenceEquality") // A guess that is right most of the time; the map has the last word.
  int numberOf(Owner owner, ChunkTable chunks) {
    if (owner == last) {
      return lastNumber;
    }
    if (owners.size() - vacantCount >= sweepAt) {
      sweep(chunks);
    }
    Integer known = numbers.get(owner);
    lastNumber = known == null ? add(owners.size() - vacantCount < most ? owner : LATE) : known;
    last = owner;
    return lastNumber;
  }

  private int add(Owner owner) {
    Integer known = numbers.get(owner);
    if (known != null) {
      return known;
    }
    int number = vacant.nextSetBit(0);
    if (number < 0) {
      number = owners.size();
      owners.add(owner);
    } else {
      vacant.clear(number);
      vacantCount--;
      owners.set(number, owner);
    }
    numbers.put(owner, number);
    return number;
  }

  private void sweep(ChunkTable chunks) {
    BitSet used = (BitSet) kept.clone();
    for (int chunk = 0; chunk < chunks.rows(); chunk++) {
      if (chunks.isInUse(chunk)) {
        used.set(chunks.owner(chunk));
      }
    }
    used.or(vacant);
    for (int number = used.nextClearBit(0); number < owners.size(); number = used.nextClearBit(number + 1)) {
      numbers.remove(owners.get(number));
      owners.set(number, Owner.NONE);
      vacant.set(number);
      vacantCount++;
    }
    sweepAt = Math.max(FIRST_SWEEP, 2 * (owners.size() - vacantCount));
    last = Owner.NONE;
    lastNumber = NOBODY;
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
