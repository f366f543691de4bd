package dev.cairn.allocator.trace;

/**
 * Positive numbers by address, without boxes. Any address may be a key; 0 says that there is no number. Not safe for
 * many threads.
 *
 * <p>Open addressing with linear probing, at most half full. An entry from behind fills the gap of a removed one, so
 * that no operation slows down over time.
 */
final class AddressMap {
  private static final long SPREAD = 0x9E3779B97F4A7C15L;

  private long[] keys = new long[64];
  private long[] values = new long[64];
  private int size;

  long get(long address) {
    return values[slot(address)];
  }

  /** Puts a positive number in; answers the one that was there. */
  long put(long address, long value) {
    int slot = slot(address);
    long before = values[slot];
    if (before == 0) {
      if (2 * (size + 1) > keys.length) {
        grow();
        slot = slot(address);
      }
      size++;
    }
    keys[slot] = address;
    values[slot] = value;
    return before;
  }

  /** Takes the number out; answers it. */
  long remove(long address) {
    int hole = slot(address);
    long before = values[hole];
    if (before == 0) {
      return 0;
    }
    size--;
    int mask = keys.length - 1;
    for (int next = (hole + 1) & mask; values[next] != 0; next = (next + 1) & mask) {
      int home = home(keys[next]);
      // This entry may move back to the hole, unless its home lies between the hole and its place.
      if (((next - home) & mask) >= ((next - hole) & mask)) {
        keys[hole] = keys[next];
        values[hole] = values[next];
        hole = next;
      }
    }
    values[hole] = 0;
    return before;
  }

  int size() {
    return size;
  }

  /** Where the address is, or would be put. */
  private int slot(long address) {
    int mask = keys.length - 1;
    int slot = home(address);
    while (values[slot] != 0 && keys[slot] != address) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private int home(long address) {
    return (int) ((address * SPREAD) >>> (Long.numberOfLeadingZeros(keys.length) + 1));
  }

  private void grow() {
    long[] oldKeys = keys;
    long[] oldValues = values;
    keys = new long[2 * oldKeys.length];
    values = new long[2 * oldKeys.length];
    for (int i = 0; i < oldKeys.length; i++) {
      if (oldValues[i] != 0) {
        int slot = slot(oldKeys[i]);
        keys[slot] = oldKeys[i];
        values[slot] = oldValues[i];
      }
    }
  }
}
