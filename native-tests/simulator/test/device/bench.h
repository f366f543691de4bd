// A device without a driver: compiles with the simulated NVRTC, loads, keeps memory, launches.
#pragma once
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "driver/grid_runner.h"
#include "../check.h"

namespace test {

struct Compiled {
  int code;
  std::string log, ptx, cubin;
  std::vector<std::string> lowered;
};

Compiled compile(const std::string& source, const std::vector<std::string>& options = {"--gpu-architecture=sm_90"},
                 const std::vector<std::string>& names = {},
                 const std::vector<std::pair<std::string, std::string>>& headers = {});

// A loaded module that must compile and load; a failure is reported and gives null.
std::unique_ptr<sim::Module> load(const std::string& source,
                                  const std::vector<std::string>& options = {"--gpu-architecture=sm_90"});

// Memory of the device, known to the driver's half of the seam; ends at a guard page.
char* allocate(size_t bytes);
void release(char* memory);

template <class T>
class Buffer {
 public:
  explicit Buffer(const std::vector<T>& values) : count_(values.size()), data_(allocate(count_ * sizeof(T))) {
    memcpy(data_, values.data(), count_ * sizeof(T));
  }
  explicit Buffer(size_t count, T value = T()) : Buffer(std::vector<T>(count, value)) {}
  ~Buffer() { release(data_); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  T* data() const { return reinterpret_cast<T*>(data_); }
  T& operator[](size_t i) const { return data()[i]; }
  size_t size() const { return count_; }

 private:
  size_t count_;
  char* data_;
};

struct Shape {
  unsigned grid, block;
  size_t shared = 0;
};

template <class... Arguments>
sim::Fault launchShape(sim::Module& module, const char* kernel, const sim::LaunchShape& shape, Arguments... arguments) {
  sim::Kernel* found = module.find(kernel);
  if (found == nullptr) return {500, std::string("no kernel ") + kernel};
  void* pointers[] = {static_cast<void*>(&arguments)..., nullptr};
  sim::Fault fault = found->check(shape);
  return fault.code != 0 ? fault : found->run(shape, pointers);
}

template <class... Arguments>
sim::Fault launch(sim::Module& module, const char* kernel, const Shape& shape, Arguments... arguments) {
  return launchShape(module, kernel, {shape.grid, 1, 1, shape.block, 1, 1, shape.shared}, arguments...);
}

// The order under test, as CAIRN_SIM_ORDER names it.
std::string order();

// True in the first order. What the compiler refuses does not depend on the order, so it is checked once.
inline bool isFirstOrder() { return order() == "forward"; }

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace test

#define CHECK_RUNS(...) \
  do { \
    const sim::Fault fault = __VA_ARGS__; \
    CHECK_SAYS(fault.code == 0, std::to_string(fault.code) + " " + fault.message); \
  } while (false)
