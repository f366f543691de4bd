// Rows, planes and channels brought to a common mean and size; a block takes a row, a line or a plane.
#include "join.cuh"

struct Exponents {
  WIDE most;
  WIDE sum;
};

// The largest element of a line, and the sum of e^(x - largest); elements are `inner` apart.
__device__ __forceinline__ Exponents exponents(const VALUE* __restrict__ mine, int64 length, int64 inner) {
  WIDE most = lowest();
  for (int64 i = threadIdx.x; i < length; i += blockDim.x) {
    most = Maximum::join(most, widen(mine[i * inner]));
  }
  Exponents of;
  of.most = joined_in_block<Maximum>(most);
  WIDE sum = (WIDE) 0;
  for (int64 i = threadIdx.x; i < length; i += blockDim.x) {
    sum += exp(widen(mine[i * inner]) - of.most);
  }
  of.sum = joined_in_block<Sum>(sum);
  return of;
}

// e^(x - max) / sum, along lines.
extern "C" __global__ void __launch_bounds__(256) softmax(const VALUE* __restrict__ from, VALUE* __restrict__ to,
    int64 lines, int64 length, int64 inner) {
  for (int64 line = blockIdx.x; line < lines; line += gridDim.x) {
    int64 base = line / inner * length * inner + line % inner;
    Exponents of = exponents(from + base, length, inner);
    for (int64 i = threadIdx.x; i < length; i += blockDim.x) {
      to[base + i * inner] = narrow<VALUE>(exp(widen(from[base + i * inner]) - of.most) / of.sum);
    }
  }
}

// x - max - log(sum of e^(x - max)), along the same lines.
extern "C" __global__ void __launch_bounds__(256) log_softmax(const VALUE* __restrict__ from, VALUE* __restrict__ to,
    int64 lines, int64 length, int64 inner) {
  for (int64 line = blockIdx.x; line < lines; line += gridDim.x) {
    int64 base = line / inner * length * inner + line % inner;
    Exponents of = exponents(from + base, length, inner);
    WIDE logarithm = log(of.sum);
    for (int64 i = threadIdx.x; i < length; i += blockDim.x) {
      to[base + i * inner] = narrow<VALUE>(widen(from[base + i * inner]) - of.most - logarithm);
    }
  }
}

struct Moments {
  WIDE mean;
  WIDE inverse;
};

// Mean, and one over the deviation, of `count` neighbours; in two passes, since squares of far-off values cancel.
__device__ __forceinline__ Moments moments(const VALUE* __restrict__ mine, int64 count, float epsilon) {
  LongSum sum;
  for (int64 i = threadIdx.x; i < count; i += blockDim.x) {
    sum.add(widen(mine[i]));
  }
  Moments of;
  of.mean = joined_in_block<Sum>(sum.sum()) / (WIDE) count;
  LongSum squares;
  for (int64 i = threadIdx.x; i < count; i += blockDim.x) {
    WIDE apart = widen(mine[i]) - of.mean;
    squares.add(apart * apart);
  }
  of.inverse = (WIDE) 1 / sqrt(joined_in_block<Sum>(squares.sum()) / (WIDE) count + (WIDE) epsilon);
  return of;
}

// Scale and bias broadcast to a row or, with `whole`, to the data; the walk says how. Means and inverses are written where they are asked for.
extern "C" __global__ void __launch_bounds__(256) layer_normalization(const VALUE* __restrict__ from,
    const VALUE* __restrict__ scale, const VALUE* __restrict__ bias, VALUE* __restrict__ to, void* means,
    void* inverses, int further, int64 rows, int64 length, float epsilon, int whole, Walk walk) {
  for (int64 row = blockIdx.x; row < rows; row += gridDim.x) {
    const VALUE* mine = from + row * length;
    Moments of = moments(mine, length, epsilon);
    for (int64 i = threadIdx.x; i < length; i += blockDim.x) {
      Offsets at = offsets(walk, whole ? row * length + i : i);
      WIDE y = (widen(mine[i]) - of.mean) * of.inverse * widen(scale[at.of[0]]);
      to[row * length + i] = narrow<VALUE>(bias == nullptr ? y : y + widen(bias[at.of[1]]));
    }
    if (threadIdx.x == 0) {
      if (means != nullptr && further) {
        ((WIDE*) means)[row] = of.mean;
      } else if (means != nullptr) {
        ((VALUE*) means)[row] = narrow<VALUE>(of.mean);
      }
      if (inverses != nullptr && further) {
        ((WIDE*) inverses)[row] = of.inverse;
      } else if (inverses != nullptr) {
        ((VALUE*) inverses)[row] = narrow<VALUE>(of.inverse);
      }
    }
  }
}

// Rows divided by the root of their mean square. The scale broadcasts to a row or, with `whole`, to the data.
extern "C" __global__ void __launch_bounds__(256) root_mean_square(const VALUE* __restrict__ from,
    const VALUE* __restrict__ scale, VALUE* __restrict__ to, int64 rows, int64 length, float epsilon,
    int whole, Walk walk) {
  for (int64 row = blockIdx.x; row < rows; row += gridDim.x) {
    const VALUE* mine = from + row * length;
    WIDE squares = (WIDE) 0;
    for (int64 i = threadIdx.x; i < length; i += blockDim.x) {
      squares += widen(mine[i]) * widen(mine[i]);
    }
    WIDE inverse = (WIDE) 1 / sqrt(joined_in_block<Sum>(squares) / (WIDE) length + (WIDE) epsilon);
    for (int64 i = threadIdx.x; i < length; i += blockDim.x) {
      int64 at = offsets(walk, whole ? row * length + i : i).of[0];
      to[row * length + i] = narrow<VALUE>(widen(mine[i]) * inverse * widen(scale[at]));
    }
  }
}

// Groups of neighbouring channels; scale and bias are the channels' own.
extern "C" __global__ void __launch_bounds__(256) group_normalization(const VALUE* __restrict__ from,
    const VALUE* __restrict__ scale, const VALUE* __restrict__ bias, VALUE* __restrict__ to, int64 groups,
    int64 of_image, int64 channels, int64 elements, float epsilon) {
  for (int64 group = blockIdx.x; group < groups; group += gridDim.x) {
    int64 count = channels * elements;
    const VALUE* mine = from + group * count;
    Moments of = moments(mine, count, epsilon);
    for (int64 i = threadIdx.x; i < count; i += blockDim.x) {
      int64 channel = group % of_image * channels + i / elements;
      WIDE factor = widen(scale[channel]) * of.inverse;
      to[group * count + i] = narrow<VALUE>(widen(mine[i]) * factor + (widen(bias[channel]) - of.mean * factor));
    }
  }
}

extern "C" __global__ void __launch_bounds__(256) instance_normalization(const VALUE* __restrict__ from,
    const VALUE* __restrict__ scale, const VALUE* __restrict__ bias, VALUE* __restrict__ to, int64 planes,
    int64 channels, int64 elements, float epsilon) {
  for (int64 plane = blockIdx.x; plane < planes; plane += gridDim.x) {
    const VALUE* mine = from + plane * elements;
    Moments of = moments(mine, elements, epsilon);
    WIDE factor = widen(scale[plane % channels]) * of.inverse;
    WIDE offset = widen(bias[plane % channels]) - of.mean * factor;
    for (int64 i = threadIdx.x; i < elements; i += blockDim.x) {
      to[plane * elements + i] = narrow<VALUE>(widen(mine[i]) * factor + offset);
    }
  }
}

extern "C" __global__ void batch_normalization(const VALUE* __restrict__ from, const VALUE* __restrict__ scale,
    const VALUE* __restrict__ bias, const VALUE* __restrict__ mean, const VALUE* __restrict__ variance,
    VALUE* __restrict__ to, int64 count, int64 channels, int64 elements, float epsilon) {
  for (EACH(i, count)) {
    int64 channel = i / elements % channels;
    WIDE factor = widen(scale[channel]) / sqrt(widen(variance[channel]) + (WIDE) epsilon);
    to[i] = narrow<VALUE>(widen(from[i]) * factor + (widen(bias[channel]) - widen(mean[channel]) * factor));
  }
}

// bias + alpha/size * sum of x^2 over the channels around that of element i.
__device__ __forceinline__ WIDE local_response(const VALUE* from, int64 i, int64 channel, int64 channels,
    int64 elements, int64 size, WIDE factor, WIDE bias) {
  int64 before = channel < (size - 1) / 2 ? channel : (size - 1) / 2;
  int64 after = channels - 1 - channel < size / 2 ? channels - 1 - channel : size / 2;
  WIDE squares = (WIDE) 0;
  for (int64 other = -before; other <= after; other++) {
    WIDE x = widen(from[i + other * elements]);
    squares += x * x;
  }
  return bias + factor * squares;
}

extern "C" __global__ void local_response_normalization(const VALUE* __restrict__ from, VALUE* __restrict__ to,
    int64 count, int64 channels, int64 elements, int64 size, float alpha, float beta, float bias) {
  WIDE factor = (WIDE) alpha / (WIDE) size;
  for (EACH(i, count)) {
    WIDE base = local_response(from, i, i / elements % channels, channels, elements, size, factor, (WIDE) bias);
    to[i] = narrow<VALUE>(widen(from[i]) / pow(base, (WIDE) beta));
  }
}

// The channels that have this one among their neighbours: size/2 before it, (size-1)/2 after it.
extern "C" __global__ void local_response_gradient(const VALUE* __restrict__ from, const VALUE* __restrict__ heads,
    VALUE* __restrict__ to, int64 count, int64 channels, int64 elements, int64 size, float alpha, float beta,
    float bias) {
  WIDE factor = (WIDE) alpha / (WIDE) size;
  for (EACH(i, count)) {
    int64 channel = i / elements % channels;
    int64 before = channel < size / 2 ? channel : size / 2;
    int64 after = channels - 1 - channel < (size - 1) / 2 ? channels - 1 - channel : (size - 1) / 2;
    WIDE sum = (WIDE) 0;
    for (int64 other = -before; other <= after; other++) {
      int64 at = i + other * elements;
      WIDE base = local_response(from, at, channel + other, channels, elements, size, factor, (WIDE) bias);
      sum += widen(heads[at]) * widen(from[at]) * pow(base, -(WIDE) beta) / base;
    }
    WIDE own = local_response(from, i, channel, channels, elements, size, factor, (WIDE) bias);
    to[i] = narrow<VALUE>(widen(heads[i]) * pow(own, -(WIDE) beta)
        - (WIDE) 2 * factor * (WIDE) beta * widen(from[i]) * sum);
  }
}
