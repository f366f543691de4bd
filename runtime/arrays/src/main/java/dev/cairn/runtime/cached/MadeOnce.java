package dev.cairn.runtime.cached;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Keeps values by key up to a limit, and drops the least recently used. The first thread that asks for a key makes its
 * value, without a lock; others that ask meanwhile wait for it. A failure goes to all of them and is not kept.
 * Thread-safe.
 */
final class MadeOnce<K, V> {
  private final int most;
  private final Consumer<V> dropped;
  private final Map<K, CompletableFuture<V>> values = new LinkedHashMap<>(16, 0.75f, true);
  private boolean closed;

  /** @param dropped takes each value that is no longer kept, once */
  MadeOnce(int most, Consumer<V> dropped) {
    this.most = most;
    this.dropped = dropped;
  }

  /** @throws IllegalStateException when it is closed */
  V get(K key, Supplier<V> maker) {
    CompletableFuture<V> made = new CompletableFuture<>();
    CompletableFuture<V> known;
    CompletableFuture<V> oldest = null;
    synchronized (this) {
      if (closed) {
        throw new IllegalStateException("a cached function is closed");
      }
      known = values.get(key);
      if (known == null) {
        if (values.size() == most) {
          var entries = values.values().iterator();
          oldest = entries.next();
          entries.remove();
        }
        values.put(key, made);
      }
    }
    if (known != null) {
      return awaited(known);
    }
    if (oldest != null) {
      var _ = oldest.thenAccept(dropped);
    }
    try {
      made.complete(maker.get());
      return awaited(made);
    } catch (Throwable e) {
      synchronized (this) {
        values.remove(key, made);
      }
      made.completeExceptionally(e);
      throw e;
    }
  }

  private static <V> V awaited(CompletableFuture<V> made) {
    try {
      return made.join();
    } catch (CompletionException e) {
      switch (e.getCause()) {
        case RuntimeException failure -> throw failure;
        case Error failure -> throw failure;
        case null, default -> throw e;
      }
    }
  }

  synchronized int size() {
    return values.size();
  }

  /** Drops all values; those that threads are making are dropped when they are made. */
  void clear() {
    Map<K, CompletableFuture<V>> all;
    synchronized (this) {
      all = new LinkedHashMap<>(values);
      values.clear();
    }
    for (CompletableFuture<V> value : all.values()) {
      var _ = value.thenAccept(dropped);
    }
  }

  /** Drops all values and refuses further calls. */
  void close() {
    synchronized (this) {
      closed = true;
    }
    clear();
  }
}
