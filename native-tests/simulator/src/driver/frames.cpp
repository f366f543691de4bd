#include "frames.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "failure.h"
#include "settings.h"

namespace sim {

Frames::Frames(size_t memoryBytes) : taken((memoryBytes + kFrame - 1) / kFrame) {}

// Called under the lock. Made late: most programs never map memory themselves.
int Frames::file() const {
  if (descriptor < 0) {
    descriptor = memfd_create("cairn-frames", MFD_CLOEXEC);
    require(descriptor >= 0 && !ftruncate(descriptor, static_cast<off_t>(taken.size() * kFrame)),
            CUDA_ERROR_OPERATING_SYSTEM, "no file in memory");
  }
  return descriptor;
}

static void poison(int file, size_t number) {
  static const std::vector<char>& full = *new std::vector<char>(Frames::kFrame, static_cast<char>(0xff));
  for (size_t at = 0; at < full.size();) {
    ssize_t n = pwrite(file, full.data() + at, full.size() - at, static_cast<off_t>(number * Frames::kFrame + at));
    require(n > 0, CUDA_ERROR_OUT_OF_MEMORY, "the operating system has no memory left");
    at += static_cast<size_t>(n);
  }
}

std::vector<size_t> Frames::take(size_t count) {
  std::lock_guard<std::mutex> lock(mutex);
  int fd = file();
  std::vector<size_t> numbers;
  for (size_t i = 0; i < taken.size() && numbers.size() < count; i++) if (!taken[i]) numbers.push_back(i);
  require(numbers.size() == count, CUDA_ERROR_OUT_OF_MEMORY, "no frames left");
  if (settings().poison) for (size_t number : numbers) poison(fd, number);
  for (size_t number : numbers) taken[number] = true;
  return numbers;
}

void Frames::giveBack(const std::vector<size_t>& numbers) {
  std::lock_guard<std::mutex> lock(mutex);
  for (size_t number : numbers) {
    taken[number] = false;
    fallocate(file(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(number * kFrame), kFrame);
  }
}

bool Frames::map(char* address, const std::vector<size_t>& numbers) const {
  std::lock_guard<std::mutex> lock(mutex);
  for (size_t i = 0; i < numbers.size(); i++) {
    void* got = mmap(address + i * kFrame, kFrame, PROT_NONE, MAP_SHARED | MAP_FIXED, file(),
                     static_cast<off_t>(numbers[i] * kFrame));
    if (got == MAP_FAILED) return false;
  }
  return true;
}

}  // namespace sim
