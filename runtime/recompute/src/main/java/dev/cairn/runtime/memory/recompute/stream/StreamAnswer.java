package dev.cairn.runtime.memory.recompute.stream;

import java.util.List;

/**
 * Which weights are streamed, and when.
 *
 * @param copies in the order in which they run
 * @param residentBytes of the weights that are not streamed
 * @param peakBytes resident weights, and what the fullest step holds beside them, slots included
 * @param copiedBytes in one run
 * @param work of all steps
 * @param takenWork of a run: the work, and how long steps wait for copies
 */
public record StreamAnswer(List<Copy> copies, long residentBytes, long peakBytes, long copiedBytes, long work,
  double takenWork) {
  /**
   * A copy of a weight into its slot. It begins when the step before {@code before} has ended, and those after {@code
   * before} don't wait for it until the first reader.
   *
   * @param weight its index in the problem
   * @param before the step before which the copy is issued, at most the first reader
   * @param first the first step that reads this copy
   * @param last the last one
   */
  public record Copy(int weight, int before, int first, int last) {}

  public StreamAnswer {
    copies = List.copyOf(copies);
  }

  /** How long steps wait for copies, as a part of their work. */
  public double stalled() {
    return work == 0 ? 0 : (takenWork - work) / work;
  }
}
