package dev.cairn.runtime.memory.recompute.stream;

import java.util.List;

/**
 * Steps in their order, and the weights that they read.
 *
 * @param weights that may be streamed; all others are outside the problem
 * @param workPerByte the work that steps do while one byte is copied
 * @param capacityBytes for these weights and the steps' values together
 */
public record StreamProblem(List<Step> steps, List<Weight> weights, double workPerByte, long capacityBytes) {
  /**
   * One step.
   *
   * @param work how long it takes, in any unit
   * @param liveBytes what it holds without weights
   */
  public record Step(long work, long liveBytes) {}

  /**
   * A weight.
   *
   * @param bytes with what alignment adds
   * @param readers the steps that read it, ascending, at least one
   */
  public record Weight(long bytes, List<Integer> readers) {
    public Weight {
      readers = List.copyOf(readers);
      if (readers.isEmpty() || bytes <= 0) {
        throw new IllegalArgumentException("a weight has bytes and readers: bytes=%d readers=%s".formatted(bytes,
          readers));
      }
    }
  }

  public StreamProblem {
    steps = List.copyOf(steps);
    weights = List.copyOf(weights);
    for (Weight weight : weights) {
      if (weight.readers().getFirst() < 0 || weight.readers().getLast() >= steps.size()) {
        throw new IllegalArgumentException("no such step: readers=%s steps=%d".formatted(weight.readers(), steps
          .size()));
      }
    }
  }

  /** The work of copying so many bytes. */
  double copyWork(long bytes) {
    return bytes * workPerByte;
  }

  /** The least bytes of any choice: the most bytes of weights that one step reads. */
  public long leastBytes() {
    long[] read = new long[steps.size()];
    weights.forEach(weight -> weight.readers().forEach(step -> read[step] += weight.bytes()));
    long most = 0;
    for (long bytes : read) {
      most = Math.max(most, bytes);
    }
    return most;
  }
}
