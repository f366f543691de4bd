// How many blocks of a kernel fit on a multiprocessor: by threads and shared memory alone.
#include <algorithm>

#include "device.h"
#include "entry.h"
#include "module.h"
#include "registry.h"

using namespace sim;

constexpr int kThreadsPerMultiprocessor = 2048;
constexpr int kBlocksPerMultiprocessor = 32;
constexpr size_t kSharedPerMultiprocessor = size_t{228} << 10;

static int activeBlocks(CUfunction function, int blockSize, size_t sharedBytes) {
  registry().functions.at(function);
  requireValue(blockSize > 0, "blocks of no threads");
  if (blockSize > attribute(1) || sharedBytes > static_cast<size_t>(kSharedBytesAtMost)) return 0;
  int byThreads = kThreadsPerMultiprocessor / ((blockSize + 31) / 32 * 32);
  int byShared = sharedBytes ? static_cast<int>(kSharedPerMultiprocessor / sharedBytes) : kBlocksPerMultiprocessor;
  return std::min({byThreads, byShared, kBlocksPerMultiprocessor});
}

SIM_EXPORT CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, CUfunction function, int blockSize,
                                                                size_t sharedBytes) {
  return entry("cuOccupancyMaxActiveBlocksPerMultiprocessor", kWell,
               [&] { *blocks = activeBlocks(function, blockSize, sharedBytes); });
}

SIM_EXPORT CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, CUfunction function,
                                                                         int blockSize, size_t sharedBytes,
                                                                         unsigned) {
  return entry("cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags", kWell,
               [&] { *blocks = activeBlocks(function, blockSize, sharedBytes); });
}

static void bestBlock(int* minimalGrid, int* blockSize, CUfunction function, CUoccupancyB2DSize sharedOf, size_t shared,
                      int limit) {
  int most = -1, largest = limit > 0 ? std::min(limit, attribute(1)) : attribute(1);
  for (int size = largest / 32 * 32; size > 0; size -= 32) {
    size_t bytes = sharedOf ? sharedOf(size) : shared;
    int threads = activeBlocks(function, size, bytes) * size;
    if (threads <= most) continue;
    most = threads;
    *blockSize = size;
    *minimalGrid = threads / size * attribute(16);
  }
}

SIM_EXPORT CUresult cuOccupancyMaxPotentialBlockSize(int* minimalGrid, int* blockSize, CUfunction function,
                                                     CUoccupancyB2DSize sharedOf, size_t shared, int limit) {
  return entry("cuOccupancyMaxPotentialBlockSize", kWell,
               [&] { bestBlock(minimalGrid, blockSize, function, sharedOf, shared, limit); });
}

SIM_EXPORT CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int* minimalGrid, int* blockSize, CUfunction function,
                                                              CUoccupancyB2DSize sharedOf, size_t shared, int limit,
                                                              unsigned) {
  return entry("cuOccupancyMaxPotentialBlockSizeWithFlags", kWell,
               [&] { bestBlock(minimalGrid, blockSize, function, sharedOf, shared, limit); });
}
