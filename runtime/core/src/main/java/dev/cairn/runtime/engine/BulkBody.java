package dev.cairn.runtime.engine;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Several operations run as one, in the order pushed. Each is looked at by itself: a failure keeps from running only
 * those that come after it by their own variables.
 *
 * <p>Kept as what they are made of, side by side in one array: that is half of what one thread has to write, and another
 * to fetch from its cache, as if each were an object. Only one that fails, or is kept from running, is made into one.
 */
final class BulkBody implements Runnable {
  private static final int PARTS = 3;

  private final OperationRunner runner;
  /** Of the first operation, and mostly of all. */
  private final Traits traits;
  /** Of each operation: name, footprint, work. */
  private Object[] parts;
  /** Behind the last part. */
  private int end;
  /** Of each operation, where they are not all the very same; as long as there is room for. */
  private Traits @Nullable [] ownTraits;

  /** @param room for how many operations at first */
  BulkBody(int room, Traits traits, OperationRunner runner) {
    this.parts = new Object[room * PARTS];
    this.traits = traits;
    this.runner = runner;
  }

  int size() {
    return end / PARTS;
  }

  boolean isFull() {
    return end == parts.length;
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
      setTraits(size(), own);
    }
    set(end, name, footprint, work);
    end += PARTS;
  }

  private void setTraits(int index, Traits own) {
    if (ownTraits == null) {
      ownTraits = new Traits[parts.length / PARTS];
      Arrays.fill(ownTraits, traits);
    }
    ownTraits[index] = own;
  }

  void replace(int index, Operation operation) {
    setTraits(index, operation.traits());
    set(index * PARTS, operation.name(), operation.footprint(), operation.work());
  }

  private void set(int at, String name, Footprint footprint, Runnable work) {
    Object[] all = parts;
    all[at] = name;
    all[at + 1] = footprint;
    all[at + 2] = work;
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
    for (int i = 0; i < size(); i++) {
      run(i);
    }
  }

  private void run(int index) {
    Runnable work = work(index);
    if (traits(index).overwrites() || !runner.isClear(footprint(index))) {
      runner.run(operation(index), work);
      return;
    }
    try {
      work.run();
    } catch (Throwable e) {
      runner.failed(operation(index), e);
    }
  }
}
