// The seam between the driver (src/driver: handles, memory, streams) and the device (src/device: modules, threads).
// The driver decides when a kernel runs, and owns all memory; the device knows what a kernel is, and runs it.
#pragma once
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace sim {

struct LaunchShape {
  unsigned gridX, gridY, gridZ;
  unsigned blockX, blockY, blockZ;
  size_t sharedBytes;
};

// What went wrong: a CUresult (0: nothing) and words for the log. While a kernel runs: 700 illegal address,
// 701 launch out of resources, 719 launch failure (a barrier deadlock, a race, a trap).
struct Fault {
  int code = 0;
  std::string message;
};

// One __global__ function of a loaded module. Several streams may run it at the same time.
class Kernel {
 public:
  virtual ~Kernel() = default;
  virtual const std::string& name() const = 0;
  virtual const std::vector<size_t>& parameterSizes() const = 0;

  // What __launch_bounds__ allows, or what every device does; and the shared memory that it has without asking for any.
  virtual unsigned maxThreads() const { return 1024; }
  virtual size_t staticSharedBytes() const { return 0; }

  // Shapes that no device takes, refused when launched with CUDA_ERROR_INVALID_VALUE (1) or 701.
  virtual Fault check(const LaunchShape& shape) const = 0;

  // Runs the whole grid on the calling thread (and helpers); arguments[i] points to a copy taken at launch,
  // aligned to 16 bytes. Never hangs, never crashes the process: what goes wrong comes back as a fault.
  virtual Fault run(const LaunchShape& shape, void* const* arguments) = 0;
};

class Module {
 public:
  virtual ~Module() = default;

  // Null when there is no such kernel; the kernel lives as long as its module.
  virtual Kernel* find(const std::string& name) = 0;

  // A __device__ or __constant__ variable; fault 500 when there is none.
  virtual Fault global(const std::string& name, void** address, size_t* bytes) = 0;
};

// Defined by the device. Null with a fault: 200 invalid image, 218 invalid PTX, 209 no binary for this device.
std::unique_ptr<Module> loadModule(const void* image, Fault& fault);

// Defined by the driver: visits every range that a kernel may touch now and that belongs to a device (allocations and
// mapped pages that may be written), in order of address. Nothing is freed meanwhile.
void eachAllocation(const std::function<void(char* address, size_t bytes)>& visit);

// Defined by the driver: words for an address in a message: which allocation it lies in or next to.
std::string describeAddress(const void* address);

}  // namespace sim
