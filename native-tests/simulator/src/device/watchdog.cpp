#include "device/watchdog.h"

#include <pthread.h>

#include <chrono>
#include <map>
#include <mutex>
#include <thread>

#include "device/settings.h"
#include "device/signal_guard.h"

namespace sim::device {
namespace {

using Clock = std::chrono::steady_clock;

class Watchdog {
 public:
  Watchdog() { std::thread([this] { watch(); }).detach(); }

  void add(pthread_t thread) {
    std::lock_guard<std::mutex> lock(mutex_);
    deadlines_[thread] = Clock::now() + std::chrono::seconds(deviceSettings().timeoutSeconds);
  }

  void remove(pthread_t thread) {
    std::lock_guard<std::mutex> lock(mutex_);
    deadlines_.erase(thread);
  }

 private:
  // Looking now and then is enough, and spares every launch a wake-up.
  void watch() {
    for (;;) {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      std::lock_guard<std::mutex> lock(mutex_);
      const auto now = Clock::now();
      for (auto& [thread, deadline] : deadlines_) {
        if (now < deadline) continue;
        interruptThread(thread);
        deadline = Clock::time_point::max();
      }
    }
  }

  std::mutex mutex_;
  std::map<pthread_t, Clock::time_point> deadlines_;
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

}  // namespace sim::device
