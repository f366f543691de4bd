package dev.cairn.kernels.cpu.elementwise;

import dev.cairn.kernels.cpu.access.Broadcast;
import dev.cairn.kernels.cpu.access.LoopCopy;
import java.lang.foreign.MemorySegment;

/**
 * A loop over two operands of one element type, whichever it is; its copies are made by {@link LoopCopy}. The last
 * vector of a run ends with it, so it may overlap with the vector before; it is computed first and written last, since
 * the output may be an operand.
 */
abstract class LaneLoop {
  /** Makes elements {@code [first, end)} of the output. */
  final void run(MemorySegment a, MemorySegment b, MemorySegment target, Broadcast broadcast, long first, long end) {
    var runs = broadcast.runs(first, end);
    while (runs.next()) {
      if (runs.length() < lanes()) {
        for (long i = 0; i < runs.length(); i++) {
          one(a, runs.offset(0) + i * broadcast.step(0), b, runs.offset(1) + i * broadcast.step(1), target, runs
            .output() + i);
        }
      } else if (broadcast.step(0) == 0) {
        firstRepeats(a, b, target, runs);
      } else if (broadcast.step(1) == 0) {
        secondRepeats(a, b, target, runs);
      } else {
        bothWalk(a, b, target, runs);
      }
    }
  }

  abstract int lanes();

  /** A single element. */
  abstract void one(MemorySegment a, long aAt, MemorySegment b, long bAt, MemorySegment target, long at);

  /** A run of at least as many elements as a vector has. */
  abstract void bothWalk(MemorySegment a, MemorySegment b, MemorySegment target, Broadcast.Runs runs);

  /** Like {@link #bothWalk}; the first operand is one element. */
  abstract void firstRepeats(MemorySegment a, MemorySegment b, MemorySegment target, Broadcast.Runs runs);

  /** Like {@link #bothWalk}; the second operand is one element. */
  abstract void secondRepeats(MemorySegment a, MemorySegment b, MemorySegment target, Broadcast.Runs runs);
}
