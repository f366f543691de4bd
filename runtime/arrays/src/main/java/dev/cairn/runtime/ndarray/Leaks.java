package dev.cairn.runtime.ndarray;

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
final class Leaks {
  private static final Logger LOG = LoggerFactory.getLogger(Leaks.class);
  private static final Cleaner CLEANER = Cleaner.create();

  private final Set<Owner> told = ConcurrentHashMap.newKeySet();

  void watch(NDArray array) {
    Hold hold = array.share();
    ArrayStorage storage = array.range().storage();
    CLEANER.register(array, () -> closeLeaked(hold, storage));
  }

  private void closeLeaked(Hold hold, ArrayStorage storage) {
    if (!storage.runtime.isClosed() && hold.close() && told.add(storage.origin())) {
      LOG.warn("an array was not closed, and the garbage collector found it: close it, or make it in a scope: {}",
        storage);
    }
  }
}
