// One launch of a kernel: its shape and copies of its arguments.
#pragma once
#include <memory>
#include <vector>

#include "module.h"
#include "work.h"

namespace sim {

// Arguments as they were when the kernel was launched, each on 16 bytes.
class Arguments {
 public:
  // From an array of pointers, or from one packed buffer in `extra`; CUDA_ERROR_INVALID_VALUE when neither is there.
  Arguments(const Kernel& kernel, void* const* pointers, void* const* extra);
  void** pointers() const { return const_cast<void**>(places.data()); }

 private:
  std::unique_ptr<char[]> storage;
  std::vector<void*> places;
};

class KernelWork : public Work {
 public:
  KernelWork(CUfunction handle, std::shared_ptr<Function> function, const LaunchShape& shape, Arguments arguments);
  const CUfunction handle;
  const LaunchShape shape;
  const Arguments arguments;
  CUgraphNodeType type() const override { return CU_GRAPH_NODE_TYPE_KERNEL; }
  std::string what() const override { return function->kernel->name(); }
  Fault run(Stream&) const override { return function->kernel->run(shape, arguments.pointers()); }

 private:
  const std::shared_ptr<Function> function;
};

// Checks shape, arguments and shared memory as a launch does.
WorkPointer checkedLaunch(const CUDA_KERNEL_NODE_PARAMS& launch);

}  // namespace sim
