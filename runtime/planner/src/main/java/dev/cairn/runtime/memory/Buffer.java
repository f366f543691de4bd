package dev.cairn.runtime.memory;

import java.util.List;
import java.util.OptionalLong;

/**
 * Bytes that a run needs for some steps. A value, built by {@link #of} and the {@code with…} methods.
 *
 * @param name unique in its problem, not blank
 * @param bytes requested bytes, at least 0; the buffer takes {@link #reservedBytes()}
 * @param lifetime the steps that need the buffer
 * @param alignment the alignment of its address in bytes, a power of two
 * @param reuseKey an opaque key; a planner that reuses whole buffers reuses only those with an equal key. It contains
 *   device, data type and symbolic size, to distinguish sizes that are equal by chance. May be empty
 * @param reusable whether later buffers may reuse the bytes; if not, the buffer keeps them to the last step
 * @param output whether the caller reads it after the last step; then it keeps its bytes to the last step
 * @param constraints fixed offset, gaps, device, whether its end is aligned
 */
public record Buffer(String name, long bytes, Lifetime lifetime, long alignment, String reuseKey, boolean reusable,
  boolean output, Constraints constraints) {

  public Buffer {
    if (name.isBlank()) {
      throw new IllegalArgumentException("buffer without a name: bytes=%d lifetime=%s".formatted(bytes, lifetime));
    }
    if (bytes < 0) {
      throw new IllegalArgumentException("negative bytes: buffer=%s bytes=%d".formatted(name, bytes));
    }
    if (!OffsetAlignment.isPowerOfTwo(alignment)) {
      throw new IllegalArgumentException(
        "alignment is not a power of two: buffer=%s alignment=%d".formatted(name, alignment));
    }
    if (bytes > Long.MAX_VALUE - alignment + 1) {
      throw new IllegalArgumentException(
        "bytes overflow when aligned: buffer=%s bytes=%d alignment=%d".formatted(name, bytes, alignment));
    }
    requireGapsInside(name, lifetime, reusable && !output, constraints.gaps());
  }

  /** An unaligned, reusable buffer: not an output, without reuse key and constraints. */
  public static Buffer of(String name, long bytes, Lifetime lifetime) {
    return new Buffer(name, bytes, lifetime, 1, "", true, false, Constraints.NONE);
  }

  public Buffer withName(String newName) {
    return new Buffer(newName, bytes, lifetime, alignment, reuseKey, reusable, output, constraints);
  }

  public Buffer withAlignment(long newAlignment) {
    return new Buffer(name, bytes, lifetime, newAlignment, reuseKey, reusable, output, constraints);
  }

  public Buffer withReuseKey(String newReuseKey) {
    return new Buffer(name, bytes, lifetime, alignment, newReuseKey, reusable, output, constraints);
  }

  /** This buffer, but later buffers may not reuse its bytes. */
  public Buffer withoutReuse() {
    return new Buffer(name, bytes, lifetime, alignment, reuseKey, false, output, constraints);
  }

  /** This buffer as a graph output, which the caller reads after the last step. */
  public Buffer asOutput() {
    return new Buffer(name, bytes, lifetime, alignment, reuseKey, reusable, true, constraints);
  }

  /** This buffer at a fixed offset in the first pool of its device. The problem checks that this is possible. */
  public Buffer withFixedOffset(long offset) {
    return with(constraints.withFixedOffset(offset));
  }

  /**
   * This buffer with gaps: steps of its lifetime, in any order, at which other buffers may use its bytes. A buffer kept
   * to the last step has no gap at its end.
   */
  public Buffer withGaps(List<Lifetime> gaps) {
    return with(constraints.withGaps(gaps));
  }

  public Buffer onDevice(int device) {
    return with(constraints.onDevice(device));
  }

  /** This buffer, but its end need not be aligned: another one may begin right behind its bytes. */
  public Buffer exact() {
    return alignment == 1 ? this : with(constraints.exact());
  }

  public OptionalLong fixedOffset() {
    return constraints.fixedOffset();
  }

  /** The gaps: ascending, disjoint and within the lifetime. */
  public List<Lifetime> gaps() {
    return constraints.gaps();
  }

  public int device() {
    return constraints.device();
  }

  /** The buffer's bytes, rounded up to its alignment if it isn't {@link #exact}. */
  public long reservedBytes() {
    return constraints.isExact() ? bytes : OffsetAlignment.up(bytes, alignment);
  }

  /**
   * Text form: {@code x: 100 bytes [0, 3) align=64 key=cpu/float32/s0 kept output fixed=0 gaps=[[1, 2)] device=1
   * exact}.
   */
  @Override
  public String toString() {
    return name + ": " + bytes + " bytes " + lifetime + (alignment == 1 ? "" : " align=" + alignment)
      + (reuseKey.isEmpty() ? "" : " key=" + reuseKey) + (reusable ? "" : " kept") + (output ? " output" : "")
      + constraints;
  }

  /** The first step at which it no longer owns its bytes; the maximum step if it keeps them to the last step. */
  int heldEnd() {
    return reusable && !output ? lifetime.end() : Integer.MAX_VALUE;
  }

  private Buffer with(Constraints newConstraints) {
    return new Buffer(name, bytes, lifetime, alignment, reuseKey, reusable, output, newConstraints);
  }

  private static void requireGapsInside(String name, Lifetime lifetime, boolean mayEnd, List<Lifetime> gaps) {
    int latestEnd = mayEnd ? lifetime.end() : lifetime.end() - 1;
    for (Lifetime gap : gaps) {
      if (gap.first() < lifetime.first() || gap.end() > latestEnd) {
        throw new IllegalArgumentException("gap outside the lifetime, or at the end of a buffer kept to the last step: "
          + "buffer=%s lifetime=%s gap=%s".formatted(name, lifetime, gap));
      }
    }
  }
}
