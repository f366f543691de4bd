#include "work.h"

#include <algorithm>
#include <mutex>

#include "device/settings.h"
#include "event.h"
#include "memory_map.h"
#include "stream.h"
#include "trace.h"

namespace sim {

// The race check puts memory back and runs a kernel a second time: nothing else may change memory meanwhile. What waits
// for other streams touches none, and is let through.
static std::unique_lock<std::mutex> aloneWithMemory(const Work& work) {
  static const bool checksRaces = device::deviceSettings().checksRaces;
  static std::mutex memory;
  return checksRaces && work.usesMemory() ? std::unique_lock<std::mutex>(memory) : std::unique_lock<std::mutex>();
}

// Notes the work down after it ran: then the tick of the event that it waited for is known.
static void noteDown(Stream& stream, const Work& work, const Issued& issued) {
  const Moment* moment = work.moment();
  bool waited = moment && work.type() == CU_GRAPH_NODE_TYPE_WAIT_EVENT;
  if (waited) stream.tick = std::max<uint64_t>(stream.tick, moment->tick());
  uint64_t begin = stream.tick;
  stream.tick = begin + work.usesMemory();
  note(stream.name, work.what(), issued, begin, stream.tick, moment ? moment->number : 0);
}

void perform(Stream& stream, const Work& work, const Issued& issued) {
  int64_t startNanos = tracing() ? nowNanos() : 0;
  CUresult status = stream.context->lost();
  if (status == CUDA_SUCCESS || work.runsWhenLost()) {
    const auto alone = aloneWithMemory(work);
    Fault fault = work.run(stream);
    if (!fault.code && work.type() == CU_GRAPH_NODE_TYPE_KERNEL) fault = brokenCanary();
    if (fault.code) {
      status = static_cast<CUresult>(fault.code);
      stream.context->lose(status, work.what() + ": " + fault.message);
    }
  }
  noteDown(stream, work, issued);
  work.settle(status);
  if (tracing()) traceWork(stream.name, work.what(), status, startNanos);
}

}  // namespace sim
