package dev.cairn.kernels.cpu.movement;

import java.util.Locale;

/**
 * How {@code Pad} changes one axis. A negative count cuts indexes off; the modes that repeat do not see a part that is
 * cut off.
 *
 * @param extent of the axis before
 * @param begin indexes put before it
 * @param end indexes put behind it
 */
record PadAxis(long extent, long begin, long end) {

  /** Which elements stand outside the tensor. */
  enum Mode {
    CONSTANT,
    EDGE,
    REFLECT,
    WRAP;

    static Mode of(String text) {
      for (Mode mode : values()) {
        if (mode.name().toLowerCase(Locale.ROOT).equals(text)) {
          return mode;
        }
      }
      throw new IllegalArgumentException("no such mode: operator=Pad mode=" + text);
    }
  }

  long paddedExtent() {
    return extent + begin + end;
  }

  boolean isUntouched() {
    return begin == 0 && end == 0;
  }

  /** How many indexes of the axis are left, in one piece. */
  long kept() {
    return Math.max(0, extent - cut() - Math.max(0, -end));
  }

  /** The index in the padded axis of the first element that is left. */
  long keptAt() {
    return Math.max(0, begin);
  }

  private long cut() {
    return Math.max(0, -begin);
  }

  /** The index of the axis that stands at an index of the padded one; -1 for the fill value. */
  long source(Mode mode, long index) {
    long at = index - keptAt();
    long kept = kept();
    if (at >= 0 && at < kept) {
      return cut() + at;
    }
    if (mode == Mode.CONSTANT) {
      return -1;
    }
    if (kept == 0) {
      throw new IllegalArgumentException("nothing to repeat: operator=Pad mode=%s axis=%s".formatted(mode, this));
    }
    return cut() + switch (mode) {
      case EDGE -> Math.clamp(at, 0L, kept - 1);
      case REFLECT -> reflected(at, kept);
      case WRAP, CONSTANT -> Math.floorMod(at, kept);
    };
  }

  /** Back and forth, the outermost indexes not repeated. */
  private static long reflected(long at, long kept) {
    if (kept == 1) {
      return 0;
    }
    long period = 2 * (kept - 1);
    long place = Math.floorMod(at, period);
    return place < kept ? place : period - place;
  }
}
