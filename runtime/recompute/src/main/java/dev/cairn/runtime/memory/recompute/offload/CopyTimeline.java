package dev.cairn.runtime.memory.recompute.offload;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * How long a word takes with copies beside its steps. There is one channel in each direction, first in, first out. A
 * copy out begins when the last step before it that uses the value has ended, a copy in when its bytes are free and the
 * copy out has ended. A step waits for the copies in that it reads, and for copies out whose bytes it may take.
 */
final class CopyTimeline {
  private final long[] work;
  private final double workPerByte;

  /**
   * @param work of each step, in any unit
   * @param workPerByte the work that steps do while a byte is copied
   */
  CopyTimeline(long[] work, double workPerByte) {
    this.work = work.clone();
    this.workPerByte = workPerByte;
  }

  /** When the last step ends. */
  double taken(List<OffloadMove> moves) {
    List<OffloadMove> outs = new ArrayList<>(moves);
    outs.sort(Comparator.comparingInt(OffloadMove::out).thenComparingInt(OffloadMove::from));
    List<OffloadMove> ins = new ArrayList<>(moves);
    ins.sort(Comparator.comparingInt(OffloadMove::in).thenComparingInt(OffloadMove::to));
    double[] ends = new double[work.length];
    double[] arrived = new double[work.length];
    double now = 0;
    double outFree = 0;
    double inFree = 0;
    int nextOut = 0;
    int nextIn = 0;
    for (int step = 0; step < work.length; step++) {
      for (; nextOut < outs.size() && outs.get(nextOut).out() == step; nextOut++) {
        OffloadMove move = outs.get(nextOut);
        outFree = Math.max(outFree, ends[move.from()]) + copyWork(move.bytes());
        now = Math.max(now, outFree);
      }
      for (; nextIn < ins.size() && ins.get(nextIn).in() == step; nextIn++) {
        OffloadMove move = ins.get(nextIn);
        inFree = Math.max(inFree, now) + copyWork(move.bytes());
        arrived[move.to()] = Math.max(arrived[move.to()], inFree);
      }
      now = Math.max(now, arrived[step]) + work[step];
      ends[step] = now;
    }
    return now;
  }

  /** The work of copying so many bytes. */
  double copyWork(long bytes) {
    return bytes * workPerByte;
  }
}
