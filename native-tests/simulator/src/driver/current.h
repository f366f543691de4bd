// The contexts of the calling thread: a stack, whose top is current.
#pragma once
#include "context.h"

namespace sim {

void pushCurrent(CUcontext handle);
CUcontext popCurrent();              // CUDA_ERROR_INVALID_CONTEXT when there is none
void setCurrent(CUcontext handle);   // replaces the top; null takes it away
CUcontext currentHandle();           // null when there is none

// CUDA_ERROR_INVALID_CONTEXT when there is none, CUDA_ERROR_CONTEXT_IS_DESTROYED when it is gone.
ContextPointer current();

}  // namespace sim
