// Memset of one or two dimensions, in elements of 1, 2 or 4 bytes.
#pragma once
#include "work.h"

namespace sim {

class FillWork : public Work {
 public:
  explicit FillWork(const CUDA_MEMSET_NODE_PARAMS& shape) : shape(shape) {}
  const CUDA_MEMSET_NODE_PARAMS shape;
  CUgraphNodeType type() const override { return CU_GRAPH_NODE_TYPE_MEMSET; }
  std::string what() const override;
  Fault run(Stream&) const override;
};

// CUDA_ERROR_INVALID_VALUE where it leaves the allocation, or is not aligned to its elements.
WorkPointer checkedFill(CUDA_MEMSET_NODE_PARAMS shape);

}  // namespace sim
