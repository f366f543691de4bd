package dev.cairn.benchmarks.recompute;

import dev.cairn.runtime.memory.recompute.LayerRule;
import dev.cairn.runtime.memory.recompute.LayerRule.ForwardLayer;
import dev.cairn.runtime.memory.recompute.RecomputeProblem;
import dev.cairn.runtime.memory.recompute.stream.StreamProblem;
import java.util.ArrayList;
import java.util.List;

/**
 * A transformer on a GPU that does 60 operations while it moves a byte of its memory, at 1.536 TB/s: steps, their
 * counted work, and their bytes.
 *
 * @param blocks its layers
 * @param width of the hidden state
 * @param tokens in one batch, in sequences of 1,024
 */
record Transformer(int blocks, long width, long tokens) {
  private static final long BALANCE = 60;
  private static final long SEQUENCE = 1024;
  private static final long HEADS = 12;
  private static final long FLOAT = 4;
  private static final double GPU_BYTES_PER_SECOND = 1.536e12;

  /** The work that steps do while a byte is copied. */
  static double workPerByte(double linkBytesPerSecond) {
    return BALANCE * GPU_BYTES_PER_SECOND / linkBytesPerSecond;
  }

  /** An iteration of training, by the rule for layers; weights are outside. */
  RecomputeProblem training() {
    long row = tokens * width * FLOAT;
    long scores = tokens * SEQUENCE * HEADS * FLOAT;
    long product = 2 * tokens * width * width;
    List<ForwardLayer> layers = new ArrayList<>(List.of(moving("embedding", row)));
    for (int block = 0; block < blocks; block++) {
      int x = layers.size() - 1;
      int s = layers.size();
      layers.add(moving("norm", row, x));
      for (String name : List.of("query", "key", "value")) {
        layers.add(computing(name, product, row, s));
      }
      layers.add(computing("scores", 2 * tokens * SEQUENCE * width, scores, s + 1, s + 2));
      layers.add(moving("softmax", scores, s + 4));
      layers.add(computing("attention", 2 * tokens * SEQUENCE * width, row, s + 5, s + 3));
      layers.add(computing("projection", product, row, s + 6));
      layers.add(moving("add", row, s + 7, x));
      layers.add(moving("norm", row, s + 8));
      layers.add(computing("wide", 4 * product, 4 * row, s + 9));
      layers.add(moving("gelu", 4 * row, s + 10));
      layers.add(computing("narrow", 4 * product, row, s + 11));
      layers.add(moving("add", row, s + 12, s + 8));
    }
    return LayerRule.training(layers, 1, 1);
  }

  private static ForwardLayer moving(String name, long bytes, Integer... inputs) {
    return ForwardLayer.of(name, BALANCE * 2 * bytes, bytes, inputs);
  }

  private static ForwardLayer computing(String name, long operations, long bytes, Integer... inputs) {
    return ForwardLayer.of(name, Math.max(operations, BALANCE * 2 * bytes), bytes, inputs);
  }

  /** Bytes of all weights of {@link #inference}. */
  long weightBytes() {
    return 12L * blocks * width * width * FLOAT;
  }

  /** A run of inference, whose products read one weight each. */
  StreamProblem inference(long capacityBytes, double workPerByte) {
    long row = tokens * width * FLOAT;
    List<StreamProblem.Step> steps = new ArrayList<>();
    List<StreamProblem.Weight> weights = new ArrayList<>();
    for (int block = 0; block < blocks; block++) {
      for (long share : new long[] {1, 1, 1, 1, 4, 4}) {
        long bytes = share * width * width * FLOAT;
        weights.add(new StreamProblem.Weight(bytes, List.of(steps.size())));
        steps.add(new StreamProblem.Step(Math.max(2 * share * tokens * width * width, BALANCE * (bytes + 2 * row)), 2
          * row));
      }
    }
    return new StreamProblem(steps, weights, workPerByte, capacityBytes);
  }
}
