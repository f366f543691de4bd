// What training needs: normalisations by the batch's statistics, losses, dropout and other random tensors, sums at
// indices, and gradients of these. A sum is always taken in one order, so that the same launch gives the same bits.
#include "join.cuh"

// Statistics have the type of the data, or the one that it is computed in.
__device__ __forceinline__ WIDE statistic(const void* from, int wide, int64 i) {
  return wide ? ((const WIDE*) from)[i] : (WIDE) widen(((const VALUE*) from)[i]);
}
__device__ __forceinline__ void put_statistic(void* to, int wide, int64 i, WIDE value) {
  if (to != nullptr && wide) {
    ((WIDE*) to)[i] = value;
  } else if (to != nullptr) {
    ((VALUE*) to)[i] = narrow<VALUE>(value);
  }
}

struct Moments {
  WIDE mean;
  WIDE variance;
};

// Element k of a channel lies in image k / elements. For a row, images is 1 and channels 1.
struct Channel {
  int64 first;
  int64 channels;
  int64 images;
  int64 elements;
};
__device__ __forceinline__ int64 place(const Channel& of, int64 k) {
  return of.first + k / of.elements * of.channels * of.elements + k % of.elements;
}

__device__ __forceinline__ Moments moments(const VALUE* __restrict__ x, const Channel& of) {
  int64 count = of.images * of.elements;
  WIDE sum = (WIDE) 0;
  for (int64 k = threadIdx.x; k < count; k += blockDim.x) {
    sum += widen(x[place(of, k)]);
  }
  Moments found;
  found.mean = joined_in_block<Sum>(sum) / (WIDE) count;
  WIDE squares = (WIDE) 0;
  for (int64 k = threadIdx.x; k < count; k += blockDim.x) {
    WIDE apart = widen(x[place(of, k)]) - found.mean;
    squares += apart * apart;
  }
  found.variance = joined_in_block<Sum>(squares) / (WIDE) count;
  return found;
}

extern "C" __global__ void __launch_bounds__(256) batch_training(const VALUE* from, const VALUE* __restrict__ scale,
    const VALUE* __restrict__ bias, const void* mean, const void* variance, VALUE* to, void* new_mean,
    void* new_variance, void* saved_mean, void* saved_inverse, int wide, int64 images, int64 channels, int64 elements,
    float epsilon, float momentum) {
  for (int64 c = blockIdx.x; c < channels; c += gridDim.x) {
    Channel of = {c * elements, channels, images, elements};
    Moments found = moments(from, of);
    WIDE inverse = (WIDE) 1 / sqrt(found.variance + (WIDE) epsilon);
    WIDE factor = widen(scale[c]) * inverse;
    WIDE offset = widen(bias[c]) - found.mean * factor;
    for (int64 k = threadIdx.x; k < images * elements; k += blockDim.x) {
      int64 at = place(of, k);
      to[at] = narrow<VALUE>(widen(from[at]) * factor + offset);
    }
    if (threadIdx.x == 0) {
      WIDE kept = (WIDE) momentum;
      put_statistic(new_mean, wide, c, statistic(mean, wide, c) * kept + found.mean * ((WIDE) 1 - kept));
      put_statistic(new_variance, wide, c, statistic(variance, wide, c) * kept + found.variance * ((WIDE) 1 - kept));
      put_statistic(saved_mean, wide, c, found.mean);
      put_statistic(saved_inverse, wide, c, inverse);
    }
  }
}

extern "C" __global__ void __launch_bounds__(256) batch_gradient(const VALUE* head, const VALUE* from,
    const VALUE* __restrict__ scale, const void* __restrict__ mean, const void* __restrict__ inverse, VALUE* to,
    VALUE* __restrict__ of_scale, VALUE* __restrict__ of_bias, int wide, int64 images, int64 channels, int64 elements,
    float epsilon) {
  for (int64 c = blockIdx.x; c < channels; c += gridDim.x) {
    Channel of = {c * elements, channels, images, elements};
    WIDE m;
    WIDE r;
    if (mean == nullptr) {
      Moments found = moments(from, of);
      m = found.mean;
      r = (WIDE) 1 / sqrt(found.variance + (WIDE) epsilon);
    } else {
      m = statistic(mean, wide, c);
      r = statistic(inverse, wide, c);
    }
    WIDE heads = (WIDE) 0;
    WIDE products = (WIDE) 0;
    for (int64 k = threadIdx.x; k < images * elements; k += blockDim.x) {
      int64 at = place(of, k);
      WIDE h = widen(head[at]);
      heads += h;
      products += h * ((widen(from[at]) - m) * r);
    }
    heads = joined_in_block<Sum>(heads);
    products = joined_in_block<Sum>(products);
    WIDE count = (WIDE) (images * elements);
    WIDE factor = widen(scale[c]) * r;
    for (int64 k = threadIdx.x; k < images * elements; k += blockDim.x) {
      int64 at = place(of, k);
      WIDE normal = (widen(from[at]) - m) * r;
      to[at] = narrow<VALUE>(factor * (widen(head[at]) - heads / count - normal * (products / count)));
    }
    if (threadIdx.x == 0) {
      of_scale[c] = narrow<VALUE>(products);
      of_bias[c] = narrow<VALUE>(heads);
    }
  }
}

// Mean and inverse deviation of each row, in the type of the computation.
extern "C" __global__ void __launch_bounds__(256) row_statistics(const VALUE* __restrict__ from,
    const void* __restrict__ mean, const void* __restrict__ inverse, WIDE* __restrict__ means,
    WIDE* __restrict__ inverses, int wide, int64 rows, int64 length, float epsilon) {
  for (int64 row = blockIdx.x; row < rows; row += gridDim.x) {
    WIDE m;
    WIDE r;
    if (mean == nullptr) {
      Channel of = {row * length, 1, 1, length};
      Moments found = moments(from, of);
      m = found.mean;
      r = (WIDE) 1 / sqrt(found.variance + (WIDE) epsilon);
    } else {
      m = statistic(mean, wide, row);
      r = statistic(inverse, wide, row);
    }
    if (threadIdx.x == 0) {
      means[row] = m;
      inverses[row] = r;
    }
  }
}

// Gradients of scale and bias: a block takes 32 columns, each of its warps every eighth row.
#define COLUMNS 32
#define STRANDS 8
extern "C" __global__ void __launch_bounds__(256) row_parameter_gradient(const VALUE* __restrict__ head,
    const VALUE* __restrict__ from, const WIDE* __restrict__ means, const WIDE* __restrict__ inverses,
    VALUE* __restrict__ of_scale, VALUE* __restrict__ of_bias, int64 rows, int64 length) {
  __shared__ WIDE sums[2][STRANDS][COLUMNS];
  int lane = threadIdx.x % COLUMNS;
  int strand = threadIdx.x / COLUMNS;
  for (int64 first = (int64) blockIdx.x * COLUMNS; first < length; first += (int64) gridDim.x * COLUMNS) {
    int64 column = first + lane;
    WIDE scale = (WIDE) 0;
    WIDE bias = (WIDE) 0;
    for (int64 row = strand; row < rows && column < length; row += STRANDS) {
      WIDE h = widen(head[row * length + column]);
      bias += h;
      scale += h * ((widen(from[row * length + column]) - means[row]) * inverses[row]);
    }
    sums[0][strand][lane] = scale;
    sums[1][strand][lane] = bias;
    __syncthreads();
    if (strand < 2 && column < length) {
      WIDE sum = (WIDE) 0;
      for (int i = 0; i < STRANDS; i++) {
        sum += sums[strand][i][lane];
      }
      (strand == 0 ? of_scale : of_bias)[column] = narrow<VALUE>(sum);
    }
    __syncthreads();
  }
}

extern "C" __global__ void __launch_bounds__(256) row_gradient(const VALUE* head, const VALUE* from,
    const VALUE* __restrict__ scale, const WIDE* __restrict__ means, const WIDE* __restrict__ inverses, VALUE* to,
    int64 rows, int64 length, Walk walk) {
  for (int64 row = blockIdx.x; row < rows; row += gridDim.x) {
    WIDE m = means[row];
    WIDE r = inverses[row];
    WIDE sum = (WIDE) 0;
    WIDE products = (WIDE) 0;
    for (int64 i = threadIdx.x; i < length; i += blockDim.x) {
      WIDE g = widen(head[row * length + i]) * widen(scale[offsets(walk, i).of[0]]);
      sum += g;
      products += g * ((widen(from[row * length + i]) - m) * r);
    }
    sum = joined_in_block<Sum>(sum) / (WIDE) length;
    products = joined_in_block<Sum>(products) / (WIDE) length;
    for (int64 i = threadIdx.x; i < length; i += blockDim.x) {
      WIDE g = widen(head[row * length + i]) * widen(scale[offsets(walk, i).of[0]]);
      WIDE normal = (widen(from[row * length + i]) - m) * r;
      to[row * length + i] = narrow<VALUE>(r * (g - sum - normal * products));
    }
  }
}

// A label counts from 0; -1 stands for one that is ignored, and the number of classes for one that is no class.
__device__ __forceinline__ int64 label_at(const void* labels, int wide, int64 item, int64 classes, int ignores,
    int64 ignored) {
  int64 label = wide ? ((const int64*) labels)[item] : ((const int32*) labels)[item];
  if (ignores && label == ignored) {
    return -1;
  }
  return label < 0 || label >= classes ? classes : label;
}

// NaN for a label that is no class, since the fault can't be reported from here.
__device__ __forceinline__ WIDE label_weight(const VALUE* weights, int64 label, int64 classes) {
  if (label < 0) {
    return (WIDE) 0;
  }
  return label == classes ? (WIDE) __int_as_float(0x7fc00000) : weights == nullptr ? (WIDE) 1 : widen(weights[label]);
}

// The loss of each item goes to `losses`, or to the `terms` of a sum. Items lie along axis 0 and, `inner` of them, behind
// the classes.
extern "C" __global__ void __launch_bounds__(256) class_loss(const VALUE* from, const void* __restrict__ labels,
    const VALUE* __restrict__ weights, VALUE* __restrict__ losses, WIDE* __restrict__ terms, VALUE* logarithms,
    int wide, int softmax, int ignores, int64 ignored, int64 items, int64 classes, int64 inner) {
  for (int64 item = blockIdx.x; item < items; item += gridDim.x) {
    int64 base = item / inner * classes * inner + item % inner;
    WIDE normal = (WIDE) 0;
    if (softmax) {
      WIDE most = lowest();
      for (int64 i = threadIdx.x; i < classes; i += blockDim.x) {
        most = Maximum::join(most, widen(from[base + i * inner]));
      }
      most = joined_in_block<Maximum>(most);
      WIDE sum = (WIDE) 0;
      for (int64 i = threadIdx.x; i < classes; i += blockDim.x) {
        sum += exp(widen(from[base + i * inner]) - most);
      }
      normal = most + log(joined_in_block<Sum>(sum));
    }
    int64 label = label_at(labels, wide, item, classes, ignores, ignored);
    if (threadIdx.x == 0) {
      WIDE loss = (WIDE) 0;
      if (label >= 0) {
        WIDE weight = label_weight(weights, label, classes);
        loss = label == classes ? weight : weight * (normal - widen(from[base + label * inner]));
      }
      if (losses != nullptr) {
        losses[item] = narrow<VALUE>(loss);
      } else {
        terms[item] = loss;
      }
    }
    __syncthreads();
    for (int64 i = threadIdx.x; i < classes && logarithms != nullptr; i += blockDim.x) {
      logarithms[base + i * inner] = narrow<VALUE>(widen(from[base + i * inner]) - normal);
    }
  }
}

// With one block: the sum of all terms; for a mean, divided by the sum of the weights. Without terms, only the sum of
// the weights.
extern "C" __global__ void __launch_bounds__(256) class_loss_sum(const WIDE* __restrict__ terms,
    const void* __restrict__ labels, const VALUE* __restrict__ weights, VALUE* __restrict__ loss,
    WIDE* __restrict__ normaliser, int wide, int ignores, int64 ignored, int64 items, int64 classes, int mean) {
  WIDE sum = (WIDE) 0;
  WIDE total = (WIDE) 0;
  for (int64 item = threadIdx.x; item < items; item += blockDim.x) {
    sum += loss == nullptr ? (WIDE) 0 : terms[item];
    total += label_weight(weights, label_at(labels, wide, item, classes, ignores, ignored), classes);
  }
  sum = joined_in_block<Sum>(sum);
  total = joined_in_block<Sum>(total);
  if (threadIdx.x == 0 && loss != nullptr) {
    *loss = narrow<VALUE>(mean ? sum / total : sum);
  } else if (threadIdx.x == 0) {
    *normaliser = mean ? total : (WIDE) 1;
  }
}

extern "C" __global__ void __launch_bounds__(256) class_loss_gradient(const VALUE* __restrict__ head, const VALUE* from,
    const void* __restrict__ labels, const VALUE* __restrict__ weights, const WIDE* __restrict__ normaliser, VALUE* to,
    int each, int wide, int ignores, int64 ignored, int64 items, int64 classes, int64 inner) {
  for (int64 item = blockIdx.x; item < items; item += gridDim.x) {
    int64 base = item / inner * classes * inner + item % inner;
    int64 label = label_at(labels, wide, item, classes, ignores, ignored);
    WIDE factor = label < 0
      ? (WIDE) 0
      : widen(head[each ? item : 0]) * label_weight(weights, label, classes) / *normaliser;
    WIDE most = lowest();
    WIDE sum = (WIDE) 0;
    if (from != nullptr) {
      for (int64 i = threadIdx.x; i < classes; i += blockDim.x) {
        most = Maximum::join(most, widen(from[base + i * inner]));
      }
      most = joined_in_block<Maximum>(most);
      for (int64 i = threadIdx.x; i < classes; i += blockDim.x) {
        sum += exp(widen(from[base + i * inner]) - most);
      }
      sum = joined_in_block<Sum>(sum);
    }
    for (int64 i = threadIdx.x; i < classes; i += blockDim.x) {
      WIDE share = from == nullptr ? (WIDE) 0 : exp(widen(from[base + i * inner]) - most) / sum;
      to[base + i * inner] = narrow<VALUE>(label < 0 ? (WIDE) 0 : (share - (i == label ? (WIDE) 1 : (WIDE) 0)) * factor);
    }
  }
}

// Philox 4x32 with ten rounds: word `index` of the draw; see PhiloxGenerator.
__device__ __forceinline__ uint32 random_word(uint64 seed, uint64 draw, int64 index) {
  uint64 number = (uint64) index / 4;
  uint32 c0 = (uint32) number;
  uint32 c1 = (uint32) (number >> 32);
  uint32 c2 = (uint32) draw;
  uint32 c3 = (uint32) (draw >> 32);
  uint32 key = (uint32) seed;
  uint32 other = (uint32) (seed >> 32);
  for (int round = 0; round < 10; round++) {
    uint64 first = (uint64) 0xD2511F53u * c0;
    uint64 second = (uint64) 0xCD9E8D57u * c2;
    c0 = (uint32) (second >> 32) ^ c1 ^ key;
    c1 = (uint32) second;
    c2 = (uint32) (first >> 32) ^ c3 ^ other;
    c3 = (uint32) first;
    key += 0x9E3779B9u;
    other += 0xBB67AE85u;
  }
  int word = (int) (index % 4);
  return word == 0 ? c0 : word == 1 ? c1 : word == 2 ? c2 : c3;
}

// Walks the random numbers, which axes may share.
extern "C" __global__ void dropout(const VALUE* from, VALUE* to, uint8* __restrict__ mask,
    const int64* __restrict__ state, int64 count, uint64 seed, uint64 draw, double ratio, double scale, Walk walk) {
  uint64 key = state == nullptr ? seed : (uint64) state[0];
  uint64 number = state == nullptr ? draw : (uint64) state[1] + draw;
  for (EACH(i, count)) {
    double drawn = (double) (random_word(key, number, offsets(walk, i).of[0]) >> 8) * (1.0 / 16777216.0);
    bool kept = drawn >= ratio && ratio < 1;
    to[i] = kept ? narrow<VALUE>(widen(from[i]) * (WIDE) scale) : narrow<VALUE>((WIDE) 0);
    if (mask != nullptr) {
      mask[i] = kept ? 1 : 0;
    }
  }
}

// The number in its stored type; halves are rounded toward zero.
__device__ __forceinline__ double cut(double x, double) { return x; }
__device__ __forceinline__ float cut(double x, float) { return (float) x; }
__device__ __forceinline__ __half cut(double x, __half) {
  __half rounded((float) x);
  unsigned short& bits = *(unsigned short*) &rounded;
  bits -= fabsf(__half2float(rounded)) > fabsf((float) x) ? 1 : 0;
  return rounded;
}
__device__ __forceinline__ __nv_bfloat16 cut(double x, __nv_bfloat16) {
  return __nv_bfloat16(__uint_as_float(__float_as_uint((float) x) & 0xFFFF0000u));
}

// Numbers from low to below high, of which most is the largest. The products must not be contracted with the sums.
extern "C" __global__ void random_uniform(VALUE* __restrict__ to, const int64* __restrict__ state, int64 count,
    uint64 seed, uint64 draw, double low, double high, double most) {
  uint64 key = state == nullptr ? seed : (uint64) state[0];
  uint64 number = state == nullptr ? draw : (uint64) state[1] + draw;
  for (EACH(i, count)) {
    double drawn;
    if (sizeof(VALUE) == 8) {
      uint64 upper = random_word(key, number, 2 * i) >> 5;
      uint64 lower = random_word(key, number, 2 * i + 1) >> 6;
      drawn = (double) ((upper << 26) + lower) * (1.0 / 9007199254740992.0);
    } else {
      drawn = (double) (random_word(key, number, i) >> 8) * (1.0 / 16777216.0);
    }
    double x = __dadd_rn(low, __dmul_rn(drawn, high - low));
    x = sizeof(VALUE) == 8 ? x : (double) (float) x;
    to[i] = cut(x < high ? x : most, VALUE());
  }
}

// Two words make two numbers, as in PhiloxGenerator.
extern "C" __global__ void random_normal(VALUE* __restrict__ to, const int64* __restrict__ state, int64 count,
    uint64 seed, uint64 draw, double mean, double scale) {
  uint64 key = state == nullptr ? seed : (uint64) state[0];
  uint64 number = state == nullptr ? draw : (uint64) state[1] + draw;
  for (EACH(i, count)) {
    int64 pair = i & ~(int64) 1;
    double radius = sqrt(-2.0 * log((double) ((random_word(key, number, pair) >> 8) + 1) * (1.0 / 16777216.0)));
    double angle = 6.283185307179586 * ((double) (random_word(key, number, pair + 1) >> 8) * (1.0 / 16777216.0));
    to[i] = narrow<VALUE>((WIDE) (mean + scale * (radius * (i == pair ? cos(angle) : sin(angle)))));
  }
}

// A thread takes a strand of the zeros, and all that is added to it, in the order of the indices. An index outside its
// axis adds nothing.
extern "C" __global__ void scatter_add(const VALUE* __restrict__ head, const void* __restrict__ indices,
    VALUE* __restrict__ to, int64 strands, int wide, int elements, int64 extent, int64 picks, int64 head_step,
    int64 step, Walk walk) {
  for (EACH(strand, strands)) {
    Offsets at = offsets(walk, strand);
    for (int64 pick = 0; pick < picks; pick++) {
      int64 source = at.of[0] + pick * head_step;
      int64 position = elements ? source : pick;
      int64 index = wide ? ((const int64*) indices)[position] : ((const int32*) indices)[position];
      index = index < 0 ? index + extent : index;
      if (index >= 0 && index < extent) {
        int64 target = at.of[1] + index * step;
        to[target] = narrow<VALUE>(widen(to[target]) + widen(head[source]));
      }
    }
  }
}
