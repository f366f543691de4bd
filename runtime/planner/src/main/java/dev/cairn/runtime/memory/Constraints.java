package dev.cairn.runtime.memory;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;

/**
 * Rare constraints of a buffer, beyond bytes, lifetime and alignment. A value.
 *
 * @param fixedOffset the offset in the first pool of its device, if the caller fixes it
 * @param gaps steps of its lifetime at which other buffers may use its bytes; ascending and disjoint
 * @param device the device of its memory, at least 0; buffers of different devices never share a pool
 * @param isExact whether it takes its bytes alone, without those up to the next multiple of its alignment
 */
public record Constraints(OptionalLong fixedOffset, List<Lifetime> gaps, int device, boolean isExact) {
  /** Placed anywhere, no gaps, on device 0, with bytes that are rounded up to the alignment. */
  public static final Constraints NONE = new Constraints(OptionalLong.empty(), List.of(), 0, false);

  public Constraints {
    gaps = merged(gaps);
    if (device < 0) {
      throw new IllegalArgumentException("negative device: device=" + device);
    }
  }

  Constraints withFixedOffset(long offset) {
    return new Constraints(OptionalLong.of(offset), gaps, device, isExact);
  }

  Constraints withGaps(List<Lifetime> newGaps) {
    return new Constraints(fixedOffset, newGaps, device, isExact);
  }

  Constraints onDevice(int newDevice) {
    return new Constraints(fixedOffset, gaps, newDevice, isExact);
  }

  Constraints exact() {
    return new Constraints(fixedOffset, gaps, device, true);
  }

  /** The end of the gap around the step, or the step itself if it is in no gap. */
  int gapEnd(int step) {
    for (int i = 0; i < gaps.size(); i++) {
      Lifetime gap = gaps.get(i);
      if (gap.contains(step)) {
        return gap.end();
      }
    }
    return step;
  }

  /** Text form: each present constraint, with a space before it. */
  @Override
  public String toString() {
    return (fixedOffset.isPresent() ? " fixed=" + fixedOffset.getAsLong() : "")
      + (gaps.isEmpty() ? "" : " gaps=" + gaps) + (device == 0 ? "" : " device=" + device)
      + (isExact ? " exact" : "");
  }

  private static List<Lifetime> merged(List<Lifetime> gaps) {
    if (gaps.size() < 2) {
      return List.copyOf(gaps);
    }
    List<Lifetime> merged = new ArrayList<>();
    for (Lifetime gap : gaps.stream().sorted(Comparator.comparingInt(Lifetime::first)).toList()) {
      if (!merged.isEmpty() && gap.first() <= merged.getLast().end()) {
        Lifetime last = merged.removeLast();
        merged.add(new Lifetime(last.first(), Math.max(last.end(), gap.end())));
      } else {
        merged.add(gap);
      }
    }
    return List.copyOf(merged);
  }
}
