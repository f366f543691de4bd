package dev.cairn.runtime.memory.planner;

import dev.cairn.runtime.memory.Buffer;
import dev.cairn.runtime.memory.Lifetime;
import dev.cairn.runtime.memory.MemoryProblem;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Decides the peak test of {@link ReusePlanner}: whether bytes may lie idle between two buffers without raising the
 * peak of live bytes above that of the run without any takeover. Time is cut at the steps where a buffer begins or
 * ends. Changes as it answers; not for several threads.
 */
sealed interface LivePeaks {
  /** Lets every takeover pass. */
  LivePeaks UNLIMITED = new Unlimited();

  /** The peaks of a problem before any takeover. */
  static LivePeaks of(MemoryProblem problem) {
    return new Counted(problem);
  }

  /**
   * Whether {@code next} may take over what {@code dead} left; if so, the bytes count as live in between from now on.
   */
  boolean takeOver(Buffer dead, Buffer next);

  /** See {@link #UNLIMITED}. */
  record Unlimited() implements LivePeaks {
    @Override
    public boolean takeOver(Buffer dead, Buffer next) {
      return true;
    }
  }

  /** See {@link #of}. */
  final class Counted implements LivePeaks {
    private final int[] cuts;
    private final RangePeaks liveBytes;
    private final long overallPeak;

    private Counted(MemoryProblem problem) {
      List<Lifetime> held = problem.held();
      cuts = held.stream().flatMapToInt(lifetime -> IntStream.of(lifetime.first(), lifetime.end())).sorted().distinct()
        .toArray();
      liveBytes = new RangePeaks(Math.max(1, cuts.length));
      for (int i = 0; i < held.size(); i++) {
        liveBytes.add(cut(held.get(i).first()), cut(held.get(i).end()), problem.buffer(i).bytes());
      }
      overallPeak = liveBytes.max(0, Math.max(1, cuts.length));
    }

    @Override
    public boolean takeOver(Buffer dead, Buffer next) {
      int idleFrom = cut(dead.lifetime().end());
      int idleTo = cut(next.lifetime().first());
      if (idleFrom == idleTo) {
        return true;
      }
      if (next.bytes() + liveBytes.max(idleFrom, idleTo) > overallPeak) {
        return false;
      }
      liveBytes.add(idleFrom, idleTo, next.bytes());
      return true;
    }

    private int cut(int step) {
      return Arrays.binarySearch(cuts, step);
    }
  }
}
