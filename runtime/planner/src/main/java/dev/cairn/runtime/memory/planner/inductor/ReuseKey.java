package dev.cairn.runtime.memory.planner.inductor;

/**
 * The properties that two buffers must share for one to take over the other's bytes. The size is compared as text:
 * {@code s0} and {@code s1} differ though they may be equal now.
 */
record ReuseKey(String device, String dtype, String bytes, long alignment, int stream) {
  /** @param full whether alignment and stream count */
  static ReuseKey of(LineBuffer buffer, boolean full) {
    return new ReuseKey(buffer.device(), buffer.dtype(), buffer.bytes().toString(), full ? buffer.alignment() : 1,
      full ? buffer.stream() : 0);
  }
}
