// Addresses reserved, physical memory mapped into them.
#include <vector>

#include "api.h"

using namespace test;

constexpr size_t kPage = size_t{2} << 20;

static CUmemGenericAllocationHandle create(size_t bytes) {
  CUmemAllocationProp properties{};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  CUmemGenericAllocationHandle handle = 0;
  OK(cuMemCreate(&handle, bytes, &properties, 0));
  return handle;
}

static CUresult giveAccess(CUdeviceptr address, size_t bytes) {
  CUmemAccessDesc access{{CU_MEM_LOCATION_TYPE_DEVICE, 0}, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  return cuMemSetAccess(address, bytes, &access, 1);
}

TEST_CASE(mappedMemoryGrowsContiguouslyAndKeepsItsContents) {
  Bench bench;
  size_t before = freeBytes();
  CUdeviceptr range = 0;
  OK(cuMemAddressReserve(&range, 8 * kPage, 0, 0, 0));
  CHECK(range % kPage == 0 && freeBytes() == before);
  std::vector<CUmemGenericAllocationHandle> handles;
  for (size_t i = 0; i < 3; i++) {
    handles.push_back(create(kPage));
    OK(cuMemMap(range + i * kPage, kPage, 0, handles[i], 0));
    ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemsetD8Async(range + i * kPage, 0, 1, nullptr));
    OK(giveAccess(range + i * kPage, kPage));
  }
  CHECK(freeBytes() == before - 3 * kPage);
  std::vector<unsigned char> bytes(3 * kPage), back(3 * kPage);
  for (size_t i = 0; i < bytes.size(); i++) bytes[i] = static_cast<unsigned char>(i * 31 >> 3);
  OK(cuMemcpyHtoD_v2(range, bytes.data(), bytes.size()));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoD_v2(range + 1, bytes.data(), bytes.size()));
  // The middle page elsewhere: physical memory keeps what it holds.
  OK(cuMemUnmap(range + kPage, kPage));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemcpyDtoH_v2(back.data(), range, 3 * kPage));
  OK(cuMemMap(range + 5 * kPage, kPage, 0, handles[1], 0));
  OK(giveAccess(range + 5 * kPage, kPage));
  OK(cuMemcpyDtoH_v2(back.data(), range + 5 * kPage, kPage));
  CHECK(std::equal(back.begin(), back.begin() + kPage, bytes.begin() + kPage));
  for (auto handle : handles) OK(cuMemRelease(handle));
  CHECK(freeBytes() == before - 3 * kPage);
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemAddressFree(range, 8 * kPage));
  OK(cuMemUnmap(range, kPage));
  OK(cuMemUnmap(range + 2 * kPage, kPage));
  OK(cuMemUnmap(range + 5 * kPage, kPage));
  CHECK(freeBytes() == before);
  OK(cuMemAddressFree(range, 8 * kPage));
}

TEST_CASE(freshPhysicalMemoryIsPoisonedThoughAnotherUsedItBefore) {
  Bench bench;
  CUdeviceptr range = 0;
  OK(cuMemAddressReserve(&range, kPage, 0, 0, 0));
  for (int round = 0; round < 2; round++) {
    auto handle = create(kPage);
    OK(cuMemMap(range, kPage, 0, handle, 0));
    OK(giveAccess(range, kPage));
    unsigned char byte = 0;
    OK(cuMemcpyDtoH_v2(&byte, range + 12345, 1));
    CHECK(byte == 0xff);
    OK(cuMemsetD8Async(range, 5, kPage, nullptr));
    OK(cuCtxSynchronize());
    OK(cuMemUnmap(range, kPage));
    OK(cuMemRelease(handle));
  }
  OK(cuMemAddressFree(range, kPage));
}

TEST_CASE(misuseOfMappingsIsRefusedAndLeavesThingsAsTheyWere) {
  Bench bench;
  CUdeviceptr range = 0;
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemAddressReserve(&range, kPage + 4096, 0, 0, 0));
  OK(cuMemAddressReserve(&range, 2 * kPage, 0, 0, 0));
  auto two = create(2 * kPage), one = create(kPage);
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemMap(range + kPage, 2 * kPage, 0, two, 0));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemMap(range, 2 * kPage, 0, one, 0));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, giveAccess(range, kPage));
  OK(cuMemMap(range, 2 * kPage, 0, two, 0));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemMap(range + kPage, kPage, 0, one, 0));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemUnmap(range, kPage));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemUnmap(range + kPage, kPage));
  OK(cuMemUnmap(range, 2 * kPage));
  OK(cuMemRelease(two));
  OK(cuMemRelease(one));
  ANSWERS(CUDA_ERROR_INVALID_HANDLE, cuMemRelease(one));
  OK(cuMemAddressFree(range, 2 * kPage));
}

TEST_CASE(workOnMemoryThatWasUnmappedMeanwhileIsAFaultAndNoCrash) {
  Bench bench;
  TestStream* stream = new TestStream;  // its context is lost, which would fail its destruction
  CUdeviceptr range = 0;
  OK(cuMemAddressReserve(&range, kPage, 0, 0, 0));
  auto handle = create(kPage);
  OK(cuMemMap(range, kPage, 0, handle, 0));
  OK(giveAccess(range, kPage));
  {
    Gate gate;
    gate.closeIn(*stream);
    OK(cuMemsetD8Async(range, 1, kPage, *stream));
    OK(cuMemUnmap(range, kPage));
  }
  ANSWERS(CUDA_ERROR_ILLEGAL_ADDRESS, cuStreamSynchronize(*stream));
  OK(cuMemRelease(handle));
  OK(cuMemAddressFree(range, kPage));
}
