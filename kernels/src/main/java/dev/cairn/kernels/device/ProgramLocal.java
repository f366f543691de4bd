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
  private static final ThreadLocal<Values> VALUES = ThreadLocal.withInitial(Values::new);

  /** The values of one program on a thread. */
  private static final class Values {
    private @Nullable Object[] all = {};
    private int count;

    /** The place of a value, behind its key; -1 if there is none. */
    int find(ProgramLocal<?> key) {
      for (int i = 0; i < count; i += 2) {
        if (all[i] == key) {
          return i + 1;
        }
      }
      return -1;
    }

    void add(ProgramLocal<?> key, Object value) {
      if (count == all.length) {
        all = Arrays.copyOf(all, count + 8);
      }
      all[count++] = key;
      all[count++] = value;
    }

    /** The last one takes its place. */
    void remove(int at) {
      all[at] = all[--count];
      all[count] = null;
      all[at - 1] = all[--count];
      all[count] = null;
    }
  }

  /** This thread's; null if there is none. */
  @SuppressWarnings("unchecked") // only set() writes
  public @Nullable T get() {
    Values values = VALUES.get();
    int at = values.find(this);
    return at < 0 ? null : (T) values.all[at];
  }

  /** Sets this thread's; null for none. */
  public void set(@Nullable T value) {
    Values values = VALUES.get();
    int at = values.find(this);
    if (at < 0 && value != null) {
      values.add(this, value);
    } else if (value != null) {
      values.all[at] = value;
    } else if (at >= 0) {
      values.remove(at);
    }
  }

  /** Runs work that has none of this thread's values; its settings are gone afterwards. */
  public static void without(Runnable work) {
    Values before = VALUES.get();
    VALUES.set(new Values());
    try {
      work.run();
    } finally {
      VALUES.set(before);
    }
  }
}
