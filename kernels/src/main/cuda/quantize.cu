// Quantised tensors: to and from them, and products of their matrices. VALUE is the quantised type, or that of a
// product's left matrix; OTHER_VALUE is that of the right one. Results have the bits of the portable kernels.
#include "rounded.cuh"
#include "window.cuh"

// Which scale each element has; QuantizedLines of the host says what the fields mean.
struct Lines {
  int64 length;
  int64 run;
  int64 period;
  int64 scales_of_period;
  int64 block;
  int64 scales_of_line;
};

__device__ __forceinline__ int64 scale_at(const Lines& lines, int64 element) {
  int64 line = element / lines.length;
  return (line / lines.period * lines.scales_of_period + line % lines.period / lines.block) * lines.scales_of_line
      + element % lines.length / lines.run;
}

// The number in units of its scale, rounded half to even. A NaN becomes the least number.
__device__ __forceinline__ int32 quantized(float units, int32 zero, int32 least, int32 most) {
  double value = rint((double) units) + (double) zero;
  return value >= most ? most : value > least ? (int32) value : least;
}

extern "C" __global__ void quantize(const float* __restrict__ from, const float* __restrict__ scales,
    const VALUE* __restrict__ zeros, VALUE* __restrict__ to, int64 count, int32 least, int32 most, Lines lines) {
  for (EACH(i, count)) {
    int64 at = scale_at(lines, i);
    to[i] = (VALUE) quantized(from[i] / scales[at], zeros == nullptr ? 0 : (int32) zeros[at], least, most);
  }
}

extern "C" __global__ void dequantize(const VALUE* __restrict__ from, const float* __restrict__ scales,
    const VALUE* __restrict__ zeros, float* __restrict__ to, int64 count, Lines lines) {
  for (EACH(i, count)) {
    int64 at = scale_at(lines, i);
    uint32 difference = (uint32) from[i] - (zeros == nullptr ? 0u : (uint32) zeros[at]);
    to[i] = times((float) (int32) difference, scales[at]);
  }
}

// Looks values up in tables of 256 entries; the result may lie over what is read.
extern "C" __global__ void look_up(const uint8* from, const uint8* __restrict__ table, uint8* to, int64 count) {
  for (EACH(i, count)) {
    to[i] = table[from[i]];
  }
}

// The scale and zero point of a range that is widened to 0; one block. NaN has no part in the range.
extern "C" __global__ void __launch_bounds__(256) quantized_range(const float* __restrict__ from, float* __restrict__ scale,
    uint8* __restrict__ zero, int64 count) {
  __shared__ float lows[256];
  __shared__ float highs[256];
  float low = 0;
  float high = 0;
  for (int64 i = threadIdx.x; i < count; i += blockDim.x) {
    low = from[i] < low ? from[i] : low;
    high = from[i] > high ? from[i] : high;
  }
  lows[threadIdx.x] = low;
  highs[threadIdx.x] = high;
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) {
      float other = lows[threadIdx.x + half];
      lows[threadIdx.x] = other < lows[threadIdx.x] ? other : lows[threadIdx.x];
      other = highs[threadIdx.x + half];
      highs[threadIdx.x] = other > highs[threadIdx.x] ? other : highs[threadIdx.x];
    }
  }
  if (threadIdx.x == 0) {
    float step = highs[0] == lows[0] ? 1.0f : (highs[0] - lows[0]) / 255.0f;
    *scale = step;
    *zero = (uint8) quantized(0.0f - lows[0] / step, 0, 0, 255);
  }
}

#if INTEGER_PRODUCTS
// How many numbers each list has: 1, or one for each row or column; 0 where the list is not there.
struct Product {
  int64 rows;
  int64 columns;
  int64 depth;
  int64 left_zeros;
  int64 right_zeros;
  int64 left_scales;
  int64 right_scales;
  int64 scales;
  int64 zeros;
};
enum { WHOLE, FLOATS, BYTES, UNSIGNED_BYTES };

// Four products of signed bytes, added up.
__device__ __forceinline__ int32 dot(int32 a, int32 b, int32 sum) {
#if defined(__CUDA_ARCH__) && !defined(__CAIRN_SIM__)
  return __dp4a(a, b, sum);
#else
  for (int i = 0; i < 32; i += 8) {
    sum += (int32) (int8) (a >> i) * (int32) (int8) (b >> i);
  }
  return sum;
#endif
}

// An unsigned byte with its first bit flipped is a signed byte whose number is smaller by 128.
#define LEFT_TURN ((VALUE) -1 < (VALUE) 0 ? 0 : 0x80)
#define RIGHT_TURN ((OTHER_VALUE) -1 < (OTHER_VALUE) 0 ? 0 : 0x80)

#define SIDE 16
#define ONES 0x01010101

__device__ __forceinline__ float scale_of(const float* scales, int64 count, int64 index) {
  return count == 0 ? 1.0f : scales[count == 1 ? 0 : index];
}

// The number in units of its scale.
__device__ __forceinline__ uint8 quantized_byte(float units, const void* zeros, int64 zero_at, int result) {
  int32 zero = zeros == nullptr ? 0
      : result == BYTES ? (int32) ((const int8*) zeros)[zero_at] : (int32) ((const uint8*) zeros)[zero_at];
  return (uint8) quantized(units, zero, result == BYTES ? -128 : 0, result == BYTES ? 127 : 255);
}

// Quantises a product in units of its scale.
__device__ __forceinline__ void store_bytes(void* to, int64 at, uint32 all, float scale, const void* zeros,
    int64 zero_at, int result) {
  ((uint8*) to)[at] = quantized_byte(times((float) (int32) all, scale), zeros, zero_at, result);
}

// Sums and products of real numbers between quantised tensors; the result may lie over an operand.
extern "C" __global__ void quantized_binary(const VALUE* left, const float* __restrict__ left_scale,
    const VALUE* __restrict__ left_zero, const OTHER_VALUE* right, const float* __restrict__ right_scale,
    const OTHER_VALUE* __restrict__ right_zero, const float* __restrict__ scale, const void* __restrict__ zero,
    uint8* to, int64 count, int result, int multiplies, Walk walk) {
  for (EACH(i, count)) {
    Offsets at = offsets(walk, i);
    float one = times((float) ((int32) left[at.of[0]] - (int32) *left_zero), *left_scale);
    float other = times((float) ((int32) right[at.of[1]] - (int32) *right_zero), *right_scale);
    float real = multiplies ? times(one, other) : one + other;
    to[i] = quantized_byte(real / *scale, zero, 0, result);
  }
}

// sum (a - za)(b - zb) = sum a b - za sum b - zb sum a + depth za zb, which wraps at 32 bits as the sums do.
__device__ __forceinline__ uint32 without_zeros(int32 sum, int32 of_a, int32 of_b, uint32 za, uint32 zb, int64 depth) {
  return (uint32) sum - za * (uint32) of_b - zb * (uint32) of_a + (uint32) depth * za * zb;
}

// Tiles of 16 x 16 results, one a thread.
extern "C" __global__ void __launch_bounds__(256) integer_product(const VALUE* __restrict__ left,
    const OTHER_VALUE* __restrict__ right, const VALUE* __restrict__ left_zeros,
    const OTHER_VALUE* __restrict__ right_zeros, const float* __restrict__ left_scales,
    const float* __restrict__ right_scales, const float* __restrict__ scales, const void* __restrict__ zeros,
    const void* __restrict__ bias, void* __restrict__ to, int result, Product of) {
  __shared__ int32 rows[SIDE][SIDE + 1];
  __shared__ int32 columns[SIDE][SIDE + 1];
  int x = threadIdx.x % SIDE;
  int y = threadIdx.x / SIDE;
  int64 across = (of.columns + SIDE - 1) / SIDE;
  int64 tiles = across * ((of.rows + SIDE - 1) / SIDE);
  for (int64 tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    int64 row = tile / across * SIDE + y;
    int64 column = tile % across * SIDE + x;
    int64 loaded = tile % across * SIDE + y;
    int32 sum = 0;
    int32 of_row = 0;
    int32 of_column = 0;
    for (int64 first = 0; first < of.depth; first += 4 * SIDE) {
      int32 a = 0;
      int32 b = 0;
      for (int i = 0; i < 4; i++) {
        int64 k = first + 4 * x + i;
        if (k < of.depth && row < of.rows) {
          a |= (int32) (((uint32) (uint8) left[row * of.depth + k] ^ LEFT_TURN) << (8 * i));
        }
        if (k < of.depth && loaded < of.columns) {
          b |= (int32) (((uint32) (uint8) right[k * of.columns + loaded] ^ RIGHT_TURN) << (8 * i));
        }
      }
      rows[y][x] = a;
      columns[y][x] = b;
      __syncthreads();
      for (int k = 0; k < SIDE; k++) {
        sum = dot(rows[y][k], columns[x][k], sum);
        of_row = dot(rows[y][k], ONES, of_row);
        of_column = dot(columns[x][k], ONES, of_column);
      }
      __syncthreads();
    }
    if (row >= of.rows || column >= of.columns) {
      continue;
    }
    uint32 za = (uint32) (of.left_zeros == 0 ? 0 : (int32) left_zeros[of.left_zeros == 1 ? 0 : row])
        - (uint32) LEFT_TURN;
    uint32 zb = (uint32) (of.right_zeros == 0 ? 0 : (int32) right_zeros[of.right_zeros == 1 ? 0 : column])
        - (uint32) RIGHT_TURN;
    uint32 all = without_zeros(sum, of_row, of_column, za, zb, of.depth);
    int64 at = row * of.columns + column;
    float scale = times(scale_of(left_scales, of.left_scales, row), scale_of(right_scales, of.right_scales, column));
    if (result == WHOLE) {
      ((int32*) to)[at] = (int32) all;
    } else if (result == FLOATS) {
      float scaled = times((float) (int32) all, scale);
      ((float*) to)[at] = bias == nullptr ? scaled : scaled + ((const float*) bias)[column];
    } else {
      all += bias == nullptr ? 0u : (uint32) ((const int32*) bias)[column];
      int64 zero_at = of.zeros == 1 ? 0 : row;
      store_bytes(to, at, all, scale / scale_of(scales, of.scales, row), of.zeros == 0 ? nullptr : zeros, zero_at, result);
    }
  }
}

// Lists have 1 number, or one for each output channel; 0 where the list is not there.
struct Filters {
  int64 images;
  int64 groups;
  int64 inputs_per_group;
  int64 outputs_per_group;
  int64 zeros;
  int64 scales;
};

// One byte of the unrolled image: a term of the sum for a result. Padding is the zero point, which adds nothing to the
// sum.
struct Unrolled {
  const VALUE* image;
  int64 at[MOST_SPATIAL];
  int32 padding;

  __device__ __forceinline__ Unrolled(const VALUE* from, const Filters& of, const Window& window, int64 group,
      int64 column, int64 results, int64 plane, int32 padding) : padding(padding) {
    image = from + (column / results * of.groups + group) * of.inputs_per_group * plane;
    int64 position = column % results;
    for (int axis = MOST_SPATIAL - 1; axis >= 0; axis--) {
      at[axis] = position % window.output[axis] * window.stride[axis] - window.pad[axis];
      position /= window.output[axis];
    }
  }

  __device__ __forceinline__ int32 byte(const Window& window, int64 term) const {
    int64 offset = 0;
    int64 step = 1;
    for (int axis = MOST_SPATIAL - 1; axis >= 0; axis--) {
      int64 place = at[axis] + term % window.kernel[axis] * window.dilation[axis];
      if (place < 0 || place >= window.input[axis]) {
        return padding;
      }
      offset += place * step;
      step *= window.input[axis];
      term /= window.kernel[axis];
    }
    return (int32) image[term * step + offset];
  }
};

// The weights times the unrolled image, in tiles as above: a row for each output channel of a group, a column for each
// place of each image.
extern "C" __global__ void __launch_bounds__(256) integer_convolution(const VALUE* __restrict__ image,
    const OTHER_VALUE* __restrict__ weights, const VALUE* __restrict__ image_zero,
    const OTHER_VALUE* __restrict__ weight_zeros, const float* __restrict__ image_scale,
    const float* __restrict__ weight_scales, const float* __restrict__ scale, const void* __restrict__ zero,
    const int32* __restrict__ bias, void* __restrict__ to, int result, Filters of, Window window) {
  __shared__ int32 rows[SIDE][SIDE + 1];
  __shared__ int32 columns[SIDE][SIDE + 1];
  int x = threadIdx.x % SIDE;
  int y = threadIdx.x / SIDE;
  int64 results = window.output[0] * window.output[1] * window.output[2];
  int64 plane = window.input[0] * window.input[1] * window.input[2];
  int64 depth = of.inputs_per_group * window.kernel[0] * window.kernel[1] * window.kernel[2];
  int64 across = (of.images * results + SIDE - 1) / SIDE;
  int64 down = (of.outputs_per_group + SIDE - 1) / SIDE;
  int32 padding = image_zero == nullptr ? 0 : (int32) image_zero[0];
  for (int64 tile = blockIdx.x; tile < across * down * of.groups; tile += gridDim.x) {
    int64 group = tile / (across * down);
    int64 row = tile / across % down * SIDE + y;
    int64 first_column = tile % across * SIDE;
    int64 channel = group * of.outputs_per_group + row;
    int64 loaded = first_column + y;
    Unrolled unrolled(image, of, window, group, loaded, results, plane, padding);
    int32 sum = 0;
    int32 of_row = 0;
    int32 of_column = 0;
    for (int64 first = 0; first < depth; first += 4 * SIDE) {
      int32 a = 0;
      int32 b = 0;
      for (int i = 0; i < 4; i++) {
        int64 term = first + 4 * x + i;
        if (term < depth && row < of.outputs_per_group) {
          a |= (int32) (((uint32) (uint8) weights[channel * depth + term] ^ RIGHT_TURN) << (8 * i));
        }
        if (term < depth && loaded < of.images * results) {
          b |= (int32) (((uint32) (uint8) unrolled.byte(window, term) ^ LEFT_TURN) << (8 * i));
        }
      }
      rows[y][x] = a;
      columns[y][x] = b;
      __syncthreads();
      for (int k = 0; k < SIDE; k++) {
        sum = dot(rows[y][k], columns[x][k], sum);
        of_row = dot(rows[y][k], ONES, of_row);
        of_column = dot(columns[x][k], ONES, of_column);
      }
      __syncthreads();
    }
    int64 column = first_column + x;
    if (row >= of.outputs_per_group || column >= of.images * results) {
      continue;
    }
    uint32 weight_zero = (uint32) (of.zeros == 0 ? 0 : (int32) weight_zeros[of.zeros == 1 ? 0 : channel])
        - (uint32) RIGHT_TURN;
    uint32 all = without_zeros(sum, of_row, of_column, weight_zero, (uint32) padding - (uint32) LEFT_TURN, depth);
    int64 at = (column / results * of.groups * of.outputs_per_group + channel) * results + column % results;
    if (result == WHOLE) {
      ((int32*) to)[at] = (int32) all;
    } else {
      all += bias == nullptr ? 0u : (uint32) bias[channel];
      float product_scale = times(scale_of(image_scale, 1, 0), scale_of(weight_scales, of.scales, channel));
      store_bytes(to, at, all, product_scale / scale_of(scale, 1, 0), zero, 0, result);
    }
  }
}
#endif
