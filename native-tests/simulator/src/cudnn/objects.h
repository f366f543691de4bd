// What cuDNN's handles and descriptors stand for. Each is known by its address while it lives, so that one that was
// destroyed, or is of another kind, is refused rather than read.
#pragma once
#include <mutex>
#include <set>
#include <vector>

#include "cublas/elements.h"
#include "cudnn/status.h"
#include "driver/abi.h"

namespace sim {

// cudnnMathType_t.
enum MathType : int { MATH_DEFAULT_DNN = 0, MATH_TENSOR_OP_DNN = 1, MATH_ALLOW_CONVERSION = 2, MATH_FMA = 3 };

struct DnnHandle {
  CUstream stream = nullptr;
};

struct TensorDescriptor {
  bool isSet = false;
  ElementType type = ElementType::Float32;
  std::vector<int> extents;
};

struct FilterDescriptor {
  bool isSet = false;
  ElementType type = ElementType::Float32;
  std::vector<int> extents;
};

struct ConvolutionDescriptor {
  bool isSet = false;
  std::vector<int> pads, strides, dilations;
  int mode = 0, groups = 1, math = MATH_DEFAULT_DNN;
  ElementType compute = ElementType::Float32;
};

// All living objects of one kind.
template <class T>
class Living {
 public:
  T* add() {
    T* made = new T;
    const std::lock_guard<std::mutex> lock(mutex_);
    all_.insert(made);
    return made;
  }
  T& get(const void* address, CudnnStatus unknown = CUDNN_STATUS_BAD_PARAM) {
    require(address != nullptr, CUDNN_STATUS_BAD_PARAM_NULL_POINTER, "a handle or descriptor is null");
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = all_.find(static_cast<T*>(const_cast<void*>(address)));
    require(found != all_.end(), unknown, "no such handle or descriptor, or one that was destroyed");
    return **found;
  }
  void remove(const void* address) {
    T* gone = &get(address);
    const std::lock_guard<std::mutex> lock(mutex_);
    all_.erase(gone);
    delete gone;
  }
  size_t count() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return all_.size();
  }

 private:
  std::mutex mutex_;
  std::set<T*> all_;
};

template <class T>
Living<T>& living() {
  static auto& all = *new Living<T>;
  return all;
}

// cudnnDataType_t, as far as convolutions have it.
ElementType elementTypeOf(int dataType);

}  // namespace sim
