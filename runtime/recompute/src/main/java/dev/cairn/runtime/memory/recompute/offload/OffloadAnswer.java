package dev.cairn.runtime.memory.recompute.offload;

import java.util.List;

/**
 * Which values wait in the host's memory, and when.
 *
 * @param moves in the order of their copies out
 * @param peakBytes what the fullest step holds
 * @param copiedBytes in one direction, in one run
 * @param work of all steps
 * @param takenWork of a run: the work, and how long steps wait for copies
 * @param copyWork of all copies, in both directions
 */
public record OffloadAnswer(List<OffloadMove> moves, long peakBytes, long copiedBytes, long work, double takenWork,
  double copyWork) {
  public OffloadAnswer {
    moves = List.copyOf(moves);
  }

  /** The part of the copies' time in which steps run, 1 when no step waits. */
  public double hidden() {
    return copyWork == 0 ? 1 : Math.max(0, 1 - (takenWork - work) / copyWork);
  }
}
