package dev.cairn.kernels.cuda.dnn;

import dev.cairn.kernels.cuda.blas.GemmPrecision;
import java.util.List;

/**
 * A convolution, or strictly a cross-correlation, without its memory: row-major tensors {@code N,C,spatial...} with two
 * or three spatial axes. Sums are always {@code float}.
 *
 * @param precision the type of the elements and the precision of their products
 * @param input the extents of the input
 * @param weights the extents of the weights: outputs of all groups, inputs of one group, taps
 * @param output the extents of the output
 * @param pads zeros before and after the input, by spatial axis
 * @param groups the number of groups of channels. Each group reads its own inputs
 */
public record ConvolutionProblem(GemmPrecision precision, List<Integer> input, List<Integer> weights,
  List<Integer> output, List<Integer> pads, List<Integer> strides, List<Integer> dilations, int groups) {
  private static final int LEAST_RANK = 4;
  private static final int MOST_RANK = 5;

  /** Checks the ranks. */
  public ConvolutionProblem {
    input = List.copyOf(input);
    weights = List.copyOf(weights);
    output = List.copyOf(output);
    pads = List.copyOf(pads);
    strides = List.copyOf(strides);
    dilations = List.copyOf(dilations);
    int rank = input.size();
    if (rank < LEAST_RANK || rank > MOST_RANK || weights.size() != rank || output.size() != rank || pads.size() != rank
      - 2 || strides.size() != rank - 2 || dilations.size() != rank - 2 || groups < 1) {
      throw new IllegalArgumentException("no such convolution: input=%s weights=%s output=%s pads=%s groups=%d"
        .formatted(input, weights, output, pads, groups));
    }
  }

  /** The number of spatial axes. */
  int axes() {
    return pads.size();
  }
}
