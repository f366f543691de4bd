#include "device/watchdog.h"

#include <pthread.h>
#include <time.h>

#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <thread>

#include "device/settings.h"
#include "device/signal_guard.h"

namespace sim::device {
namespace {

constexpr long long kSecond = 1000000000, kNever = INT64_MAX;

// Processor time of a thread, in nanoseconds.
long long spentBy(pthread_t thread) {
  clockid_t clock;
  timespec time = {};
  if (pthread_getcpuclockid(thread, &clock) == 0) clock_gettime(clock, &time);
  return time.tv_sec * kSecond + time.tv_nsec;
}

class Watchdog {
 public:
  Watchdog() { std::thread([this] { watch(); }).detach(); }

  void add(pthread_t thread) {
    std::lock_guard<std::mutex> lock(mutex_);
    ends_[thread] = spentBy(thread) + deviceSettings().timeoutSeconds * kSecond;
  }

  void remove(pthread_t thread) {
    std::lock_guard<std::mutex> lock(mutex_);
    ends_.erase(thread);
  }

  void pass(unsigned seconds) {
    std::lock_guard<std::mutex> lock(mutex_);
    for (auto& [thread, end] : ends_) end -= seconds * kSecond;
    look();
  }

 private:
  // Looking now and then is enough, and spares every launch a wake-up.
  void watch() {
    for (;;) {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      std::lock_guard<std::mutex> lock(mutex_);
      look();
    }
  }

  // A thread that is in the table lives: it takes itself out.
  void look() {
    for (auto& [thread, end] : ends_) {
      if (spentBy(thread) < end) continue;
      interruptThread(thread);
      end = kNever;
    }
  }

  std::mutex mutex_;
  std::map<pthread_t, long long> ends_;  // the processor time at which each is to be interrupted
};

Watchdog& watchdog() {
  static auto* watchdog = new Watchdog;
  return *watchdog;
}

}  // namespace

Watched::Watched() {
  if (deviceSettings().timeoutSeconds != 0) watchdog().add(pthread_self());
}

Watched::~Watched() {
  if (deviceSettings().timeoutSeconds != 0) watchdog().remove(pthread_self());
}

void passSeconds(unsigned seconds) { watchdog().pass(seconds); }

}  // namespace sim::device
