package dev.cairn.runtime.memory;

import java.util.List;
import java.util.OptionalLong;

/**
 * A number of bytes that a run wants for some steps. A value; built by {@link #of} and the {@code with…} methods, so
 * that a new property changes no caller.
 *
 * @param name unique in its problem, not blank
 * @param bytes bytes asked for, at least 0; it takes {@link #reservedBytes()}
 * @param lifetime steps at which the run needs them
 * @param alignment what its address must be a multiple of, in bytes; a power of two
 * @param reuseKey what a planner that hands over whole buffers compares besides the bytes: device, data type, and the
 *   symbolic size, so that two sizes which happen to be equal now are told apart. Opaque; empty when there is nothing
 *   to tell apart
 * @param reusable whether another buffer may take these bytes once this one has died. If not, they stay taken to the
 *   last step
 * @param output whether the caller reads it after the last step. If so, its bytes stay taken to the last step
 * @param constraints fixed offset, gaps, device
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

  /** An unaligned, reusable buffer that is no output and has no reuse key and no constraints. */
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

  /** The same, its bytes never given to another buffer after it. */
  public Buffer withoutReuse() {
    return new Buffer(name, bytes, lifetime, alignment, reuseKey, false, output, constraints);
  }

  /** The same as a graph output: read by the caller after the last step. */
  public Buffer asOutput() {
    return new Buffer(name, bytes, lifetime, alignment, reuseKey, reusable, true, constraints);
  }

  /** The same, to lie at this offset in the first pool of its device. Its problem checks that it can lie there. */
  public Buffer withFixedOffset(long offset) {
    return with(constraints.withFixedOffset(offset));
  }

  /**
   * The same, its bytes free for others at these steps of its life, in any order. What is held to the last step has no
   * gap at its end.
   */
  public Buffer withGaps(List<Lifetime> gaps) {
    return with(constraints.withGaps(gaps));
  }

  public Buffer onDevice(int device) {
    return with(constraints.onDevice(device));
  }

  public OptionalLong fixedOffset() {
    return constraints.fixedOffset();
  }

  /** Ascending, apart from one another, within the lifetime. */
  public List<Lifetime> gaps() {
    return constraints.gaps();
  }

  public int device() {
    return constraints.device();
  }

  /** The bytes it takes: its bytes rounded up to its alignment. */
  public long reservedBytes() {
    return OffsetAlignment.up(bytes, alignment);
  }

  /** Text form: {@code x: 100 bytes [0, 3) align=64 key=cpu/float32/s0 kept output fixed=0 gaps=[[1, 2)] device=1}. */
  @Override
  public String toString() {
    return name + ": " + bytes + " bytes " + lifetime + (alignment == 1 ? "" : " align=" + alignment)
      + (reuseKey.isEmpty() ? "" : " key=" + reuseKey) + (reusable ? "" : " kept") + (output ? " output" : "")
      + constraints;
  }

  /** The step at which its bytes are no longer its own; no step is later than that of what is held to the last. */
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
