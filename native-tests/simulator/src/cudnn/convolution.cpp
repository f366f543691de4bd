#include "cudnn/convolution.h"

#include <cstdio>
#include <cstring>

#include "driver/enqueue.h"

namespace sim {
namespace {

constexpr int kIllegalAddress = 700;

long long places(const long long* extents) { return extents[0] * extents[1] * extents[2]; }

bool reachable(const char* name, const void* address, size_t bytes) {
  if (bytes == 0 || cairn_sim_reachable(address, bytes) != 0) return true;
  fprintf(stderr, "cairn simulator: cuDNN: %s is not memory of the device: address=%p bytes=%zu\n", name, address,
          bytes);
  return false;
}

std::vector<float> floats(const void* from, long long count, ElementType type, Precision precision) {
  std::vector<float> values(static_cast<size_t>(count));
  const auto* bytes = static_cast<const char*>(from);
  for (size_t i = 0; i < values.size(); i++) {
    values[i] = rounded(loadElement<float>(bytes + i * elementBytes(type), type), precision);
  }
  return values;
}

class Loops {
 public:
  Loops(const ConvolutionShape& shape, const float* x, const float* w) : s_(shape), x_(x), w_(w) {}

  // Channels are counted over all groups and images.
  float sum(long long image, long long group, long long output, const long long* place) const {
    float sum = 0;
    const float* weights = w_ + (group * s_.outputs + output) * s_.inputs * places(s_.taps);
    for (long long channel = 0; channel < s_.inputs; channel++) {
      const float* plane = x_ + ((image * s_.groups + group) * s_.inputs + channel) * places(s_.input);
      for (long long a = 0; a < s_.taps[0]; a++) {
        for (long long b = 0; b < s_.taps[1]; b++) {
          for (long long c = 0; c < s_.taps[2]; c++, weights++) {
            const long long at[] = {tap(0, place, a), tap(1, place, b), tap(2, place, c)};
            if (!inside(at)) continue;
            sum += *weights * plane[(at[0] * s_.input[1] + at[1]) * s_.input[2] + at[2]];
          }
        }
      }
    }
    return sum;
  }

 private:
  long long tap(int axis, const long long* place, long long tap) const {
    const long long turned = s_.flipped ? s_.taps[axis] - 1 - tap : tap;
    return place[axis] * s_.stride[axis] - s_.pad[axis] + turned * s_.dilation[axis];
  }
  bool inside(const long long* at) const {
    for (int axis = 0; axis < 3; axis++) {
      if (at[axis] < 0 || at[axis] >= s_.input[axis]) return false;
    }
    return true;
  }

  const ConvolutionShape& s_;
  const float* x_;
  const float* w_;
};

void store(const ConvolutionWork& work, long long index, float sum) {
  const ElementType type = work.shape.type;
  char* at = static_cast<char*>(work.y) + static_cast<size_t>(index) * elementBytes(type);
  // What y held counts for nothing when beta is 0, even if it is not a number.
  const float before = work.beta == 0 ? 0 : work.beta * loadElement<float>(at, type);
  storeElement<float>(at, type, work.alpha * sum + before);
}

}  // namespace

long long ConvolutionShape::elementsOfX() const { return batch * groups * inputs * places(input); }
long long ConvolutionShape::elementsOfW() const { return groups * outputs * inputs * places(taps); }
long long ConvolutionShape::elementsOfY() const { return batch * groups * outputs * places(output); }

ConvolutionShape shapeOf(const TensorDescriptor& x, const FilterDescriptor& w, const ConvolutionDescriptor& convolution,
                         const TensorDescriptor& y) {
  require(x.isSet && w.isSet && y.isSet && convolution.isSet, CUDNN_STATUS_BAD_PARAM, "a descriptor was never set");
  const size_t rank = x.extents.size();
  const size_t axes = rank - 2;
  require(w.extents.size() == rank && y.extents.size() == rank && convolution.pads.size() == axes,
          CUDNN_STATUS_BAD_PARAM, "descriptors of different ranks");
  require(x.type == w.type && x.type == y.type, CUDNN_STATUS_BAD_PARAM, "operands of different types");
  require(x.type != ElementType::Float64 && convolution.compute == ElementType::Float32,
          CUDNN_STATUS_NOT_SUPPORTED_DATA_TYPE, "sums are of 32 bits here");
  ConvolutionShape s;
  s.type = x.type;
  s.flipped = convolution.mode == 0;
  // On tensor cores a float has 10 bits of fraction.
  s.precision = x.type == ElementType::Float32 && convolution.math != MATH_FMA ? Precision::Tf32 : Precision::Full;
  s.batch = x.extents[0];
  s.groups = convolution.groups;
  s.inputs = w.extents[1];
  s.outputs = w.extents[0] / s.groups;
  require(x.extents[1] == s.inputs * s.groups && w.extents[0] % s.groups == 0 && y.extents[0] == s.batch &&
              y.extents[1] == w.extents[0],
          CUDNN_STATUS_BAD_PARAM_SHAPE_MISMATCH, "channels, groups and images do not fit");
  for (int axis = 0; axis < 3; axis++) {
    const int from = axis - 3 + static_cast<int>(axes);
    const bool there = from >= 0;
    s.input[axis] = there ? x.extents[2 + from] : 1;
    s.output[axis] = there ? y.extents[2 + from] : 1;
    s.taps[axis] = there ? w.extents[2 + from] : 1;
    s.pad[axis] = there ? convolution.pads[from] : 0;
    s.stride[axis] = there ? convolution.strides[from] : 1;
    s.dilation[axis] = there ? convolution.dilations[from] : 1;
    const long long slack = s.input[axis] + 2 * s.pad[axis] - ((s.taps[axis] - 1) * s.dilation[axis] + 1);
    require(slack >= 0 && slack / s.stride[axis] + 1 == s.output[axis], CUDNN_STATUS_BAD_PARAM_SHAPE_MISMATCH,
            "the output has other extents than windows fit into the input");
  }
  return s;
}

int runConvolution(const ConvolutionWork& work) {
  const ConvolutionShape& s = work.shape;
  const size_t bytes = elementBytes(s.type);
  if (!reachable("x", work.x, static_cast<size_t>(s.elementsOfX()) * bytes) ||
      !reachable("w", work.w, static_cast<size_t>(s.elementsOfW()) * bytes) ||
      !reachable("y", work.y, static_cast<size_t>(s.elementsOfY()) * bytes) ||
      !reachable("the workspace", work.workspace, work.workspaceBytes)) {
    return kIllegalAddress;
  }
  const std::vector<float> x = floats(work.x, s.elementsOfX(), s.type, s.precision);
  const std::vector<float> w = floats(work.w, s.elementsOfW(), s.type, s.precision);
  // What a caller keeps in the workspace is lost.
  if (work.workspaceBytes > 0) memset(work.workspace, 0x5c, work.workspaceBytes);
  const Loops loops(s, x.data(), w.data());
  long long index = 0;
  for (long long image = 0; image < s.batch; image++) {
    for (long long group = 0; group < s.groups; group++) {
      for (long long output = 0; output < s.outputs; output++) {
        long long place[3];
        for (place[0] = 0; place[0] < s.output[0]; place[0]++) {
          for (place[1] = 0; place[1] < s.output[1]; place[1]++) {
            for (place[2] = 0; place[2] < s.output[2]; place[2]++) {
              store(work, index++, loops.sum(image, group, output, place));
            }
          }
        }
      }
    }
  }
  return 0;
}

}  // namespace sim
