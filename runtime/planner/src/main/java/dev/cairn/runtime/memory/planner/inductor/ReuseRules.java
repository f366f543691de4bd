package dev.cairn.runtime.memory.planner.inductor;

/** Which takeovers {@link LineReuse} allows: Inductor's rules, older and newer. */
public enum ReuseRules {
  /** Device, data type and size must be the same. */
  PLAIN,
  /**
   * Alignment and stream must be the same too. If the kernel directly before the taker's freed the bytes, the takeover
   * is allowed. Otherwise it is tested: the bytes that lie idle in between must not raise the peak of live bytes above
   * the peak without any takeover. A buffer that is refused goes back on its stack. The test assumes that what is not
   * taken over goes back to an allocator; in a plan whose pools stay for the whole run it can only cost.
   */
  PEAK_TESTED
}
