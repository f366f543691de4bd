// Order within streams, between them, and through events.
#include <atomic>
#include <thread>

#include "api.h"

using namespace test;

TEST_CASE(aStreamKeepsItsOrder) {
  Bench bench;
  TestStream stream;
  std::vector<int> order;
  for (int i = 0; i < 500; i++) OK(runAsKernel(stream, [&order, i] { order.push_back(i); return 0; }));
  OK(cuStreamSynchronize(stream));
  CHECK(order.size() == 500);
  for (int i = 0; i < 500; i++) CHECK(order[static_cast<size_t>(i)] == i);
}

TEST_CASE(theLegacyStreamWaitsForBlockingStreamsAndTheyForIt) {
  Bench bench;
  TestStream blocking(0), other(0);
  Gate gate;
  std::atomic<int> order{0};
  int first = 0, second = 0, third = 0;
  gate.closeIn(blocking);
  OK(runAsKernel(blocking, [&] { first = ++order; return 0; }));
  OK(runAsKernel(nullptr, [&] { second = ++order; return 0; }));
  OK(runAsKernel(other, [&] { third = ++order; return 0; }));
  ANSWERS(CUDA_ERROR_NOT_READY, cuStreamQuery(nullptr));
  ANSWERS(CUDA_ERROR_NOT_READY, cuStreamQuery(other));
  gate.open();
  OK(cuCtxSynchronize());
  CHECK(first == 1 && second == 2 && third == 3);
}

TEST_CASE(aNonBlockingStreamDoesNotWaitForTheLegacyStream) {
  Bench bench;
  TestStream stream(CU_STREAM_NON_BLOCKING);
  Gate gate;
  gate.closeIn(nullptr);
  OK(runAsKernel(stream, [] { return 0; }));
  OK(cuStreamSynchronize(stream));
  ANSWERS(CUDA_ERROR_NOT_READY, cuStreamQuery(nullptr));
  gate.open();
}

TEST_CASE(whoWaitsForAnEventWaitsForTheRecordThatHeSaw) {
  Bench bench;
  TestStream one, two;
  TestEvent event;
  Gate gate;
  OK(cuEventQuery(event));
  OK(cuEventRecord(event, one));
  OK(cuStreamWaitEvent(two, event, 0));
  gate.closeIn(one);
  OK(cuEventRecord(event, one));
  OK(cuStreamSynchronize(two));
  ANSWERS(CUDA_ERROR_NOT_READY, cuEventQuery(event));
  OK(cuStreamWaitEvent(two, event, 0));
  ANSWERS(CUDA_ERROR_NOT_READY, cuStreamQuery(two));
  gate.open();
  OK(cuStreamSynchronize(two));
  OK(cuEventQuery(event));
}

TEST_CASE(elapsedTimeNeedsTwoTimedEventsThatHappened) {
  Bench bench;
  TestStream stream;
  TestEvent first, last, untimed(CU_EVENT_DISABLE_TIMING);
  Gate gate;
  float millis = -1;
  ANSWERS(CUDA_ERROR_INVALID_HANDLE, cuEventElapsedTime(&millis, first, last));
  OK(cuEventRecord(first, stream));
  gate.closeIn(stream);
  OK(cuEventRecord(last, stream));
  OK(cuEventRecord(untimed, stream));
  ANSWERS(CUDA_ERROR_INVALID_HANDLE, cuEventElapsedTime(&millis, first, untimed));
  ANSWERS(CUDA_ERROR_NOT_READY, cuEventElapsedTime(&millis, first, last));
  gate.open();
  OK(cuEventSynchronize(last));
  OK(cuEventElapsedTime(&millis, first, last));
  CHECK(millis >= 0);
}

TEST_CASE(aDestroyedStreamStillDoesItsWorkAndIsWaitedFor) {
  Bench bench;
  std::atomic<bool> ran{false};
  Gate gate;
  {
    TestStream stream;
    gate.closeIn(stream);
    OK(runAsKernel(stream, [&] { ran = true; return 0; }));
  }
  CHECK(!ran);
  gate.open();
  OK(cuCtxSynchronize());
  CHECK(ran);
}

TEST_CASE(aHostFunctionMayNotCallTheApi) {
  Bench bench;
  CUresult inside = CUDA_SUCCESS;
  OK(cuLaunchHostFunc(nullptr, [](void* data) { *static_cast<CUresult*>(data) = cuCtxSynchronize(); }, &inside));
  OK(cuStreamSynchronize(nullptr));
  CHECK(inside == CUDA_ERROR_NOT_PERMITTED);
}

TEST_CASE(handlesOfDestroyedThingsAreNeverValidAgain) {
  Bench bench;
  CUstream stream = nullptr;
  CUevent event = nullptr;
  OK(cuStreamCreate(&stream, 0));
  OK(cuEventCreate(&event, 0));
  OK(cuStreamDestroy_v2(stream));
  OK(cuEventDestroy_v2(event));
  TestStream another;
  TestEvent other;
  ANSWERS(CUDA_ERROR_INVALID_HANDLE, cuStreamSynchronize(stream));
  ANSWERS(CUDA_ERROR_INVALID_HANDLE, cuEventRecord(other, stream));
  ANSWERS(CUDA_ERROR_INVALID_HANDLE, cuEventRecord(event, another));
  ANSWERS(CUDA_ERROR_INVALID_HANDLE, cuStreamDestroy_v2(stream));
}
