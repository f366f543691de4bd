// Images at other positions: resized, sampled by a grid, and spread by transposed convolutions. One thread a result.
// Positions are computed in double, as the portable kernels do it, since a rounded position may be another element.
#include "cairn.cuh"

enum { NEAREST = 1, LINEAR = 2, CUBIC = 4 };

// The type in which a result is summed: whole numbers are cut at the end.
#if REAL
typedef WIDE SUM;
#else
typedef double SUM;
#endif

__device__ __forceinline__ double keys_cubic(double distance, double a) {
  if (distance <= 1) {
    return ((a + 2) * distance - (a + 3)) * distance * distance + 1;
  }
  return distance < 2 ? ((a * distance - 5 * a) * distance + 8 * a) * distance - 4 * a : 0;
}

__device__ __forceinline__ int64 within(int64 at, int64 extent) {
  return at < 0 ? 0 : (at < extent ? at : extent - 1);
}

// The elements along one axis that make a result, and their weights; an index of -1 stands for zero.
struct Taps {
  int count;
  int64 index[4];
  double weight[4];
};

#define RESIZED_AXES 5
enum { PREFER_FLOOR, PREFER_CEIL, FLOOR, CEIL };

// One axis: position = before + (index + add) * times / over - less. An axis that stays as it is has the mode NEAREST.
struct Resized {
  int64 input;
  int64 output;
  int64 mode;
  int64 rounding;
  int64 exclude_outside;
  double cubic;
  double before;
  double add;
  double times;
  double over;
  double less;
};
struct ResizedAxes {
  Resized axis[RESIZED_AXES];
};

__device__ __forceinline__ double rounded(double position, int64 rounding) {
  return rounding == PREFER_FLOOR ? ceil(position - 0.5)
      : rounding == PREFER_CEIL ? floor(position + 0.5)
      : rounding == FLOOR ? floor(position) : ceil(position);
}

__device__ __forceinline__ Taps taps_of(const Resized& axis, int64 index) {
  Taps taps;
  double position = axis.before + ((double) index + axis.add) * axis.times / axis.over - axis.less;
  taps.count = (int) axis.mode;
  if (axis.mode == NEAREST) {
    taps.index[0] = within((int64) rounded(position, axis.rounding), axis.input);
    taps.weight[0] = 1;
    return taps;
  }
  int64 first = (int64) floor(position) - (axis.mode == CUBIC ? 1 : 0);
  double sum = 0;
  for (int i = 0; i < taps.count; i++) {
    double distance = fabs((double) (first + i) - position);
    taps.index[i] = within(first + i, axis.input);
    bool counts = !axis.exclude_outside || taps.index[i] == first + i;
    taps.weight[i] = !counts ? 0 : axis.mode == CUBIC ? keys_cubic(distance, axis.cubic) : distance < 1 ? 1 - distance : 0;
    sum += taps.weight[i];
  }
  for (int i = 0; axis.exclude_outside && i < taps.count; i++) {
    taps.weight[i] /= sum;
  }
  return taps;
}

__device__ __forceinline__ VALUE stored(SUM sum, double low, double high) {
#if REAL
  return narrow<VALUE>(sum);
#else
  double cut = sum < low ? low : (sum > high ? high : sum);
  return cut < 0 ? (VALUE) (int64) cut : (VALUE) (uint64) cut;
#endif
}

// Results are limited to the least and the greatest number of the type.
extern "C" __global__ void resize(const VALUE* __restrict__ from, VALUE* __restrict__ to, int64 count, double low,
    double high, ResizedAxes axes) {
  for (EACH(o, count)) {
    Taps taps[RESIZED_AXES];
    int64 rest = o;
    int all = 1;
    for (int axis = RESIZED_AXES - 1; axis >= 0; axis--) {
      taps[axis] = taps_of(axes.axis[axis], rest % axes.axis[axis].output);
      rest /= axes.axis[axis].output;
      all *= taps[axis].count;
    }
    if (all == 1) {
      int64 at = 0;
      for (int axis = 0; axis < RESIZED_AXES; axis++) {
        at = at * axes.axis[axis].input + taps[axis].index[0];
      }
      to[o] = from[at];
      continue;
    }
    SUM sum = 0;
    for (int tap = 0; tap < all; tap++) {
      int one = tap;
      int64 at = 0;
      int64 step = 1;
      double weight = 1;
      for (int axis = RESIZED_AXES - 1; axis >= 0; axis--) {
        int along = one % taps[axis].count;
        one /= taps[axis].count;
        at += taps[axis].index[along] * step;
        step *= axes.axis[axis].input;
        weight *= taps[axis].weight[along];
      }
      sum += (SUM) weight * (SUM) widen(from[at]);
    }
    to[o] = stored(sum, low, high);
  }
}

#define SAMPLED_AXES 3
enum { ZEROS, BORDER, REFLECTION };

struct Sampled {
  int64 channels;
  int64 positions;
  int64 axes;
  int64 mode;
  int64 padding;
  int64 align;
  int64 extent[SAMPLED_AXES];
};

// Reflects a position at both ends, as often as needed.
__device__ __forceinline__ double reflected(double at, double least, double greatest) {
  double span = greatest - least;
  if (!(span > 0)) {
    return least;
  }
  double beyond = fabs(at < least ? least - at : at - greatest);
  double rest = fmod(beyond, span);
  bool even = fmod((beyond - rest) / span, 2.0) < 0.5;
  return (at < least) == even ? least + rest : greatest - rest;
}

__device__ __forceinline__ double between(double at, double extent) {
  double last = extent > 1 ? extent - 1 : 0;
  return at < 0 ? 0 : (at > last ? last : at);
}

__device__ __forceinline__ Taps sample_taps(const Sampled& how, int axis, double position) {
  double extent = (double) how.extent[axis];
  double least = how.align ? 0 : -0.5;
  double greatest = extent - 1 - least;
  double at = how.align ? (position + 1) / 2 * (extent - 1) : ((position + 1) * extent - 1) / 2;
  if (how.mode != CUBIC && (at < least || at > greatest)) {
    at = how.padding == BORDER ? between(at, extent) : how.padding == REFLECTION ? reflected(at, least, greatest) : at;
  }
  double base = how.mode == NEAREST ? rint(at) : floor(at);
  Taps taps;
  taps.count = (int) how.mode;
  for (int tap = 0; tap < taps.count; tap++) {
    double index = base + tap - (how.mode == CUBIC ? 1 : 0);
    taps.weight[tap] = how.mode == NEAREST ? 1 : how.mode == CUBIC ? keys_cubic(fabs(at - index), -0.75)
        : tap == 0 ? 1 - (at - base) : at - base;
    bool inside = index >= 0 && index < extent;
    taps.index[tap] = inside ? (int64) index
        : how.padding == BORDER ? (int64) between(index, extent)
        : how.padding == REFLECTION ? (int64) between(reflected(index, least, greatest), extent) : -1;
  }
  return taps;
}

extern "C" __global__ void grid_sample(const VALUE* __restrict__ from, const float* __restrict__ grid,
    VALUE* __restrict__ to, int64 count, Sampled how) {
  for (EACH(o, count)) {
    int64 plane = o / how.positions;
    const float* position = grid + (plane / how.channels * how.positions + o % how.positions) * how.axes;
    Taps taps[SAMPLED_AXES];
    int64 elements = 1;
    int all = 1;
    for (int axis = 0; axis < how.axes; axis++) {
      taps[axis] = sample_taps(how, axis, (double) position[how.axes - 1 - axis]);
      elements *= how.extent[axis];
      all *= taps[axis].count;
    }
    SUM sum = 0;
    for (int tap = 0; tap < all; tap++) {
      int one = tap;
      int64 at = 0;
      int64 step = 1;
      double weight = 1;
      bool inside = true;
      for (int axis = (int) how.axes - 1; axis >= 0; axis--) {
        int along = one % taps[axis].count;
        one /= taps[axis].count;
        inside = inside && taps[axis].index[along] >= 0;
        at += taps[axis].index[along] * step;
        step *= how.extent[axis];
        weight *= taps[axis].weight[along];
      }
      if (inside) {
        sum += (SUM) weight * (SUM) widen(from[plane * elements + at]);
      }
    }
#if REAL
    to[o] = narrow<VALUE>(sum);
#else
    to[o] = sum < 0 ? (VALUE) (int64) sum : (VALUE) (uint64) sum;
#endif
  }
}

#if REAL
#define SPREAD_AXES 3

// How inputs are spread over windows of outputs; axes that are not there come first, with one of everything.
struct Spread {
  int64 groups;
  int64 inputs;
  int64 outputs;
  int64 input[SPREAD_AXES];
  int64 kernel[SPREAD_AXES];
  int64 stride[SPREAD_AXES];
  int64 dilation[SPREAD_AXES];
  int64 pad[SPREAD_AXES];
  int64 output[SPREAD_AXES];
};

// The input that meets a tap at an output; -1 where there is none.
__device__ __forceinline__ int64 spread_from(const Spread& how, int axis, int64 output, int64 tap) {
  int64 at = output + how.pad[axis] - tap * how.dilation[axis];
  return at < 0 || at % how.stride[axis] != 0 || at / how.stride[axis] >= how.input[axis] ? -1 : at / how.stride[axis];
}

extern "C" __global__ void spread(const VALUE* __restrict__ from, const VALUE* __restrict__ weights,
    const VALUE* __restrict__ bias, VALUE* __restrict__ to, int64 count, Spread how) {
  int64 plane = how.input[0] * how.input[1] * how.input[2];
  int64 taps = how.kernel[0] * how.kernel[1] * how.kernel[2];
  for (EACH(o, count)) {
    int64 c = o % how.output[2];
    int64 b = o / how.output[2] % how.output[1];
    int64 a = o / (how.output[2] * how.output[1]) % how.output[0];
    int64 item = o / (how.output[2] * how.output[1] * how.output[0]);
    int64 channel = item % (how.groups * how.outputs);
    int64 group = channel / how.outputs;
    const VALUE* mine = from + (item / (how.groups * how.outputs) * how.groups + group) * how.inputs * plane;
    const VALUE* filters = weights + (group * how.inputs * how.outputs + channel % how.outputs) * taps;
    WIDE sum = bias == nullptr ? (WIDE) 0 : widen(bias[channel]);
    for (int64 tap = 0; tap < taps; tap++) {
      int64 x = spread_from(how, 2, c, tap % how.kernel[2]);
      int64 y = spread_from(how, 1, b, tap / how.kernel[2] % how.kernel[1]);
      int64 z = spread_from(how, 0, a, tap / (how.kernel[2] * how.kernel[1]));
      if (x < 0 || y < 0 || z < 0) {
        continue;
      }
      int64 at = (z * how.input[1] + y) * how.input[2] + x;
      for (int64 k = 0; k < how.inputs; k++) {
        sum += widen(mine[k * plane + at]) * widen(filters[k * how.outputs * taps + tap]);
      }
    }
    to[o] = narrow<VALUE>(sum);
  }
}
#endif
