// A memory pool of cuMemPoolCreate. The simulator gives its memory back at once; only the handle is real.
#pragma once
#include "context.h"

namespace sim {

struct Pool {
  ContextPointer context;
};

}  // namespace sim
