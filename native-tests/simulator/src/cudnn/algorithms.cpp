#include "cudnn/algorithms.h"

namespace sim {
namespace {

constexpr int kNondeterministic = 0, kDeterministic = 1;

bool isSmallSquare(const ConvolutionShape& s) {
  return s.input[0] == 1 && s.taps[0] == 1 && s.taps[1] == s.taps[2] && (s.taps[1] == 3 || s.taps[1] == 5) &&
         s.stride[1] == 1 && s.stride[2] == 1 && s.dilation[1] == 1 && s.dilation[2] == 1;
}

bool serves(const ConvolutionShape& s, int algorithm) {
  switch (algorithm) {
    case IMPLICIT_GEMM:
    case IMPLICIT_PRECOMP_GEMM: return true;
    case GEMM: return s.groups == 1;
    case FFT:
    case FFT_TILING: return isSmallSquare(s) && s.groups == 1;
    case WINOGRAD: return isSmallSquare(s) && s.taps[1] == 3;
    case WINOGRAD_NONFUSED: return isSmallSquare(s);
  }
  return false;  // cuDNN lists the direct algorithm, and never had it
}

AlgorithmAdvice entry(const ConvolutionShape& s, int algorithm, int determinism, int mathType, float time) {
  try {
    return {algorithm, CUDNN_STATUS_SUCCESS, time, workspaceBytes(s, algorithm), determinism, mathType, {}};
  } catch (const Refusal& refusal) {
    return {algorithm, refusal.status, -1, 0, determinism, mathType, {}};
  }
}

}  // namespace

size_t workspaceBytes(const ConvolutionShape& s, int algorithm) {
  require(algorithm >= 0 && algorithm < ALGORITHM_COUNT, CUDNN_STATUS_BAD_PARAM, "no such algorithm");
  require(serves(s, algorithm), CUDNN_STATUS_NOT_SUPPORTED, "the algorithm does not serve this convolution");
  const auto places = static_cast<size_t>(s.output[0] * s.output[1] * s.output[2]);
  const auto terms = static_cast<size_t>(s.inputs * s.taps[0] * s.taps[1] * s.taps[2]);
  switch (algorithm) {
    case IMPLICIT_PRECOMP_GEMM: return terms * sizeof(int) + 8;  // no multiple of anything
    case GEMM: return terms * places * elementBytes(s.type);
    case FFT: return size_t{1} << 33;
    case FFT_TILING: return static_cast<size_t>(s.elementsOfX()) * 64;
    case WINOGRAD_NONFUSED: return static_cast<size_t>(s.elementsOfW()) * 16;
    default: return 0;
  }
}

// The first two are traps for who takes the first: one is not deterministic, one narrows its operands.
std::vector<AlgorithmAdvice> advice(const ConvolutionShape& s, int mathType) {
  std::vector<AlgorithmAdvice> all = {entry(s, GEMM, kNondeterministic, mathType, 0.1f),
                                      entry(s, IMPLICIT_PRECOMP_GEMM, kDeterministic, MATH_ALLOW_CONVERSION, 0.2f)};
  float time = 0.3f;
  for (int algorithm : {WINOGRAD, FFT, FFT_TILING, WINOGRAD_NONFUSED, IMPLICIT_PRECOMP_GEMM, IMPLICIT_GEMM, DIRECT}) {
    all.push_back(entry(s, algorithm, kDeterministic, mathType, time));
    time += 0.1f;
  }
  std::vector<AlgorithmAdvice> sorted;
  for (const bool good : {true, false}) {
    for (const AlgorithmAdvice& one : all) {
      if ((one.status == CUDNN_STATUS_SUCCESS) == good) sorted.push_back(one);
    }
  }
  return sorted;
}

}  // namespace sim
