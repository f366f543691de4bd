#include "work.h"

#include "memory_map.h"
#include "stream.h"
#include "trace.h"

namespace sim {

void perform(Stream& stream, const Work& work) {
  int64_t startNanos = tracing() ? nowNanos() : 0;
  CUresult status = stream.context->lost();
  if (status == CUDA_SUCCESS || work.runsWhenLost()) {
    Fault fault = work.run(stream);
    if (!fault.code && work.type() == CU_GRAPH_NODE_TYPE_KERNEL) fault = brokenCanary();
    if (fault.code) {
      status = static_cast<CUresult>(fault.code);
      stream.context->lose(status, work.what() + ": " + fault.message);
    }
  }
  work.settle(status);
  if (tracing()) traceWork(stream.name, work.what(), status, startNanos);
}

}  // namespace sim
