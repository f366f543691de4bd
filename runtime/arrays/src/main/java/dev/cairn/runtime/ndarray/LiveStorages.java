package dev.cairn.runtime.ndarray;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All storages that arrays hold. Thread-safe. A list through the storages themselves, so that it makes no garbage. */
final class LiveStorages {
  private static final Logger LOG = LoggerFactory.getLogger(ArrayRuntime.class);
  private static final int MOST_NAMED = 10;

  private @Nullable ArrayStorage first;
  private int count;

  synchronized void add(ArrayStorage storage) {
    ArrayStorage next = first;
    storage.after = next;
    if (next != null) {
      next.before = storage;
    }
    storage.isListed = true;
    first = storage;
    count++;
  }

  synchronized void remove(ArrayStorage storage) {
    if (!storage.isListed) {
      return;
    }
    ArrayStorage left = storage.before;
    ArrayStorage right = storage.after;
    if (left == null) {
      first = right;
    } else {
      left.after = right;
    }
    if (right != null) {
      right.before = left;
    }
    storage.before = null;
    storage.after = null;
    storage.isListed = false;
    count--;
  }

  synchronized int count() {
    return count;
  }

  /** All of them, the latest first. */
  synchronized List<ArrayStorage> all() {
    List<ArrayStorage> all = new ArrayList<>(count);
    for (ArrayStorage it = first; it != null; it = it.after) {
      all.add(it);
    }
    return all;
  }

  /**
   * Logs the storages that open arrays hold. Then drops all storages, also those that threads make meanwhile. All
   * operations must have ended.
   */
  void dropAll() {
    List<ArrayStorage> left = all().stream().filter(ArrayStorage::isHeldByArrays).toList();
    if (!left.isEmpty()) {
      LOG.warn("arrays are still open: {}", describe(left));
    }
    RuntimeException failure = null;
    while (count() > 0) {
      for (ArrayStorage storage : all()) {
        try {
          storage.drop();
        } catch (RuntimeException e) {
          // What the program does when its memory is no longer used; the other arrays are dropped all the same.
          if (failure == null) {
            failure = e;
          } else {
            failure.addSuppressed(e);
          }
        }
      }
      Thread.onSpinWait();
    }
    if (failure != null) {
      throw failure;
    }
  }

  /** Which arrays hold a device's memory, the largest first: bytes, operation, type, and line if lines are noted. */
  String holders(ArrayDevice device) {
    List<ArrayStorage> holding = all().stream().filter(it -> it.device.equals(device) && it.holdsMemory())
      .sorted(Comparator.comparingLong(
        ArrayStorage::bytes).reversed())
      .toList();
    List<String> largest = holding.stream().limit(MOST_NAMED).map(it -> it.bytes() + " bytes of " + it).toList();
    String named = largest.isEmpty() ? "" : ", the largest: " + String.join(", ", largest);
    int closing = device.room().closing();
    return "%d arrays hold %d bytes%s".formatted(holding.size(), holding.stream().mapToLong(ArrayStorage::bytes).sum(),
      named)
      + (closing == 0
        ? ""
        : "; %d closed arrays hold theirs until their last calls have run: end the bulks that hold calls back"
          .formatted(
            closing));
  }

  /** Some storages for people. */
  static String describe(List<ArrayStorage> storages) {
    return "storages=%d bytes=%d latest=%s".formatted(storages.size(),
      storages.stream().mapToLong(ArrayStorage::bytes).sum(),
      storages.stream().limit(MOST_NAMED).toList());
  }
}
