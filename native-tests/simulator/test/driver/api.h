// The part of the driver API that the tests call, with names as the library exports them, and a device to test on.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "check.h"
#include "driver/abi.h"
#include "driver/enqueue.h"

extern "C" {
CUresult cuInit(unsigned);
CUresult cuDeviceGet(CUdevice*, int);
CUresult cuDevicePrimaryCtxRetain(CUcontext*, CUdevice);
CUresult cuDevicePrimaryCtxRelease_v2(CUdevice);
CUresult cuCtxCreate_v2(CUcontext*, unsigned, CUdevice);
CUresult cuCtxDestroy_v2(CUcontext);
CUresult cuCtxSetCurrent(CUcontext);
CUresult cuCtxGetCurrent(CUcontext*);
CUresult cuCtxPushCurrent_v2(CUcontext);
CUresult cuCtxPopCurrent_v2(CUcontext*);
CUresult cuCtxSynchronize();
CUresult cuMemGetInfo_v2(size_t*, size_t*);
CUresult cuMemAlloc_v2(CUdeviceptr*, size_t);
CUresult cuMemFree_v2(CUdeviceptr);
CUresult cuMemAllocAsync(CUdeviceptr*, size_t, CUstream);
CUresult cuMemFreeAsync(CUdeviceptr, CUstream);
CUresult cuMemAllocHost_v2(void**, size_t);
CUresult cuMemFreeHost(void*);
CUresult cuMemHostRegister_v2(void*, size_t, unsigned);
CUresult cuMemHostUnregister(void*);
CUresult cuMemcpyHtoD_v2(CUdeviceptr, const void*, size_t);
CUresult cuMemcpyDtoH_v2(void*, CUdeviceptr, size_t);
CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr, const void*, size_t, CUstream);
CUresult cuMemcpyDtoHAsync_v2(void*, CUdeviceptr, size_t, CUstream);
CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr, CUdeviceptr, size_t, CUstream);
CUresult cuMemcpy2D_v2(const CUDA_MEMCPY2D*);
CUresult cuMemsetD8Async(CUdeviceptr, unsigned char, size_t, CUstream);
CUresult cuMemsetD32Async(CUdeviceptr, unsigned, size_t, CUstream);
CUresult cuStreamCreate(CUstream*, unsigned);
CUresult cuStreamDestroy_v2(CUstream);
CUresult cuStreamSynchronize(CUstream);
CUresult cuStreamQuery(CUstream);
CUresult cuStreamWaitEvent(CUstream, CUevent, unsigned);
CUresult cuLaunchHostFunc(CUstream, CUhostFn, void*);
CUresult cuEventCreate(CUevent*, unsigned);
CUresult cuEventDestroy_v2(CUevent);
CUresult cuEventRecord(CUevent, CUstream);
CUresult cuEventQuery(CUevent);
CUresult cuEventSynchronize(CUevent);
CUresult cuEventElapsedTime(float*, CUevent, CUevent);
CUresult cuStreamBeginCapture_v2(CUstream, CUstreamCaptureMode);
CUresult cuStreamEndCapture(CUstream, CUgraph*);
CUresult cuStreamIsCapturing(CUstream, CUstreamCaptureStatus*);
CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode*);
CUresult cuGraphCreate(CUgraph*, unsigned);
CUresult cuGraphDestroy(CUgraph);
CUresult cuGraphClone(CUgraph*, CUgraph);
CUresult cuGraphNodeFindInClone(CUgraphNode*, CUgraphNode, CUgraph);
CUresult cuGraphGetNodes(CUgraph, CUgraphNode*, size_t*);
CUresult cuGraphAddHostNode(CUgraphNode*, CUgraph, const CUgraphNode*, size_t, const CUDA_HOST_NODE_PARAMS*);
CUresult cuGraphAddChildGraphNode(CUgraphNode*, CUgraph, const CUgraphNode*, size_t, CUgraph);
CUresult cuGraphAddDependencies(CUgraph, const CUgraphNode*, const CUgraphNode*, size_t);
CUresult cuGraphInstantiateWithFlags(CUgraphExec*, CUgraph, unsigned long long);
CUresult cuGraphExecHostNodeSetParams(CUgraphExec, CUgraphNode, const CUDA_HOST_NODE_PARAMS*);
CUresult cuGraphLaunch(CUgraphExec, CUstream);
CUresult cuGraphExecDestroy(CUgraphExec);
CUresult cuMemAddressReserve(CUdeviceptr*, size_t, size_t, CUdeviceptr, unsigned long long);
CUresult cuMemAddressFree(CUdeviceptr, size_t);
CUresult cuMemCreate(CUmemGenericAllocationHandle*, size_t, const CUmemAllocationProp*, unsigned long long);
CUresult cuMemRelease(CUmemGenericAllocationHandle);
CUresult cuMemMap(CUdeviceptr, size_t, size_t, CUmemGenericAllocationHandle, unsigned long long);
CUresult cuMemUnmap(CUdeviceptr, size_t);
CUresult cuMemSetAccess(CUdeviceptr, size_t, const CUmemAccessDesc*, size_t);
CUresult cuMemExportToShareableHandle(void*, CUmemGenericAllocationHandle, int, unsigned long long);

void cairn_sim_fail(const char*, int, int);
void cairn_sim_lose_context();
long cairn_sim_leaks(char*, long);
long cairn_sim_calls(const char*);
long cairn_sim_last_fault(char*, long);
void cairn_sim_keep_timeline(int);
void cairn_sim_label(const char*);
long cairn_sim_timeline(char*, long);
}

#define OK(call) \
  do { CUresult code_ = (call); CHECK_SAYS(code_ == CUDA_SUCCESS, "code=" + std::to_string(code_)); } while (0)
#define ANSWERS(expected, call) \
  do { CUresult code_ = (call); CHECK_SAYS(code_ == (expected), #call " code=" + std::to_string(code_)); } while (0)

namespace test {

// The primary context, current for one case; checks at the end that the case freed all it took.
class Bench {
 public:
  Bench();
  ~Bench();
};

class TestStream {
 public:
  explicit TestStream(unsigned flags = CU_STREAM_NON_BLOCKING) { OK(cuStreamCreate(&handle, flags)); }
  ~TestStream() { OK(cuStreamDestroy_v2(handle)); }
  operator CUstream() const { return handle; }

 private:
  CUstream handle = nullptr;
};

class TestEvent {
 public:
  explicit TestEvent(unsigned flags = 0) { OK(cuEventCreate(&handle, flags)); }
  ~TestEvent() { OK(cuEventDestroy_v2(handle)); }
  operator CUevent() const { return handle; }

 private:
  CUevent handle = nullptr;
};

class TestMemory {
 public:
  explicit TestMemory(size_t bytes) { OK(cuMemAlloc_v2(&address, bytes)); }
  ~TestMemory() { OK(cuMemFree_v2(address)); }
  operator CUdeviceptr() const { return address; }

 private:
  CUdeviceptr address = 0;
};

// Puts a function into a stream as a kernel would be.
CUresult runAsKernel(CUstream stream, std::function<int()> kernel);

// Work that holds a stream up until it is let go.
class Gate {
 public:
  Gate();
  ~Gate();
  void closeIn(CUstream stream);
  void open();

 private:
  struct State;
  State* state;
};

size_t freeBytes();
std::string leaks();

}  // namespace test
