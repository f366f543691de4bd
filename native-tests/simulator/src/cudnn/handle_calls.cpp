// Handles: their life and stream; versions.
#include "cudnn/objects.h"
#include "driver/enqueue.h"

using namespace sim;

SIM_EXPORT CUresult cuCtxGetCurrent(CUcontext* context);
SIM_EXPORT CUresult cuCtxSynchronize();

// 9.10.2, made for CUDA 12.6.
CUDNN_API size_t cudnnGetVersion() { return 91002; }
CUDNN_API size_t cudnnGetCudartVersion() { return 12060; }

CUDNN_API int cudnnCreate(DnnHandle** handle) {
  return answer("cudnnCreate", [&] {
    require(handle != nullptr, CUDNN_STATUS_BAD_PARAM_NULL_POINTER, "nowhere to put the handle");
    CUcontext context = nullptr;
    require(cuCtxGetCurrent(&context) == CUDA_SUCCESS && context != nullptr, CUDNN_STATUS_NOT_INITIALIZED,
            "this thread has no context");
    *handle = living<DnnHandle>().add();
  });
}

// Waits for the device, as the real one does.
CUDNN_API int cudnnDestroy(DnnHandle* handle) {
  return answer("cudnnDestroy", [&] {
    living<DnnHandle>().get(handle, CUDNN_STATUS_NOT_INITIALIZED);
    require(cuCtxSynchronize() == CUDA_SUCCESS, CUDNN_STATUS_EXECUTION_FAILED, "the device can't be waited for");
    living<DnnHandle>().remove(handle);
  });
}

CUDNN_API int cudnnSetStream(DnnHandle* handle, CUstream stream) {
  return answer("cudnnSetStream",
                [&] { living<DnnHandle>().get(handle, CUDNN_STATUS_NOT_INITIALIZED).stream = stream; });
}

CUDNN_API int cudnnGetStream(DnnHandle* handle, CUstream* stream) {
  return answer("cudnnGetStream", [&] {
    require(stream != nullptr, CUDNN_STATUS_BAD_PARAM_NULL_POINTER, "nowhere to put the stream");
    *stream = living<DnnHandle>().get(handle, CUDNN_STATUS_NOT_INITIALIZED).stream;
  });
}

// For tests: handles and descriptors that were not destroyed.
CUDNN_API long cairn_sim_cudnn_objects() {
  return static_cast<long>(living<DnnHandle>().count() + living<TensorDescriptor>().count() +
                           living<FilterDescriptor>().count() + living<ConvolutionDescriptor>().count());
}
