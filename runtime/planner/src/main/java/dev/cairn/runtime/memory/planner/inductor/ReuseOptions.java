package dev.cairn.runtime.memory.planner.inductor;

/**
 * Variants of {@link LineReuse}.
 *
 * @param allowReuse whether anything is handed over at all; off, lines are only dropped
 * @param fullKey the newer key: alignment and stream must be the same too, not only device, data type and size
 * @param peakTest the newer test before a takeover: unless the one was freed by the kernel directly before the other's,
 *   the bytes that lie idle in between must not raise the peak of live bytes above that of the run without any
 *   takeover. One that is refused goes back on its stack. It assumes that what is not taken over goes back to an
 *   allocator; in a plan whose pools stay for the whole run it can only cost
 */
public record ReuseOptions(boolean allowReuse, boolean fullKey, boolean peakTest) {
  /** Reuse by device, data type and size. */
  public static final ReuseOptions PLAIN = new ReuseOptions(true, false, false);
  /** What newer versions do: the full key and the peak test. */
  public static final ReuseOptions NEWER = new ReuseOptions(true, true, true);
}
