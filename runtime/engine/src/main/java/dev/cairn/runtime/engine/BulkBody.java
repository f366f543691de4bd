package dev.cairn.runtime.engine;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Several operations run as one, in the order pushed. Each is looked at by itself: a failure keeps from running only
 * those that come after it by their own variables.
 *
 * <p>Kept as what they are made of, side by side in one array: half as much for one thread to write, and for another to
 * fetch from its cache, as if each were an object. An object is made only of one that fails, overwrites, or touches
 * what was not computed.
 */
final class BulkBody implements Runnable {
  private static final int PARTS = 3;

  private final OperationRunner runner;
  /** The traits of the first operation; mostly all operations have the same. */
  private final Traits traits;
  /** For each operation three elements: its name, its footprint and its work. */
  private Object[] parts;
  private int count;
  /** One for each operation that there is room for; null while all have the very same. */
  private Traits @Nullable [] ownTraits;

  /** @param room for how many operations at first */
  BulkBody(int room, Traits traits, OperationRunner runner) {
    this.parts = new Object[room * PARTS];
    this.traits = traits;
    this.runner = runner;
  }

  int size() {
    return count;
  }

  boolean isFull() {
    return count * PARTS == parts.length;
  }

  void grow(int room) {
    if (ownTraits != null) {
      ownTraits = Arrays.copyOf(ownTraits, room);
    }
    parts = Arrays.copyOf(parts, room * PARTS);
  }

  Traits traits() {
    return traits;
  }

  /** There must be room. */
  @SuppressWarnings("ReferenceEquality")
  void add(String name, Footprint footprint, Runnable work, Traits own) {
    if (own != traits || ownTraits != null) {
      setTraits(count, own);
    }
    Object[] all = parts;
    int at = count * PARTS;
    all[at] = name;
    all[at + 1] = footprint;
    all[at + 2] = work;
    count++;
  }

  private void setTraits(int index, Traits own) {
    if (ownTraits == null) {
      ownTraits = new Traits[parts.length / PARTS];
      Arrays.fill(ownTraits, traits);
    }
    ownTraits[index] = own;
  }

  Operation operation(int index) {
    return new Operation((String) parts[index * PARTS], footprint(index), work(index), traits(index));
  }

  private Footprint footprint(int index) {
    return (Footprint) parts[index * PARTS + 1];
  }

  private Runnable work(int index) {
    return (Runnable) parts[index * PARTS + 2];
  }

  private Traits traits(int index) {
    return ownTraits == null ? traits : ownTraits[index];
  }

  @Override
  public void run() {
    for (int i = 0; i < count; i++) {
      try {
        run(i);
      } catch (OutOfMemoryError e) {
        // No room for an object of it; what the work itself throws comes no further than to the runner.
        runner.failedUnnamed(footprint(i));
      }
    }
  }

  private void run(int index) {
    Runnable work = work(index);
    if (traits(index).overwrites() || !runner.isClear(footprint(index))) {
      runner.run(operation(index), work);
      return;
    }
    // The operation inherits no failure and overwrites none, so that the runner would only run the work.
    try {
      work.run();
    } catch (Throwable e) {
      runner.failed(operation(index), e);
    }
  }
}
