package dev.cairn.runtime.ndarray;

import dev.cairn.kernels.cpu.random.PhiloxGenerator;
import java.lang.foreign.MemorySegment;

/**
 * What one call of a function has besides its operands: temporary memory, and a stream of random numbers. Both are the
 * call's until it returns; for one thread.
 */
public final class ArrayResources {
  private final MemorySegment scratch;
  private final PhiloxGenerator random;
  private long next;

  ArrayResources(MemorySegment scratch, PhiloxGenerator random) {
    this.scratch = scratch;
    this.random = random;
  }

  /** Memory of as many bytes as the call asked for, aligned to 64 bytes. Its values are undefined. */
  public MemorySegment scratch() {
    return scratch;
  }

  /** Fills an array with the next numbers from 0 to 1, without 1, all as likely. */
  public void uniform(double[] to) {
    random.uniform53(next, to, to.length);
    // Whatever kind of numbers comes next, it begins at a block of its own.
    next += Math.ceilDiv(to.length, 4) * 4L;
  }

  /** Fills an array with the next normally distributed numbers with mean 0 and deviation 1. */
  public void normal(double[] to) {
    random.normal(next, to, to.length);
    next += Math.ceilDiv(to.length, 4) * 4L;
  }
}
