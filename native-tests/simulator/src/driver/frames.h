// Physical memory of one device for who maps it himself: frames of 2 MiB in one file in memory. Poisoned when taken.
#pragma once
#include <cstddef>
#include <mutex>
#include <vector>

namespace sim {

class Frames {
 public:
  static constexpr size_t kFrame = size_t{2} << 20;

  explicit Frames(size_t memoryBytes);

  // Numbers of `count` frames; the device's limit has been asked before, so there are enough.
  std::vector<size_t> take(size_t count);
  void giveBack(const std::vector<size_t>& numbers);

  // Puts frames at an address, one after another, without access; false when the kernel refuses.
  bool map(char* address, const std::vector<size_t>& numbers) const;

 private:
  int file() const;

  mutable std::mutex mutex;
  mutable int descriptor = -1;
  std::vector<bool> taken;
};

}  // namespace sim
