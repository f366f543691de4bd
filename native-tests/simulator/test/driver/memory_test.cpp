// Allocation: limits, contents, misuse, and what lies around an allocation.
#include <cstring>
#include <map>
#include <random>

#include "api.h"

using namespace test;

TEST_CASE(freshMemoryIsPoisonedAndAligned) {
  Bench bench;
  TestMemory memory(1000);
  CHECK(memory % 512 == 0);
  std::vector<unsigned char> bytes(1000);
  OK(cuMemcpyDtoH_v2(bytes.data(), memory, bytes.size()));
  for (unsigned char byte : bytes) CHECK(byte == 0xff);
}

TEST_CASE(memoryThatWasFreedAndGrantedAgainIsPoisonedAgain) {
  Bench bench;
  for (int round = 0; round < 3; round++) {
    TestMemory memory(4096);
    std::vector<unsigned char> bytes(4096, 7), back(4096);
    OK(cuMemcpyDtoH_v2(back.data(), memory, back.size()));
    CHECK(back[0] == 0xff && back[4095] == 0xff);
    OK(cuMemcpyHtoD_v2(memory, bytes.data(), bytes.size()));
  }
}

TEST_CASE(allocationsFollowANaiveModelOfTheLimit) {
  Bench bench;
  std::mt19937 random(42);
  size_t limit = freeBytes(), used = 0;
  std::map<CUdeviceptr, size_t> held;
  for (int step = 0; step < 2000; step++) {
    if (!held.empty() && random() % 2) {
      auto gone = std::next(held.begin(), random() % held.size());
      OK(cuMemFree_v2(gone->first));
      used -= (gone->second + 511) / 512 * 512;
      held.erase(gone);
    } else {
      size_t bytes = 1 + random() % (limit / 16), counted = (bytes + 511) / 512 * 512;
      CUdeviceptr address = 0;
      CUresult code = cuMemAlloc_v2(&address, bytes);
      CHECK(code == (counted <= limit - used ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY));
      if (code) continue;
      auto next = held.lower_bound(address);
      CHECK(next == held.end() || address + bytes <= next->first);
      CHECK(next == held.begin() || std::prev(next)->first + std::prev(next)->second <= address);
      held[address] = bytes;
      used += counted;
    }
    CHECK(freeBytes() == limit - used);
  }
  for (auto& entry : held) OK(cuMemFree_v2(entry.first));
}

TEST_CASE(misuseOfAllocationsIsRefused) {
  Bench bench;
  CUdeviceptr address = 0;
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemAlloc_v2(&address, 0));
  ANSWERS(CUDA_ERROR_OUT_OF_MEMORY, cuMemAlloc_v2(&address, ~size_t{0}));
  OK(cuMemAlloc_v2(&address, 4096));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemFree_v2(address + 512));
  char bytes[64];
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoD_v2(address + 4096 - 63, bytes, 64));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoD_v2(address - 1, bytes, 64));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemsetD32Async(address + 2, 0, 1, nullptr));
  for (int bits = 11; bits < 64; bits++) {
    ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemsetD32Async(address, 0, size_t{1} << bits, nullptr));
    ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemsetD8Async(address, 0, size_t{1} << (bits + 2 < 64 ? bits + 2 : 63), nullptr));
  }
  OK(cuMemFree_v2(address));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemFree_v2(address));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoD_v2(address, bytes, 64));
  OK(cuMemFree_v2(0));
}

TEST_CASE(aWriteBehindAnAllocationLosesTheContextAndNamesIt) {
  for (long offset : {1000L, 1023L, -1L}) {
    Bench bench;
    CUdeviceptr address = 0;
    OK(cuMemAlloc_v2(&address, 1000));
    OK(runAsKernel(nullptr, [=] { reinterpret_cast<char*>(address)[offset] = 1; return 0; }));
    ANSWERS(CUDA_ERROR_ILLEGAL_ADDRESS, cuCtxSynchronize());
    char text[256];
    cairn_sim_last_fault(text, sizeof text);
    CHECK_SAYS(strstr(text, "wrote outside of an allocation") && strstr(text, "of 1000 bytes"), text);
  }
}

TEST_CASE(memoryFreedInAStreamGoesWhenTheStreamComesToIt) {
  Bench bench;
  TestStream stream;
  Gate gate;
  CUdeviceptr address = 0;
  size_t before = freeBytes();
  OK(cuMemAllocAsync(&address, 1 << 20, stream));
  gate.closeIn(stream);
  OK(cuMemFreeAsync(address, stream));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemFreeAsync(address, stream));
  CHECK(freeBytes() == before - (1 << 20));
  gate.open();
  OK(cuStreamSynchronize(stream));
  CHECK(freeBytes() == before);
}

TEST_CASE(hostMemoryIsRegisteredOnce) {
  Bench bench;
  std::vector<char> mine(10000);
  OK(cuMemHostRegister_v2(mine.data(), mine.size(), 0));
  ANSWERS(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED, cuMemHostRegister_v2(mine.data() + 9999, 5, 0));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemFreeHost(mine.data()));
  OK(cuMemHostUnregister(mine.data()));
  ANSWERS(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, cuMemHostUnregister(mine.data()));
}
