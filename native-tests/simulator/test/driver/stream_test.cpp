// Order within streams, between them, and through events.
#include <algorithm>
#include <atomic>
#include <map>
#include <sstream>
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

// Two pieces in one stream, then one in another that waits for the first of them, then one that waits for nothing.
TEST_CASE(theTimelineIsOfWhatWasWaitedForAndNotOfTheClock) {
  Bench bench;
  TestStream one, two, three;
  TestEvent event;
  Gate gate;
  cairn_sim_keep_timeline(1);
  gate.closeIn(one);
  cairn_sim_label("first");
  OK(runAsKernel(one, [] { return 0; }));
  OK(cuEventRecord(event, one));
  OK(runAsKernel(one, [] { return 0; }));
  OK(cuStreamWaitEvent(two, event, 0));
  cairn_sim_label("second");
  OK(runAsKernel(two, [] { return 0; }));
  OK(runAsKernel(three, [] { return 0; }));
  gate.open();
  OK(cuCtxSynchronize());
  cairn_sim_label("later");
  OK(runAsKernel(three, [] { return 0; }));
  OK(cuCtxSynchronize());
  cairn_sim_label("");
  static char text[1 << 14];
  CHECK(cairn_sim_timeline(text, sizeof text) < static_cast<long>(sizeof text));
  std::istringstream lines(text);
  std::map<std::string, std::vector<long>> begins;  // of kernels, by label
  for (std::string line; std::getline(lines, line);) {
    std::istringstream fields(line);
    std::string stream, what, label, begin;
    std::getline(fields, stream, '\t');
    std::getline(fields, what, '\t');
    std::getline(fields, label, '\t');
    std::getline(fields, begin, '\t');
    if (what.find("event") == std::string::npos) begins[label].push_back(std::stol(begin));
  }
  for (auto& [label, ticks] : begins) std::sort(ticks.begin(), ticks.end());
  CHECK_SAYS(begins["first"].size() == 2 && begins["second"].size() == 2 && begins["later"].size() == 1, text);
  CHECK_SAYS(begins["first"][1] == begins["first"][0] + 1, text);
  CHECK_SAYS(begins["second"][0] <= begins["first"][0], text);
  CHECK_SAYS(begins["second"][1] == begins["first"][1], text);
  CHECK_SAYS(begins["later"][0] == begins["first"][1] + 1, text);
  cairn_sim_keep_timeline(0);
  OK(runAsKernel(one, [] { return 0; }));
  OK(cuCtxSynchronize());
  CHECK(cairn_sim_timeline(nullptr, 0) == 0);
}
