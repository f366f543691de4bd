#include "current.h"

#include "registry.h"

namespace sim {

static thread_local std::vector<CUcontext> stack;

void pushCurrent(CUcontext handle) {
  require(registry().contexts.find(handle) != nullptr, CUDA_ERROR_INVALID_CONTEXT);
  stack.push_back(handle);
}

CUcontext popCurrent() {
  require(!stack.empty(), CUDA_ERROR_INVALID_CONTEXT);
  CUcontext top = stack.back();
  stack.pop_back();
  return top;
}

void setCurrent(CUcontext handle) {
  if (handle) require(registry().contexts.find(handle) != nullptr, CUDA_ERROR_INVALID_CONTEXT);
  if (!stack.empty()) stack.pop_back();
  if (handle) stack.push_back(handle);
}

CUcontext currentHandle() { return stack.empty() ? nullptr : stack.back(); }

ContextPointer current() {
  require(!stack.empty(), CUDA_ERROR_INVALID_CONTEXT, "no context is current in this thread");
  ContextPointer context = registry().contexts.find(stack.back());
  require(context != nullptr, CUDA_ERROR_CONTEXT_IS_DESTROYED);
  return context;
}

}  // namespace sim
