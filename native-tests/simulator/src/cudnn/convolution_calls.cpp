// The exported convolution, and what is asked of it beforehand.
#include <algorithm>

#include "cudnn/algorithms.h"
#include "driver/enqueue.h"

using namespace sim;

namespace {

constexpr size_t kWorkspaceAlignment = 128;

DnnHandle& handleOf(const void* handle) { return living<DnnHandle>().get(handle, CUDNN_STATUS_NOT_INITIALIZED); }

ConvolutionShape shape(const void* x, const void* w, const void* convolution, const void* y) {
  return shapeOf(living<TensorDescriptor>().get(x), living<FilterDescriptor>().get(w),
                 living<ConvolutionDescriptor>().get(convolution), living<TensorDescriptor>().get(y));
}

int run(void* data) { return runConvolution(*static_cast<ConvolutionWork*>(data)); }
void drop(void* data) { delete static_cast<ConvolutionWork*>(data); }

// The simulator needs no workspace, but wants one that a device would take.
void checkWorkspace(void* workspace, size_t given, size_t needed) {
  require(given >= needed, CUDNN_STATUS_BAD_PARAM_SIZE_INSUFFICIENT, "the workspace is too small for the algorithm");
  require(needed == 0 || workspace != nullptr, CUDNN_STATUS_BAD_PARAM_NULL_POINTER, "the algorithm wants a workspace");
  require(needed == 0 || reinterpret_cast<uintptr_t>(workspace) % kWorkspaceAlignment == 0,
          CUDNN_STATUS_BAD_PARAM_MISALIGNED_POINTER, "the workspace is not aligned");
}

}  // namespace

CUDNN_API int cudnnGetConvolutionForwardAlgorithmMaxCount(const void* handle, int* count) {
  return answer("cudnnGetConvolutionForwardAlgorithmMaxCount", [&] {
    handleOf(handle);
    require(count != nullptr, CUDNN_STATUS_BAD_PARAM_NULL_POINTER, "nowhere to put the count");
    *count = ALGORITHM_COUNT + 1;
  });
}

CUDNN_API int cudnnGetConvolutionForwardAlgorithm_v7(const void* handle, const void* x, const void* w,
                                                     const void* convolution, const void* y, int wanted, int* returned,
                                                     AlgorithmAdvice* results) {
  return answer("cudnnGetConvolutionForwardAlgorithm_v7", [&] {
    handleOf(handle);
    require(wanted >= 1, CUDNN_STATUS_BAD_PARAM, "nothing is asked for");
    require(returned != nullptr && results != nullptr, CUDNN_STATUS_BAD_PARAM_NULL_POINTER, "nowhere to put results");
    const std::vector<AlgorithmAdvice> all =
        advice(shape(x, w, convolution, y), living<ConvolutionDescriptor>().get(convolution).math);
    *returned = std::min(wanted, static_cast<int>(all.size()));
    std::copy_n(all.begin(), *returned, results);
  });
}

CUDNN_API int cudnnGetConvolutionForwardWorkspaceSize(const void* handle, const void* x, const void* w,
                                                      const void* convolution, const void* y, int algorithm,
                                                      size_t* bytes) {
  return answer("cudnnGetConvolutionForwardWorkspaceSize", [&] {
    handleOf(handle);
    require(bytes != nullptr, CUDNN_STATUS_BAD_PARAM_NULL_POINTER, "nowhere to put the size");
    *bytes = workspaceBytes(shape(x, w, convolution, y), algorithm);
  });
}

CUDNN_API int cudnnConvolutionForward(const void* handle, const float* alpha, const void* xOf, const void* x,
                                      const void* wOf, const void* w, const void* convolution, int algorithm,
                                      void* workspace, size_t bytes, const float* beta, const void* yOf, void* y) {
  return answer("cudnnConvolutionForward", [&] {
    const DnnHandle& it = handleOf(handle);
    require(alpha != nullptr && beta != nullptr && x != nullptr && w != nullptr && y != nullptr,
            CUDNN_STATUS_BAD_PARAM_NULL_POINTER, "an operand or a factor is null");
    const ConvolutionShape s = shape(xOf, wOf, convolution, yOf);
    const size_t needed = workspaceBytes(s, algorithm);
    checkWorkspace(workspace, bytes, needed);
    auto* work = new ConvolutionWork{s, *alpha, *beta, x, w, y, workspace, needed};
    require(cairn_sim_enqueue(it.stream, "cudnnConvolutionForward", run, work, drop) == CUDA_SUCCESS,
            CUDNN_STATUS_EXECUTION_FAILED, "the stream takes no more work");
  });
}
