package dev.cairn.runtime.memory.planner.inductor;

import java.util.HashSet;
import java.util.Set;

/**
 * Decides the peak test of {@link LineReuse}: whether bytes may lie idle from one kernel to another without raising the
 * peak of live bytes above that of the run without any takeover. Changes as it answers; not for several threads.
 */
sealed interface LivePeaks {
  /** Lets every takeover pass. */
  LivePeaks UNLIMITED = new Unlimited();

  /**
   * The peaks of a program before any takeover: a buffer is live from the kernel after its allocation to the one before
   * its free, or to the last.
   */
  static LivePeaks of(MemoryProgram program) {
    return new Counted(program);
  }

  /** The bytes that count for a buffer: 0 when a dimension is unbacked. */
  static long hintBytes(LineBuffer buffer) {
    return buffer.bytes().hint().orElse(0);
  }

  /**
   * Whether bytes that were freed before kernel {@code idleFrom} may be taken over before kernel {@code idleTo}; if so,
   * they count as live in between from now on.
   */
  boolean takeOver(int idleFrom, int idleTo, long bytes);

  /** See {@link #UNLIMITED}. */
  record Unlimited() implements LivePeaks {
    @Override
    public boolean takeOver(int idleFrom, int idleTo, long bytes) {
      return true;
    }
  }

  /** See {@link #of}. */
  final class Counted implements LivePeaks {
    private final int kernels;
    private final RangePeaks liveBytes;
    private final long overallPeak;

    private Counted(MemoryProgram program) {
      kernels = (int) program.lines().stream().filter(MemoryLine.Kernel.class::isInstance).count();
      liveBytes = new RangePeaks(Math.max(1, kernels));
      Set<String> begun = new HashSet<>();
      int kernel = 0;
      for (MemoryLine line : program.lines()) {
        switch (line) {
          case MemoryLine.Allocate(LineBuffer buffer) -> {
            if (!program.isRemoved(buffer)) {
              begin(begun, buffer, kernel);
            }
          }
          case MemoryLine.Free(LineBuffer buffer) -> end(begun, buffer, kernel);
          case MemoryLine.Reuse(LineBuffer from, LineBuffer to) -> {
            end(begun, from, kernel);
            if (!program.isRemoved(to)) {
              begin(begun, to, kernel);
            }
          }
          case MemoryLine.Kernel _ -> kernel++;
          case MemoryLine.EnterSubgraph _,MemoryLine.ExitSubgraph _ -> {}
        }
      }
      overallPeak = liveBytes.max(0, Math.max(1, kernels));
    }

    private void begin(Set<String> begun, LineBuffer buffer, int kernel) {
      begun.add(buffer.name());
      add(kernel, hintBytes(buffer));
    }

    private void end(Set<String> begun, LineBuffer buffer, int kernel) {
      if (begun.remove(buffer.name())) {
        add(kernel, -hintBytes(buffer));
      }
    }

    private void add(int kernel, long bytes) {
      if (kernel < kernels) {
        liveBytes.add(kernel, kernels, bytes);
      }
    }

    @Override
    public boolean takeOver(int idleFrom, int idleTo, long bytes) {
      if (idleFrom == idleTo) {
        return true;
      }
      if (liveBytes.max(idleFrom, idleTo) > overallPeak - bytes) {
        return false;
      }
      liveBytes.add(idleFrom, idleTo, bytes);
      return true;
    }
  }
}
