#include "virtual_memory.h"

#include <sys/mman.h>

#include <map>
#include <mutex>

#include "failure.h"
#include "memory_map.h"

namespace sim {

namespace {

struct Mapping {
  size_t bytes;
  PhysicalPointer physical;
  int access;
};

struct Reservation {
  size_t bytes;
  std::map<char*, Mapping> mappings;
};

std::mutex mappingMutex;
std::map<char*, Reservation>& reservations = *new std::map<char*, Reservation>;

bool whole(size_t bytes) { return bytes && bytes % kGranularity == 0; }

// The reservation that all of the range lies in.
Reservation& around(char* address, size_t bytes) {
  auto next = reservations.upper_bound(address);
  requireValue(next != reservations.begin(), "not a reserved address");
  auto& found = *std::prev(next);
  requireValue(address + bytes <= found.first + found.second.bytes, "past the end of the reserved range");
  return found.second;
}

// The mappings that make up exactly the range.
std::vector<std::map<char*, Mapping>::iterator> exactly(Reservation& reservation, char* address, size_t bytes) {
  std::vector<std::map<char*, Mapping>::iterator> found;
  char* at = address;
  while (at < address + bytes) {
    auto mapping = reservation.mappings.find(at);
    requireValue(mapping != reservation.mappings.end(), "the range is not made of whole mappings");
    found.push_back(mapping);
    at += mapping->second.bytes;
  }
  requireValue(at == address + bytes, "the range ends within a mapping");
  return found;
}

std::vector<size_t> takenFrames(Device& device, size_t bytes) {
  device.take(bytes);
  try {
    return device.frames.take(bytes / kGranularity);
  } catch (...) {
    device.giveBack(bytes);
    throw;
  }
}

}  // namespace

Physical::Physical(Device& device, size_t bytes, const CUmemAllocationProp& properties)
    : device(device), bytes(bytes), properties(properties), frames(takenFrames(device, bytes)) {}

Physical::~Physical() {
  device.frames.giveBack(frames);
  device.giveBack(bytes);
}

char* reserveRange(size_t bytes, size_t alignment) {
  requireValue(whole(bytes), "size must be whole pages of 2 MiB");
  requireValue((alignment & (alignment - 1)) == 0, "alignment must be a power of two");
  char* address = reserveAddresses(bytes, std::max(alignment, kGranularity));
  require(address != nullptr, CUDA_ERROR_OUT_OF_MEMORY, "no addresses left");
  std::lock_guard<std::mutex> lock(mappingMutex);
  reservations[address] = {bytes, {}};
  return address;
}

void freeRange(char* address, size_t bytes) {
  std::lock_guard<std::mutex> lock(mappingMutex);
  auto found = reservations.find(address);
  requireValue(found != reservations.end() && found->second.bytes == bytes, "not a reserved range");
  requireValue(found->second.mappings.empty(), "the range still has mappings");
  reservations.erase(found);
  munmap(address, bytes);
}

void mapInto(char* address, size_t bytes, const PhysicalPointer& physical) {
  requireValue(whole(bytes) && reinterpret_cast<uintptr_t>(address) % kGranularity == 0, "whole pages of 2 MiB");
  requireValue(bytes <= physical->bytes, "more than the physical memory has");
  std::lock_guard<std::mutex> lock(mappingMutex);
  auto& mappings = around(address, bytes).mappings;
  auto next = mappings.lower_bound(address);
  bool clear = next == mappings.end() || next->first >= address + bytes;
  if (clear && next != mappings.begin()) {
    auto& before = *std::prev(next);
    clear = before.first + before.second.bytes <= address;
  }
  requireValue(clear, "something is mapped there");
  auto first = physical->frames.begin();
  std::vector<size_t> frames(first, first + static_cast<long>(bytes / kGranularity));
  if (!physical->device.frames.map(address, frames)) {
    mapNothing(address, bytes);
    fail(CUDA_ERROR_OUT_OF_MEMORY, "the operating system gives no more mappings");
  }
  mappings[address] = {bytes, physical, CU_MEM_ACCESS_FLAGS_PROT_NONE};
}

void unmapFrom(char* address, size_t bytes) {
  std::lock_guard<std::mutex> lock(mappingMutex);
  auto& reservation = around(address, bytes);
  for (auto& mapping : exactly(reservation, address, bytes)) {
    memoryMap().take(mapping->first, MemoryKind::mapped);
    mapNothing(mapping->first, mapping->second.bytes);
    reservation.mappings.erase(mapping);
  }
}

void giveAccess(char* address, size_t bytes, int deviceOrdinal, int flags) {
  bool readable = flags & CU_MEM_ACCESS_FLAGS_PROT_READ, writable = flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  std::lock_guard<std::mutex> lock(mappingMutex);
  for (auto& mapping : exactly(around(address, bytes), address, bytes)) {
    int protection = (readable ? PROT_READ : PROT_NONE) | (writable ? PROT_WRITE : PROT_NONE);
    require(!mprotect(mapping->first, mapping->second.bytes, protection), CUDA_ERROR_OPERATING_SYSTEM);
    mapping->second.access = flags;
    memoryMap().take(mapping->first, MemoryKind::mapped);
    if (!readable) continue;
    size_t length = mapping->second.bytes;
    memoryMap().add({mapping->first, length, MemoryKind::mapped, deviceOrdinal, nullptr, 0, 0, writable});
  }
}

static const Mapping& mappingAt(const char* address) {
  auto& mappings = around(const_cast<char*>(address), 1).mappings;
  auto next = mappings.upper_bound(const_cast<char*>(address));
  requireValue(next != mappings.begin(), "nothing is mapped there");
  auto& found = *std::prev(next);
  requireValue(address < found.first + found.second.bytes, "nothing is mapped there");
  return found.second;
}

int accessOf(const char* address) {
  std::lock_guard<std::mutex> lock(mappingMutex);
  return mappingAt(address).access;
}

PhysicalPointer physicalAt(const char* address) {
  std::lock_guard<std::mutex> lock(mappingMutex);
  return mappingAt(address).physical;
}

size_t reservationCount() {
  std::lock_guard<std::mutex> lock(mappingMutex);
  return reservations.size();
}

}  // namespace sim
