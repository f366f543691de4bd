package dev.cairn.kernels.cuda.dnn;

import java.util.List;

/**
 * One of cuDNN's ways to compute a convolution.
 *
 * @param number cuDNN's own, a {@code cudnnConvolutionFwdAlgo_t}
 * @param workspaceBytes of the device's memory that it needs while it runs
 */
public record ConvolutionAlgorithm(int number, long workspaceBytes) {
  private static final List<String> NAMES = List.of("IMPLICIT_GEMM", "IMPLICIT_PRECOMP_GEMM", "GEMM", "DIRECT", "FFT",
    "FFT_TILING", "WINOGRAD", "WINOGRAD_NONFUSED");

  /** As cuDNN calls it, without what all names begin with. */
  public String name() {
    return number >= 0 && number < NAMES.size() ? NAMES.get(number) : "ALGORITHM_" + number;
  }
}
