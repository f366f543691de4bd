// Copies of one to three dimensions between host and device, and what each kind of memory means for when they happen:
// pageable memory of the host is read before the call returns and written before it returns; pinned memory and memory
// of the device are touched when the stream comes to it.
#pragma once
#include <memory>
#include <vector>

#include "stream.h"

namespace sim {

enum class Reach { pageable, pinned, device };

CUDA_MEMCPY3D linearCopy(CUmemorytype toType, void* to, CUmemorytype fromType, const void* from, size_t bytes);
CUDA_MEMCPY3D flatCopy(const CUDA_MEMCPY2D& shape);

// Fills in what may be left out (pitches), and checks that both sides lie in memory of their kind:
// CUDA_ERROR_INVALID_VALUE.
CUDA_MEMCPY3D checkedCopy(CUDA_MEMCPY3D shape);
Reach sourceReach(const CUDA_MEMCPY3D& shape);
Reach targetReach(const CUDA_MEMCPY3D& shape);

class CopyWork : public Work {
 public:
  explicit CopyWork(const CUDA_MEMCPY3D& shape);
  const CUDA_MEMCPY3D shape;
  CUgraphNodeType type() const override { return CU_GRAPH_NODE_TYPE_MEMCPY; }
  std::string what() const override;
  Fault run(Stream&) const override;

 private:
  const bool sourceKnown;  // memory of the map: must still be there when the work runs
  const bool targetKnown;
};

// A call that copies: `synchronous` for those whose name doesn't say Async.
void copy(const StreamPointer& stream, const CUDA_MEMCPY3D& wanted, bool synchronous);

}  // namespace sim
