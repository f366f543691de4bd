#include "timeline.h"

#include <atomic>
#include <mutex>

namespace sim {

static std::atomic<bool> kept{false};
static std::atomic<uint64_t> seen{0};
static thread_local std::string labelOfThread;

static std::mutex& guard() {
  static std::mutex& mutex = *new std::mutex;
  return mutex;
}

static std::string& keptLines() {
  static std::string& text = *new std::string;
  return text;
}

void keepTimeline(bool wanted) {
  std::lock_guard<std::mutex> lock(guard());
  kept = wanted;
  keptLines().clear();
}

void label(const char* text) { labelOfThread = text; }

Issued issuedNow() { return kept ? Issued{seen, labelOfThread} : Issued{}; }

void hostHasSeen(uint64_t tick) {
  uint64_t before = seen;
  while (before < tick && !seen.compare_exchange_weak(before, tick)) {
  }
}

void note(const std::string& stream, const std::string& what, const Issued& issued, uint64_t begin, uint64_t end,
          uint64_t moment) {
  if (!kept) return;
  std::lock_guard<std::mutex> lock(guard());
  keptLines() += stream + "\t" + what + "\t" + issued.label + "\t" + std::to_string(begin) + "\t" + std::to_string(end) +
             "\t" + std::to_string(moment) + "\n";
}

std::string timelineText() {
  std::lock_guard<std::mutex> lock(guard());
  return keptLines();
}

}  // namespace sim
