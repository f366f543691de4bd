// Descriptors: their life, and what they are set to.
#include <algorithm>

#include "cudnn/objects.h"

using namespace sim;

namespace {

constexpr int kLeastRank = 4, kMostRank = 8;
constexpr int kNchw = 0;

std::vector<int> positive(const int* values, int count, const char* what) {
  require(values != nullptr, CUDNN_STATUS_BAD_PARAM_NULL_POINTER, what);
  std::vector<int> all(values, values + count);
  require(std::all_of(all.begin(), all.end(), [](int it) { return it > 0; }), CUDNN_STATUS_BAD_PARAM, what);
  return all;
}

void requireRank(int rank) {
  require(rank >= kLeastRank && rank <= kMostRank, CUDNN_STATUS_BAD_PARAM, "a tensor has 4 to 8 dimensions");
}

template <class T>
int create(const char* call, T** descriptor) {
  return answer(call, [&] {
    require(descriptor != nullptr, CUDNN_STATUS_BAD_PARAM_NULL_POINTER, "nowhere to put the descriptor");
    *descriptor = living<T>().add();
  });
}

template <class T>
int destroy(const char* call, T* descriptor) {
  return answer(call, [&] { living<T>().remove(descriptor); });
}

}  // namespace

ElementType sim::elementTypeOf(int dataType) {
  switch (dataType) {
    case 0: return ElementType::Float32;
    case 1: return ElementType::Float64;
    case 2: return ElementType::Float16;
    case 9: return ElementType::BFloat16;
  }
  throw Refusal{CUDNN_STATUS_NOT_SUPPORTED_DATA_TYPE, "no such type in a convolution"};
}

CUDNN_API int cudnnCreateTensorDescriptor(TensorDescriptor** made) {
  return create("cudnnCreateTensorDescriptor", made);
}
CUDNN_API int cudnnDestroyTensorDescriptor(TensorDescriptor* gone) {
  return destroy("cudnnDestroyTensorDescriptor", gone);
}
CUDNN_API int cudnnCreateFilterDescriptor(FilterDescriptor** made) {
  return create("cudnnCreateFilterDescriptor", made);
}
CUDNN_API int cudnnDestroyFilterDescriptor(FilterDescriptor* gone) {
  return destroy("cudnnDestroyFilterDescriptor", gone);
}
CUDNN_API int cudnnCreateConvolutionDescriptor(ConvolutionDescriptor** made) {
  return create("cudnnCreateConvolutionDescriptor", made);
}
CUDNN_API int cudnnDestroyConvolutionDescriptor(ConvolutionDescriptor* gone) {
  return destroy("cudnnDestroyConvolutionDescriptor", gone);
}

// Only tensors without gaps are simulated.
CUDNN_API int cudnnSetTensorNdDescriptor(TensorDescriptor* descriptor, int dataType, int rank, const int* extents,
                                         const int* strides) {
  return answer("cudnnSetTensorNdDescriptor", [&] {
    TensorDescriptor& it = living<TensorDescriptor>().get(descriptor);
    requireRank(rank);
    const std::vector<int> dims = positive(extents, rank, "extents of a tensor are at least 1");
    const std::vector<int> steps = positive(strides, rank, "strides of a tensor are at least 1");
    long long packed = 1;
    for (int axis = rank - 1; axis >= 0; axis--) {
      require(steps[axis] == packed, CUDNN_STATUS_NOT_SUPPORTED_LAYOUT, "only row-major tensors without gaps");
      packed *= dims[axis];
      require(packed <= 0x7fffffff, CUDNN_STATUS_NOT_SUPPORTED_SHAPE, "a tensor of 2 Gi elements or more");
    }
    it = {true, elementTypeOf(dataType), dims};
  });
}

CUDNN_API int cudnnSetFilterNdDescriptor(FilterDescriptor* descriptor, int dataType, int format, int rank,
                                         const int* extents) {
  return answer("cudnnSetFilterNdDescriptor", [&] {
    FilterDescriptor& it = living<FilterDescriptor>().get(descriptor);
    requireRank(rank);
    require(format == kNchw, CUDNN_STATUS_NOT_SUPPORTED_LAYOUT, "only filters of outputs, inputs, taps");
    it = {true, elementTypeOf(dataType), positive(extents, rank, "extents of a filter are at least 1")};
  });
}

CUDNN_API int cudnnSetConvolutionNdDescriptor(ConvolutionDescriptor* descriptor, int axes, const int* pads,
                                              const int* strides, const int* dilations, int mode, int computeType) {
  return answer("cudnnSetConvolutionNdDescriptor", [&] {
    ConvolutionDescriptor& it = living<ConvolutionDescriptor>().get(descriptor);
    require(axes >= 2 && axes <= 3, CUDNN_STATUS_NOT_SUPPORTED, "a convolution has 2 or 3 spatial axes");
    require(pads != nullptr, CUDNN_STATUS_BAD_PARAM_NULL_POINTER, "no pads");
    require(mode == 0 || mode == 1, CUDNN_STATUS_BAD_PARAM, "no such mode");
    const std::vector<int> padding(pads, pads + axes);
    require(*std::min_element(padding.begin(), padding.end()) >= 0, CUDNN_STATUS_BAD_PARAM, "a pad is at least 0");
    it.pads = padding;
    it.strides = positive(strides, axes, "a stride is at least 1");
    it.dilations = positive(dilations, axes, "a dilation is at least 1");
    it.mode = mode;
    it.compute = elementTypeOf(computeType);
    it.isSet = true;
  });
}

CUDNN_API int cudnnSetConvolutionGroupCount(ConvolutionDescriptor* descriptor, int groups) {
  return answer("cudnnSetConvolutionGroupCount", [&] {
    ConvolutionDescriptor& it = living<ConvolutionDescriptor>().get(descriptor);
    require(groups >= 1, CUDNN_STATUS_BAD_PARAM, "there is at least one group");
    it.groups = groups;
  });
}

CUDNN_API int cudnnSetConvolutionMathType(ConvolutionDescriptor* descriptor, int math) {
  return answer("cudnnSetConvolutionMathType", [&] {
    ConvolutionDescriptor& it = living<ConvolutionDescriptor>().get(descriptor);
    require(math >= MATH_DEFAULT_DNN && math <= MATH_FMA, CUDNN_STATUS_BAD_PARAM, "no such kind of math");
    it.math = math;
  });
}
