package dev.cairn.runtime.ndarray.storage;

import dev.cairn.allocator.Owner;
import java.lang.ref.Cleaner;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes arrays without a scope that are unreachable and were not closed: the last resort. It warns once for
 * each operation, type and line. Thread-safe.
 */
public final class Leaks {
  private static final Logger LOG = LoggerFactory.getLogger(Leaks.class);
  private static final Cleaner CLEANER = Cleaner.create();

  private final Set<Owner> told = ConcurrentHashMap.newKeySet();

  /** Closes the hold when nothing can reach its array. */
  public void watch(Object array, Hold hold) {
    CLEANER.register(array, () -> closeLeaked(hold));
  }

  private void closeLeaked(Hold hold) {
    ArrayStorage storage = hold.storage();
    if (!storage.engine().isClosed() && hold.end() && told.add(storage.origin())) {
      LOG.warn("an array was not closed, and the garbage collector found it: close it, or make it in a scope: {}",
        storage);
    }
  }
}
