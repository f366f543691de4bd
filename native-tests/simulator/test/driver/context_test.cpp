// Contexts, failures on request, and losing a context.
#include <cstring>
#include <thread>

#include "api.h"

using namespace test;

TEST_CASE(eachThreadHasItsOwnStackOfContexts) {
  Bench bench;
  CUcontext own = nullptr, seen = nullptr, primary = nullptr;
  OK(cuCtxGetCurrent(&primary));
  OK(cuCtxCreate_v2(&own, 0, 0));
  OK(cuCtxGetCurrent(&seen));
  CHECK(seen == own);
  std::thread([] {
    CUdeviceptr address = 0;
    ANSWERS(CUDA_ERROR_INVALID_CONTEXT, cuMemAlloc_v2(&address, 16));
    ANSWERS(CUDA_ERROR_INVALID_CONTEXT, cuCtxPopCurrent_v2(nullptr));
  }).join();
  OK(cuCtxPushCurrent_v2(primary));
  OK(cuCtxPopCurrent_v2(&seen));
  CHECK(seen == primary);
  OK(cuCtxDestroy_v2(own));
  OK(cuCtxGetCurrent(&seen));
  CHECK(seen == primary);
  ANSWERS(CUDA_ERROR_INVALID_CONTEXT, cuCtxSetCurrent(own));
}

TEST_CASE(aDestroyedContextThatIsStillCurrentIsAnError) {
  Bench bench;
  CUcontext own = nullptr;
  OK(cuCtxCreate_v2(&own, 0, 0));
  std::thread([own] { OK(cuCtxSetCurrent(own)); OK(cuCtxDestroy_v2(own)); }).join();
  ANSWERS(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuCtxSynchronize());
  OK(cuCtxPopCurrent_v2(&own));
}

TEST_CASE(aPlannedFailureHappensOnceAndDoesNothing) {
  Bench bench;
  CUdeviceptr address = 0;
  size_t before = freeBytes();
  long calls = cairn_sim_calls("cuMemAlloc");
  cairn_sim_fail("cuMemAlloc", 2, CUDA_ERROR_OUT_OF_MEMORY);
  OK(cuMemAlloc_v2(&address, 512));
  OK(cuMemFree_v2(address));
  ANSWERS(CUDA_ERROR_OUT_OF_MEMORY, cuMemAlloc_v2(&address, 512));
  CHECK(freeBytes() == before);
  OK(cuMemAlloc_v2(&address, 512));
  OK(cuMemFree_v2(address));
  CHECK(cairn_sim_calls("cuMemAlloc_v2") == calls + 3);
  cairn_sim_fail("cuMemAlloc", 1, CUDA_ERROR_OUT_OF_MEMORY);
  cairn_sim_fail("cuMemAlloc", 0, 0);
  OK(cuMemAlloc_v2(&address, 512));
  OK(cuMemFree_v2(address));
}

TEST_CASE(aLostContextAnswersItsFaultUntilItIsDestroyed) {
  Bench bench;
  TestMemory* kept = new TestMemory(1 << 20);
  CUstream stream = nullptr;
  CUevent event = nullptr;
  OK(cuStreamCreate(&stream, 0));
  OK(cuEventCreate(&event, 0));
  bool ran = false;
  OK(runAsKernel(stream, [] { return static_cast<int>(CUDA_ERROR_LAUNCH_FAILED); }));
  cuLaunchHostFunc(stream, [](void* data) { *static_cast<bool*>(data) = true; }, &ran);
  ANSWERS(CUDA_ERROR_LAUNCH_FAILED, cuStreamSynchronize(stream));
  ANSWERS(CUDA_ERROR_LAUNCH_FAILED, cuEventRecord(event, stream));
  ANSWERS(CUDA_ERROR_LAUNCH_FAILED, cuMemFree_v2(*kept));
  ANSWERS(CUDA_ERROR_LAUNCH_FAILED, cuStreamDestroy_v2(stream));
  OK(cuDevicePrimaryCtxRelease_v2(0));
  CHECK(!ran);
  CHECK_SAYS(leaks().empty(), leaks());
  CUcontext next = nullptr;
  OK(cuDevicePrimaryCtxRetain(&next, 0));
  OK(cuCtxSetCurrent(next));
  TestMemory works(64);
}

TEST_CASE(whatAHealthyContextLeavesBehindIsNamed) {
  OK(cuInit(0));
  CUcontext own = nullptr;
  CUdeviceptr address = 0;
  CUevent event = nullptr;
  OK(cuCtxCreate_v2(&own, 0, 0));
  OK(cuMemAlloc_v2(&address, 16));
  OK(cuEventCreate(&event, 0));
  CHECK(strstr(leaks().c_str(), "device memory") != nullptr);
  OK(cuCtxDestroy_v2(own));
  std::string left = leaks();
  CHECK_SAYS(left.find("events count=1") != std::string::npos, left);
  CHECK_SAYS(left.find("allocations count=1") != std::string::npos, left);
  CHECK(leaks().empty());
}

TEST_CASE(whatIsNotSimulatedSaysSo) {
  ANSWERS(CUDA_ERROR_NOT_SUPPORTED, cuMemExportToShareableHandle(nullptr, 0, 0, 0));
}
