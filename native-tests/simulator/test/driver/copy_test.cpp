// Copies: when each kind of memory is touched, and shapes against a naive model.
#include <cstring>
#include <random>

#include "api.h"

using namespace test;

TEST_CASE(pageableMemoryIsReadBeforeTheCallReturns) {
  Bench bench;
  TestStream stream;
  TestMemory memory(4096);
  Gate gate;
  gate.closeIn(stream);
  std::vector<char> source(4096, 3), back(4096);
  OK(cuMemcpyHtoDAsync_v2(memory, source.data(), 4096, stream));
  memset(source.data(), 9, 4096);
  gate.open();
  OK(cuMemcpyDtoHAsync_v2(back.data(), memory, 4096, stream));
  CHECK(back[0] == 3 && back[4095] == 3);
}

TEST_CASE(pinnedMemoryIsReadWhenTheStreamComesToIt) {
  Bench bench;
  TestStream stream;
  TestMemory memory(4096);
  void* pinned = nullptr;
  OK(cuMemAllocHost_v2(&pinned, 4096));
  {
    Gate gate;
    gate.closeIn(stream);
    memset(pinned, 3, 4096);
    OK(cuMemcpyHtoDAsync_v2(memory, pinned, 4096, stream));
    ANSWERS(CUDA_ERROR_NOT_READY, cuStreamQuery(stream));
    memset(pinned, 9, 4096);
    gate.open();
    OK(cuStreamSynchronize(stream));
  }
  char back = 0;
  OK(cuMemcpyDtoH_v2(&back, memory, 1));
  CHECK(back == 9);
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoDAsync_v2(memory, static_cast<char*>(pinned) + 1, 4096, stream));
  OK(cuMemFreeHost(pinned));
}

TEST_CASE(rectanglesAreCopiedAsANaiveModelDoes) {
  Bench bench;
  std::mt19937 random(7);
  constexpr size_t kBytes = 1 << 14;
  TestMemory memory(kBytes);
  std::vector<unsigned char> model(kBytes, 0), host(kBytes), back(kBytes);
  OK(cuMemsetD8Async(memory, 0, kBytes, nullptr));
  for (int round = 0; round < 300; round++) {
    for (auto& byte : host) byte = static_cast<unsigned char>(random());
    CUDA_MEMCPY2D c{};
    c.srcMemoryType = CU_MEMORYTYPE_HOST;
    c.srcHost = host.data();
    c.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    c.dstDevice = memory;
    c.WidthInBytes = 1 + random() % 60;
    c.Height = 1 + random() % 60;
    c.srcPitch = 64 + random() % 64, c.dstPitch = 64 + random() % 64;
    c.srcXInBytes = random() % (64 - c.WidthInBytes + 1), c.dstXInBytes = random() % (64 - c.WidthInBytes + 1);
    c.srcY = random() % 60, c.dstY = random() % 60;
    OK(cuMemcpy2D_v2(&c));
    for (size_t y = 0; y < c.Height; y++) {
      for (size_t x = 0; x < c.WidthInBytes; x++) {
        model[(c.dstY + y) * c.dstPitch + c.dstXInBytes + x] = host[(c.srcY + y) * c.srcPitch + c.srcXInBytes + x];
      }
    }
  }
  OK(cuMemcpyDtoH_v2(back.data(), memory, kBytes));
  CHECK(back == model);
}

TEST_CASE(aRectangleThatLeavesItsAllocationIsRefused) {
  Bench bench;
  TestMemory memory(1024);
  char host[2048];
  CUDA_MEMCPY2D c{};
  c.srcMemoryType = CU_MEMORYTYPE_HOST, c.srcHost = host, c.srcPitch = 64;
  c.dstMemoryType = CU_MEMORYTYPE_DEVICE, c.dstDevice = memory, c.dstPitch = 64;
  c.WidthInBytes = 64, c.Height = 17;
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemcpy2D_v2(&c));
  c.Height = 16;
  OK(cuMemcpy2D_v2(&c));
  c.dstPitch = 63;
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemcpy2D_v2(&c));
}
