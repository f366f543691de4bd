// What tests ask of the simulator itself, by exported functions (README.md).
#include <cstdio>
#include <cstring>

#include "abandoned.h"
#include "capture_list.h"
#include "context.h"
#include "entry.h"
#include "fault_plan.h"
#include "graph.h"
#include "memory_map.h"
#include "registry.h"
#include "timeline.h"
#include "virtual_memory.h"

using namespace sim;

// The nth next call of a function answers the code and does nothing; nth 0 forgets.
SIM_EXPORT void cairn_sim_fail(const char* call, int nth, int code) { faultPlan().fail(call, nth, code); }

// How often a function was called.
SIM_EXPORT long cairn_sim_calls(const char* call) { return faultPlan().calls(call); }

// All contexts are lost, as after a kernel that failed.
SIM_EXPORT void cairn_sim_lose_context() {
  for (auto& context : registry().contexts.all()) context->lose(CUDA_ERROR_LAUNCH_FAILED, "lost on request");
}

static long put(const std::string& words, char* text, long size) {
  if (text && size > 0) snprintf(text, static_cast<size_t>(size), "%s", words.c_str());
  return static_cast<long>(words.size());
}

// The words of the latest fault that lost a context; its full length.
SIM_EXPORT long cairn_sim_last_fault(char* text, long size) { return put(lastFault(), text, size); }

static void line(std::string& words, int& held, const char* what, size_t count) {
  if (!count) return;
  words += std::string(what) + " count=" + std::to_string(count) + "\n";
  held += static_cast<int>(count);
}

// Keeps the timeline from now on, or no longer; what was kept is forgotten.
SIM_EXPORT void cairn_sim_keep_timeline(int wanted) { keepTimeline(wanted != 0); }

// Goes with all that this thread gives to streams from now on.
SIM_EXPORT void cairn_sim_label(const char* text) { label(text); }

// The timeline so far; its full length.
SIM_EXPORT long cairn_sim_timeline(char* text, long size) { return put(timelineText(), text, size); }

// What is still held, a line each; the number of things. Memory is listed by allocation.
SIM_EXPORT long cairn_sim_leaks(char* text, long size) {
  std::string words;
  int held = 0;
  line(words, held, "contexts", registry().contexts.size());
  line(words, held, "streams", registry().streams.size());
  line(words, held, "events", registry().events.size());
  line(words, held, "modules", registry().modules.size());
  size_t graphs = 0;
  for (auto& graph : registry().graphs.all()) graphs += !graph->partOfNode;
  line(words, held, "graphs", graphs);
  line(words, held, "executable graphs", registry().graphExecs.size());
  line(words, held, "memory pools", registry().pools.size());
  line(words, held, "physical memory", registry().physical.size());
  line(words, held, "reserved address ranges", reservationCount());
  memoryMap().each([&](const Range& range) {
    if (range.kind == MemoryKind::global) return;  // counted with its module
    char row[96];
    snprintf(row, sizeof row, "%s memory address=%p bytes=%zu\n", nameOf(range.kind), static_cast<void*>(range.address),
             range.bytes);
    words += row;
    held++;
  });
  words += takeAbandoned(held);
  put(words, text, size);
  return held;
}
