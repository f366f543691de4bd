// The things behind the opaque handles of one kind. A handle is a number that is never used again, so that a handle
// that outlived its thing is an error and not some later thing.
#pragma once
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "failure.h"

namespace sim {

inline uint64_t nextHandle() {
  static std::atomic<uint64_t> last{0x100000};
  return last += 16;
}

template <class Handle, class Thing>
class HandleTable {
 public:
  using Pointer = std::shared_ptr<Thing>;

  Handle add(Pointer thing) {
    uint64_t key = nextHandle();
    std::lock_guard<std::mutex> lock(mutex);
    things.emplace(key, std::move(thing));
    return reinterpret_cast<Handle>(key);
  }

  // The thing, or CUDA_ERROR_INVALID_HANDLE.
  Pointer at(Handle handle) const {
    Pointer found = find(handle);
    if (!found) fail(CUDA_ERROR_INVALID_HANDLE);
    return found;
  }

  Pointer find(Handle handle) const {
    std::lock_guard<std::mutex> lock(mutex);
    auto found = things.find(reinterpret_cast<uint64_t>(handle));
    return found == things.end() ? nullptr : found->second;
  }

  Pointer remove(Handle handle) {
    std::lock_guard<std::mutex> lock(mutex);
    auto found = things.find(reinterpret_cast<uint64_t>(handle));
    if (found == things.end()) fail(CUDA_ERROR_INVALID_HANDLE);
    Pointer thing = std::move(found->second);
    things.erase(found);
    return thing;
  }

  // Takes out all that fit, in the order in which they were made.
  template <class Test>
  std::vector<Pointer> removeIf(Test fits) {
    std::vector<Pointer> taken;
    std::lock_guard<std::mutex> lock(mutex);
    for (auto it = things.begin(); it != things.end();) {
      if (!fits(*it->second)) { ++it; continue; }
      taken.push_back(std::move(it->second));
      it = things.erase(it);
    }
    return taken;
  }

  // The handle of a thing; null when it has none.
  Handle handleOf(const Pointer& thing) const {
    return handleIf([&](const Thing& one) { return &one == thing.get(); });
  }

  template <class Test>
  Handle handleIf(Test fits) const {
    std::lock_guard<std::mutex> lock(mutex);
    for (auto& entry : things) if (fits(*entry.second)) return reinterpret_cast<Handle>(entry.first);
    return nullptr;
  }

  std::vector<Pointer> all() const {
    std::lock_guard<std::mutex> lock(mutex);
    std::vector<Pointer> list;
    for (auto& entry : things) list.push_back(entry.second);
    return list;
  }

  size_t size() const {
    std::lock_guard<std::mutex> lock(mutex);
    return things.size();
  }

 private:
  mutable std::mutex mutex;
  std::map<uint64_t, Pointer> things;
};

}  // namespace sim
