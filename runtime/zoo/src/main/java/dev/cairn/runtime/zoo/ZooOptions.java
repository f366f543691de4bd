package dev.cairn.runtime.zoo;

import dev.cairn.runtime.graph.Dimension;

/**
 * How a reference model is built.
 *
 * @param batch items in a batch; at least 1, and not looked at when the batch is symbolic
 * @param sequenceLength tokens of one text, for the models that read text; at least 1
 * @param seed chooses the weights
 * @param symbolicBatch whether the batch is left open under the name {@code batch}, to be bound when the model is
 * compiled
 */
public record ZooOptions(int batch, int sequenceLength, long seed, boolean symbolicBatch) {
  public static final ZooOptions DEFAULT = new ZooOptions(1, 128, 1, false);

  public ZooOptions {
    if (batch < 1 || sequenceLength < 1) {
      throw new IllegalArgumentException("at least 1: batch=%d sequenceLength=%d".formatted(batch, sequenceLength));
    }
  }

  public ZooOptions withBatch(int other) {
    return new ZooOptions(other, sequenceLength, seed, false);
  }

  public ZooOptions withSymbolicBatch() {
    return new ZooOptions(batch, sequenceLength, seed, true);
  }

  public ZooOptions withSequenceLength(int other) {
    return new ZooOptions(batch, other, seed, symbolicBatch);
  }

  public ZooOptions withSeed(long other) {
    return new ZooOptions(batch, sequenceLength, other, symbolicBatch);
  }

  /** The batch as an extent of an input. */
  Dimension batchDimension() {
    return symbolicBatch ? new Dimension.Symbol("batch") : new Dimension.Fixed(batch);
  }

  /**
   * The batch as an extent of the shape that a {@code Reshape} reads: -1, worked out from the rest, when it is open.
   */
  long batchExtent() {
    return symbolicBatch ? -1 : batch;
  }

  /** The batch times {@code factor}, as an extent of the shape that a {@code Reshape} reads. */
  long batchTimes(long factor) {
    return symbolicBatch ? -1 : batch * factor;
  }
}
