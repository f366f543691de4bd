package dev.cairn.kernels.cuda.dnn;

import java.util.List;

/**
 * One of cuDNN's algorithms for a convolution.
 *
 * @param number cuDNN's number, a {@code cudnnConvolutionFwdAlgo_t}
 * @param workspaceBytes the device memory that it needs while it runs
 */
public record ConvolutionAlgorithm(int number, long workspaceBytes) {
  private static final List<String> NAMES = List.of("IMPLICIT_GEMM", "IMPLICIT_PRECOMP_GEMM", "GEMM", "DIRECT", "FFT",
    "FFT_TILING", "WINOGRAD", "WINOGRAD_NONFUSED");

  /** cuDNN's name for it, without the common prefix. */
  public String name() {
    return number >= 0 && number < NAMES.size() ? NAMES.get(number) : "ALGORITHM_" + number;
  }
}
