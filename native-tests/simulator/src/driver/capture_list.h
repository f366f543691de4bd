// The captures in progress, and which calls each thread may make while there are any.
#pragma once
#include <atomic>
#include <memory>
#include <vector>

namespace sim {

class Capture;

class CaptureList {
 public:
  bool empty() const { return count.load() == 0; }  // without the lock, since every call asks
  void add(const std::shared_ptr<Capture>& capture);
  void remove(const std::shared_ptr<Capture>& capture);
  bool contains(const std::shared_ptr<Capture>& capture) const;
  std::vector<std::shared_ptr<Capture>> all() const { return captures; }

 private:
  std::atomic<size_t> count{0};
  std::vector<std::shared_ptr<Capture>> captures;  // guarded by captureMutex()
};

CaptureList& captureList();

}  // namespace sim
