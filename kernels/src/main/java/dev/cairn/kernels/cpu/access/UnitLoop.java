package dev.cairn.kernels.cpu.access;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The innermost loop of a copy: so many units of {@code unit} bytes, with a stride on either side. Units as wide as a
 * primitive are moved as one, longer ones as blocks; a unit that repeats into dense bytes is doubled until they are
 * full.
 *
 * @param unit bytes of one unit; at least 1
 */
public record UnitLoop(MemorySegment source, MemorySegment target, long unit) {

  /** Offsets and strides are in bytes. */
  public void run(long count, long from, long fromStride, long to, long toStride) {
    if (toStride == unit && (fromStride == 0 || fromStride == unit)) {
      dense(count, from, fromStride, to);
    } else {
      switch (width()) {
        case 1 -> bytes(count, from, fromStride, to, toStride);
        case 2 -> shorts(count, from, fromStride, to, toStride);
        case 4 -> ints(count, from, fromStride, to, toStride);
        case 8 -> longs(count, from, fromStride, to, toStride);
        default -> blocks(count, from, fromStride, to, toStride);
      }
    }
  }

  /** Copies a single unit; offsets are in bytes. */
  public void one(long from, long to) {
    switch (width()) {
      case 1 -> target.set(ValueLayout.JAVA_BYTE, to, source.get(ValueLayout.JAVA_BYTE, from));
      case 2 -> target.set(ValueLayout.JAVA_SHORT_UNALIGNED, to, source.get(ValueLayout.JAVA_SHORT_UNALIGNED, from));
      case 4 -> target.set(ValueLayout.JAVA_INT_UNALIGNED, to, source.get(ValueLayout.JAVA_INT_UNALIGNED, from));
      case 8 -> target.set(ValueLayout.JAVA_LONG_UNALIGNED, to, source.get(ValueLayout.JAVA_LONG_UNALIGNED, from));
      default -> MemorySegment.copy(source, from, target, to, unit);
    }
  }

  /** The unit where it may be as wide as a primitive, else 0. */
  private int width() {
    return unit <= Long.BYTES ? (int) unit : 0;
  }

  private void dense(long count, long from, long fromStride, long to) {
    long bytes = count * unit;
    if (fromStride == unit) {
      MemorySegment.copy(source, from, target, to, bytes);
      return;
    }
    switch (width()) {
      case 1 -> target.asSlice(to, count).fill(source.get(ValueLayout.JAVA_BYTE, from));
      case 2 -> fill(source.get(ValueLayout.JAVA_SHORT_UNALIGNED, from), count, to);
      case 4 -> fill(source.get(ValueLayout.JAVA_INT_UNALIGNED, from), count, to);
      case 8 -> fill(source.get(ValueLayout.JAVA_LONG_UNALIGNED, from), count, to);
      default -> {
        MemorySegment.copy(source, from, target, to, unit);
        for (long done = unit; done < bytes; done *= 2) {
          MemorySegment.copy(target, to, target, to + done, Math.min(done, bytes - done));
        }
      }
    }
  }

  private void fill(short value, long count, long to) {
    for (long i = 0; i < count; i++) {
      target.set(ValueLayout.JAVA_SHORT_UNALIGNED, to + i * Short.BYTES, value);
    }
  }

  private void fill(int value, long count, long to) {
    for (long i = 0; i < count; i++) {
      target.set(ValueLayout.JAVA_INT_UNALIGNED, to + i * Integer.BYTES, value);
    }
  }

  private void fill(long value, long count, long to) {
    for (long i = 0; i < count; i++) {
      target.set(ValueLayout.JAVA_LONG_UNALIGNED, to + i * Long.BYTES, value);
    }
  }

  private void blocks(long count, long from, long fromStride, long to, long toStride) {
    for (long i = 0; i < count; i++) {
      MemorySegment.copy(source, from + i * fromStride, target, to + i * toStride, unit);
    }
  }

  private void bytes(long count, long from, long fromStride, long to, long toStride) {
    for (long i = 0; i < count; i++) {
      target.set(ValueLayout.JAVA_BYTE, to + i * toStride, source.get(ValueLayout.JAVA_BYTE, from + i * fromStride));
    }
  }

  private void shorts(long count, long from, long fromStride, long to, long toStride) {
    var layout = ValueLayout.JAVA_SHORT_UNALIGNED;
    for (long i = 0; i < count; i++) {
      target.set(layout, to + i * toStride, source.get(layout, from + i * fromStride));
    }
  }

  private void ints(long count, long from, long fromStride, long to, long toStride) {
    var layout = ValueLayout.JAVA_INT_UNALIGNED;
    for (long i = 0; i < count; i++) {
      target.set(layout, to + i * toStride, source.get(layout, from + i * fromStride));
    }
  }

  private void longs(long count, long from, long fromStride, long to, long toStride) {
    var layout = ValueLayout.JAVA_LONG_UNALIGNED;
    for (long i = 0; i < count; i++) {
      target.set(layout, to + i * toStride, source.get(layout, from + i * fromStride));
    }
  }
}
