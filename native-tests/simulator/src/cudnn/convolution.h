// y = alpha convolution(x, w) + beta y: what four descriptors say of it together, and the plain loops that do it.
#pragma once
#include <vector>

#include "cudnn/objects.h"

namespace sim {

struct ConvolutionShape {
  ElementType type = ElementType::Float32;
  Precision precision = Precision::Full;
  bool flipped = false;  // a convolution in the mathematician's sense
  long long batch = 1, groups = 1, inputs = 1, outputs = 1;  // channels of one group
  // Three spatial axes; one that is not there has one place and one tap.
  long long input[3], output[3], taps[3], pad[3], stride[3], dilation[3];

  long long elementsOfX() const;
  long long elementsOfW() const;
  long long elementsOfY() const;
};

// Throws a Refusal when the descriptors don't fit together.
ConvolutionShape shapeOf(const TensorDescriptor& x, const FilterDescriptor& w, const ConvolutionDescriptor& convolution,
                         const TensorDescriptor& y);

struct ConvolutionWork {
  ConvolutionShape shape;
  float alpha, beta;
  const void* x;
  const void* w;
  void* y;
  void* workspace;
  size_t workspaceBytes;  // as many as the algorithm uses
};

// Answers a CUresult: 0, or 700 when an operand is not memory of the device.
int runConvolution(const ConvolutionWork& work);

}  // namespace sim
