package dev.cairn.kernels.device;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A value that a thread has for the program it runs, such as its innermost open scope. Foreign work that runs on
 * the thread meanwhile, as an operation does on a thread that waits, has none of the thread's values. A thread has
 * few of them: they are found by looking at each. For static fields, and for objects with values of their own.
 *
 * @param <T> what it is
 */
public final class ProgramLocal<T> {
  /**
   * Of the program on a thread: a key, its value, the next key and so on, then nulls. A plain array, since a thread may
   * outlive the class loader of this class: a thread without values keeps no object of that loader.
   */
  private static final ThreadLocal<@Nullable Object[]> VALUES = ThreadLocal.withInitial(() -> ProgramLocal.NONE);
  /** Of all programs without values. */
  private static final @Nullable Object[] NONE = {};

  /** This thread's; null if there is none. */
  @SuppressWarnings("unchecked") // only set() writes
  public @Nullable T get() {
    @Nullable
    Object[] all = VALUES.get();
    int at = find(all);
    return at < 0 ? null : (T) all[at + 1];
  }

  /** The place of this key; -1 if there is none. */
  @SuppressWarnings("ReferenceEquality")
  private int find(@Nullable Object[] all) {
    for (int i = 0; i < all.length && all[i] != null; i += 2) {
      if (all[i] == this) {
        return i;
      }
    }
    return -1;
  }

  /** Sets this thread's; null for none. */
  public void set(@Nullable T value) {
    @Nullable
    Object[] all = VALUES.get();
    int at = find(all);
    if (at < 0 && value != null) {
      add(all, value);
    } else if (value != null) {
      all[at + 1] = value;
    } else if (at >= 0) {
      remove(all, at);
    }
  }

  private void add(@Nullable Object[] all, T value) {
    int end = end(all);
    @Nullable
    Object[] wide = all;
    if (end == all.length) {
      wide = Arrays.copyOf(all, end + 8);
      VALUES.set(wide);
    }
    wide[end] = this;
    wide[end + 1] = value;
  }

  /** The last one takes its place. */
  private static void remove(@Nullable Object[] all, int at) {
    int last = end(all) - 2;
    all[at] = all[last];
    all[at + 1] = all[last + 1];
    all[last] = null;
    all[last + 1] = null;
  }

  private static int end(@Nullable Object[] all) {
    int end = 0;
    while (end < all.length && all[end] != null) {
      end += 2;
    }
    return end;
  }

  /** Runs work that has none of this thread's values; its settings are gone afterwards. */
  public static void without(Runnable work) {
    @Nullable
    Object[] before = VALUES.get();
    VALUES.set(NONE);
    try {
      work.run();
    } finally {
      VALUES.set(before);
    }
  }
}
