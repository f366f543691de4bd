package dev.cairn.benchmarks.models;

import dev.cairn.kernels.tensor.TensorView;
import java.util.Collection;

/**
 * All outputs of a run in two numbers: enough to see that two engines did the same work, not to prove that they are
 * right, which the conformance tests do.
 *
 * @param meanMagnitude mean of the absolute values of all finite elements; 0 without any
 * @param notFinite how many elements are infinite or not a number
 */
public record OutputDigest(double meanMagnitude, long notFinite) {
  private static final double TOLERANCE = 1e-3;

  /** @throws IllegalArgumentException when an output is of strings */
  static OutputDigest of(Collection<TensorView> outputs) {
    double sum = 0;
    long finite = 0;
    long notFinite = 0;
    for (TensorView output : outputs) {
      for (long i = 0; i < output.elementCount(); i++) {
        double value = output.doubleAt(i);
        if (Double.isFinite(value)) {
          sum += Math.abs(value);
          finite++;
        } else {
          notFinite++;
        }
      }
    }
    return new OutputDigest(finite == 0 ? 0 : sum / finite, notFinite);
  }

  /** Whether two engines may have done the same work. */
  public boolean agreesWith(OutputDigest other) {
    double difference = Math.abs(meanMagnitude - other.meanMagnitude);
    return notFinite == other.notFinite && difference <= TOLERANCE * Math.max(meanMagnitude, other.meanMagnitude);
  }
}
