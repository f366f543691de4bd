// cuDNN's forward algorithms: which serve a convolution, what workspace they use, and in which order they are advised.
// All of them are the same loops here.
#pragma once
#include <vector>

#include "cudnn/convolution.h"

namespace sim {

// cudnnConvolutionFwdAlgo_t.
enum ForwardAlgorithm : int {
  IMPLICIT_GEMM = 0,
  IMPLICIT_PRECOMP_GEMM = 1,
  GEMM = 2,
  DIRECT = 3,
  FFT = 4,
  FFT_TILING = 5,
  WINOGRAD = 6,
  WINOGRAD_NONFUSED = 7,
  ALGORITHM_COUNT = 8
};

// cudnnConvolutionFwdAlgoPerf_t.
struct AlgorithmAdvice {
  int algorithm, status;
  float time;
  size_t memory;
  int determinism, mathType, reserved[3];
};

// Throws a Refusal when the algorithm does not serve this convolution.
size_t workspaceBytes(const ConvolutionShape& shape, int algorithm);

// Best first; those that do not serve come last, with their status.
std::vector<AlgorithmAdvice> advice(const ConvolutionShape& shape, int mathType);

}  // namespace sim
