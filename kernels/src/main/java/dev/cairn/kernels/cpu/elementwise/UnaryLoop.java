package dev.cairn.kernels.cpu.elementwise;

import dev.cairn.kernels.cpu.access.LoopCopy;
import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.FloatVector;

/** A loop that maps each {@code float32} of a range by itself; its copies are made by {@link LoopCopy}. */
interface UnaryLoop {
  /** Maps elements {@code [first, end)}; {@code target} may be {@code source}. */
  void run(MemorySegment source, MemorySegment target, long first, long end, Parameters parameters);

  /** The function of each vector. Must be free of state, and small enough to be inlined. */
  @FunctionalInterface
  interface Function {
    FloatVector apply(FloatVector x, float a, float b);
  }

  /** Two numbers that a function may depend on, such as a slope or a bound. */
  record Parameters(float a, float b) {
    static final Parameters NONE = new Parameters(0, 0);
  }
}
