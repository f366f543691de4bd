#include "device.h"

#include <vector>

#include "context.h"
#include "failure.h"
#include "settings.h"

namespace sim {

Device::Device(int ordinal) : ordinal(ordinal), pages(settings().memoryBytes), frames(settings().memoryBytes) {}

void Device::take(size_t bytes) {
  std::lock_guard<std::mutex> lock(mutex);
  require(bytes <= settings().memoryBytes - usedBytes, CUDA_ERROR_OUT_OF_MEMORY, "past the device's memory");
  usedBytes += bytes;
}

void Device::giveBack(size_t bytes) {
  std::lock_guard<std::mutex> lock(mutex);
  usedBytes -= bytes;
}

size_t Device::freeBytes() const {
  std::lock_guard<std::mutex> lock(mutex);
  return settings().memoryBytes - usedBytes;
}

size_t Device::totalBytes() const { return settings().memoryBytes; }

CUcontext Device::retainPrimary() {
  std::lock_guard<std::mutex> lock(mutex);
  if (!primary) primary = Context::make(*this, flags, true);
  references++;
  return primary;
}

void Device::releasePrimary() {
  CUcontext last = nullptr;
  {
    std::lock_guard<std::mutex> lock(mutex);
    require(references > 0, CUDA_ERROR_INVALID_CONTEXT, "the primary context is not retained");
    if (--references == 0) std::swap(last, primary);
  }
  if (last) Context::destroy(last);
}

void Device::resetPrimary() {
  CUcontext last = nullptr;
  {
    std::lock_guard<std::mutex> lock(mutex);
    std::swap(last, primary);
    references = 0;
  }
  if (last) Context::destroy(last);
}

bool Device::primaryActive() const {
  std::lock_guard<std::mutex> lock(mutex);
  return primary != nullptr;
}

unsigned Device::primaryFlags() const {
  std::lock_guard<std::mutex> lock(mutex);
  return flags;
}

void Device::setPrimaryFlags(unsigned wanted) {
  std::lock_guard<std::mutex> lock(mutex);
  flags = wanted;
}

Device& deviceOf(CUdevice ordinal) {
  static const std::vector<Device*>& devices = *[] {
    auto* list = new std::vector<Device*>;
    for (int i = 0; i < settings().devices; i++) list->push_back(new Device(i));
    return list;
  }();
  require(ordinal >= 0 && ordinal < static_cast<int>(devices.size()), CUDA_ERROR_INVALID_DEVICE, "no such device");
  return *devices[ordinal];
}

}  // namespace sim
