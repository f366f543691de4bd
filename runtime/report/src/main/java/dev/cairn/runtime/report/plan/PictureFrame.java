package dev.cairn.runtime.report.plan;

import dev.cairn.runtime.memory.Lifetime;
import java.util.ArrayList;
import java.util.List;

/**
 * Where times and addresses lie in a picture: time to the right, address up, both from zero at the edge.
 *
 * @param width in pixels
 * @param height in pixels
 * @param first the time at the left edge
 * @param end the time at the right edge, greater than {@code first}
 * @param bytes the address at the upper edge, greater than 0
 */
record PictureFrame(double width, double height, int first, int end, long bytes) {
  private static final int[] STEPS_OF_TEN = {1, 2, 5};

  /** The frame that holds all of a plan and its lower bound. */
  static PictureFrame of(PlanView view, double width, double height, long topBytes) {
    int first = view.problem().buffers().stream().mapToInt(it -> it.lifetime().first()).min().orElse(0);
    return new PictureFrame(width, height, first, Math.max(view.problem().steps(), first + 1), Math.max(topBytes, 1));
  }

  double x(long time) {
    return width * (time - first) / ((double) end - first);
  }

  double y(long address) {
    return height - height * address / bytes;
  }

  double width(Lifetime lifetime) {
    return x(lifetime.end()) - x(lifetime.first());
  }

  double height(long length) {
    return height * length / bytes;
  }

  /** Round times from edge to edge, at most so many. */
  List<Long> times(int most) {
    return multiples(first, end, decimalStep((long) end - first, most));
  }

  /** Round addresses from edge to edge, at most so many: multiples of a power of two times 1, 2 or 5. */
  List<Long> addresses(int most) {
    long unit = 1;
    while (bytes / unit >= 1024) {
      unit <<= 10;
    }
    // Below three units, round numbers of the next smaller unit read better: 512 KiB instead of 0.5 MiB.
    unit = bytes / unit < 3 ? Math.max(1, unit >> 10) : unit;
    long step = decimalStep(bytes / unit, most);
    if (unit > 1 && step >= 100) {
      step = Long.highestOneBit(step - 1) << 1;
    }
    return multiples(0, bytes, step * unit);
  }

  private static long decimalStep(long length, int most) {
    for (long ten = 1;; ten *= 10) {
      for (int factor : STEPS_OF_TEN) {
        if (length / (ten * factor) < most) {
          return ten * factor;
        }
      }
    }
  }

  private static List<Long> multiples(long first, long last, long step) {
    List<Long> multiples = new ArrayList<>();
    for (long it = Math.ceilDiv(first, step) * step; it <= last && it >= 0; it += step) {
      multiples.add(it);
    }
    return List.copyOf(multiples);
  }
}
