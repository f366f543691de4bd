// Stream capture: what becomes of work, and every rule that can be broken.
#include <atomic>
#include <thread>

#include "api.h"

using namespace test;

static CUresult endAndDestroy(CUstream stream) {
  CUgraph graph = nullptr;
  CUresult code = cuStreamEndCapture(stream, &graph);
  CHECK((graph != nullptr) == (code == CUDA_SUCCESS));
  if (graph) OK(cuGraphDestroy(graph));
  return code;
}

TEST_CASE(capturedWorkRunsOnlyWhenItsGraphIsLaunched) {
  Bench bench;
  TestStream stream;
  std::atomic<int> runs{0};
  CUgraph graph = nullptr;
  CUgraphExec exec = nullptr;
  CUstreamCaptureStatus status = CU_CAPTURE_NONE;
  OK(cuStreamBeginCapture_v2(stream, CU_CAPTURE_GLOBAL));
  OK(cuStreamIsCapturing(stream, &status));
  CHECK(status == CU_CAPTURE_ACTIVE);
  OK(runAsKernel(stream, [&] { runs++; return 0; }));
  OK(cuStreamEndCapture(stream, &graph));
  OK(cuStreamSynchronize(stream));
  CHECK(runs == 0);
  OK(cuGraphInstantiateWithFlags(&exec, graph, 0));
  OK(cuGraphDestroy(graph));
  for (int i = 0; i < 5; i++) OK(cuGraphLaunch(exec, stream));
  OK(cuGraphExecDestroy(exec));
  OK(cuStreamSynchronize(stream));
  CHECK(runs == 5);
}

TEST_CASE(aStreamJoinsACaptureByAnEventAndMustComeBack) {
  Bench bench;
  TestStream one, two;
  TestEvent fork, join;
  OK(cuStreamBeginCapture_v2(one, CU_CAPTURE_GLOBAL));
  OK(cuEventRecord(fork, one));
  OK(cuStreamWaitEvent(two, fork, 0));
  OK(runAsKernel(two, [] { return 0; }));
  ANSWERS(CUDA_ERROR_STREAM_CAPTURE_UNMATCHED, endAndDestroy(two));
  ANSWERS(CUDA_ERROR_STREAM_CAPTURE_UNJOINED, endAndDestroy(one));
  OK(cuStreamSynchronize(two));
  OK(cuStreamBeginCapture_v2(one, CU_CAPTURE_GLOBAL));
  OK(cuEventRecord(fork, one));
  OK(cuStreamWaitEvent(two, fork, 0));
  OK(runAsKernel(two, [] { return 0; }));
  OK(cuEventRecord(join, two));
  OK(cuStreamWaitEvent(one, join, 0));
  OK(endAndDestroy(one));
}

static void spoils(CUresult expected, const std::function<CUresult(CUstream)>& call) {
  TestStream stream(0);
  OK(cuStreamBeginCapture_v2(stream, CU_CAPTURE_GLOBAL));
  ANSWERS(expected, call(stream));
  ANSWERS(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, runAsKernel(stream, [] { return 0; }));
  ANSWERS(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, endAndDestroy(stream));
  OK(runAsKernel(stream, [] { return 0; }));
}

TEST_CASE(illegalCallsSpoilTheCapture) {
  Bench bench;
  TestMemory memory(64);
  char host[64];
  CUdeviceptr fresh = 0;
  TestEvent outside;
  OK(cuEventRecord(outside, nullptr));
  OK(cuCtxSynchronize());
  auto unsupported = CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  spoils(unsupported, [&](CUstream) { return cuMemAlloc_v2(&fresh, 64); });
  spoils(unsupported, [&](CUstream) { return cuCtxSynchronize(); });
  spoils(unsupported, [&](CUstream s) { return cuStreamSynchronize(s); });
  spoils(unsupported, [&](CUstream s) { return cuStreamQuery(s); });
  spoils(unsupported, [&](CUstream) { return cuMemcpyHtoD_v2(memory, host, 64); });
  spoils(unsupported, [&](CUstream s) { return cuMemcpyHtoDAsync_v2(memory, host, 64, s); });
  spoils(unsupported, [&](CUstream s) { return cuMemcpyDtoHAsync_v2(host, memory, 64, s); });
  spoils(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT, [&](CUstream) { return cuMemsetD8Async(memory, 0, 64, nullptr); });
  spoils(CUDA_ERROR_STREAM_CAPTURE_ISOLATION, [&](CUstream s) { return cuStreamWaitEvent(s, outside, 0); });
  spoils(CUDA_ERROR_CAPTURED_EVENT, [&](CUstream s) {
    TestEvent event;
    OK(cuEventRecord(event, s));
    return cuEventSynchronize(event);
  });
}

TEST_CASE(beginAndEndMustFit) {
  Bench bench;
  TestStream stream;
  ANSWERS(CUDA_ERROR_ILLEGAL_STATE, endAndDestroy(stream));
  ANSWERS(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, cuStreamBeginCapture_v2(nullptr, CU_CAPTURE_GLOBAL));
  OK(cuStreamBeginCapture_v2(stream, CU_CAPTURE_THREAD_LOCAL));
  ANSWERS(CUDA_ERROR_ILLEGAL_STATE, cuStreamBeginCapture_v2(stream, CU_CAPTURE_GLOBAL));
  CUcontext context = nullptr;
  OK(cuCtxGetCurrent(&context));
  std::thread([&] {
    OK(cuCtxSetCurrent(context));
    ANSWERS(CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD, endAndDestroy(stream));
  }).join();
  OK(endAndDestroy(stream));
}

TEST_CASE(theModeSaysWhomACaptureForbidsWhat) {
  Bench bench;
  TestStream stream;
  CUcontext context = nullptr;
  OK(cuCtxGetCurrent(&context));
  auto allocate = [] {
    CUdeviceptr address = 0;
    CUresult code = cuMemAlloc_v2(&address, 64);
    if (!code) OK(cuMemFree_v2(address));
    return code;
  };
  auto elsewhere = [&](CUresult expected) {
    std::thread([&] { OK(cuCtxSetCurrent(context)); ANSWERS(expected, allocate()); }).join();
  };
  OK(cuStreamBeginCapture_v2(stream, CU_CAPTURE_GLOBAL));
  elsewhere(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  ANSWERS(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, endAndDestroy(stream));
  OK(cuStreamBeginCapture_v2(stream, CU_CAPTURE_THREAD_LOCAL));
  elsewhere(CUDA_SUCCESS);
  CUstreamCaptureMode mode = CU_CAPTURE_RELAXED;
  OK(cuThreadExchangeStreamCaptureMode(&mode));
  CHECK(mode == CU_CAPTURE_GLOBAL);
  OK(allocate());
  OK(cuThreadExchangeStreamCaptureMode(&mode));
  ANSWERS(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, allocate());
  ANSWERS(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, endAndDestroy(stream));
  OK(cuStreamBeginCapture_v2(stream, CU_CAPTURE_RELAXED));
  OK(allocate());
  OK(endAndDestroy(stream));
}

TEST_CASE(aStreamThatIsDestroyedWhileItCapturesLeavesNothing) {
  Bench bench;
  CUstream stream = nullptr;
  OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  OK(cuStreamBeginCapture_v2(stream, CU_CAPTURE_GLOBAL));
  OK(runAsKernel(stream, [] { return 0; }));
  OK(cuStreamDestroy_v2(stream));
  TestMemory works(64);
}
