// Convolutions over up to three spatial axes: result = bias + the sum over channels and taps, as products of the
// weights with the unrolled input (im2col; K. Chellapilla, S. Puri, P. Simard, 2006), which never exists as a whole, or
// directly.
#include "tile.cuh"
#include "window.cuh"

struct Channels {
  int images;
  int groups;
  int inputs_per_group;
  int outputs_per_group;
};

__device__ __forceinline__ int product_of(const int64 (&extents)[MOST_SPATIAL]) {
  return (int) (extents[0] * extents[1] * extents[2]);
}

// The place that a term reads, counted from the first element of the window in the first channel: in elements, and
// along each axis.
struct __align__(16) Tap {
  int offset;
  int at[MOST_SPATIAL];
};

// The unrolled input of one group: a row for each term, a tap of a channel, a column for each result of every image.
// Each thread reads one column, so it keeps where that column's window begins.
struct Unrolled {
  const VALUE* from;
  int at[MOST_SPATIAL];
  bool inside;
  const Window& window;
  Tap (*taps)[TERMS];

  __device__ __forceinline__ Unrolled(const Window& window, Tap (*taps)[TERMS]) : window(window), taps(taps) {}

  __device__ __forceinline__ void begin(const VALUE* group, int64 image_elements, int column, int columns) {
    int results = product_of(window.output);
    int image = column / results;
    int position = column % results;
    inside = column < columns;
    int64 offset = image * image_elements;
    int64 step = 1;
#pragma unroll
    for (int axis = MOST_SPATIAL - 1; axis >= 0; axis--) {
      int extent = (int) window.output[axis];
      at[axis] = position % extent * (int) window.stride[axis] - (int) window.pad[axis];
      position /= extent;
      offset += at[axis] * step;
      step *= window.input[axis];
    }
    // Counted in bytes, since it may point before the input. No tap that counts lies there.
    from = (const VALUE*) ((const char*) group + offset * (int64) sizeof(VALUE));
  }

  __device__ __forceinline__ void locate(int from_term, int slot) {
    if (threadIdx.x < TERMS) {
      int rest = from_term + threadIdx.x;
      Tap tap;
      tap.offset = 0;
      int step = 1;
#pragma unroll
      for (int axis = MOST_SPATIAL - 1; axis >= 0; axis--) {
        int extent = (int) window.kernel[axis];
        tap.at[axis] = rest % extent * (int) window.dilation[axis];
        rest /= extent;
        tap.offset += tap.at[axis] * step;
        step *= (int) window.input[axis];
      }
      tap.offset += rest * step;
      taps[slot][threadIdx.x] = tap;
    }
  }

  template <int SIDE>
  __device__ __forceinline__ void fetch(Held (&held)[SIDE], int from_term, int end, int slot) const {
#pragma unroll
    for (int n = 0; n < SIDE; n++) {
      int term = (threadIdx.x + n * TILE_THREADS) / (16 * SIDE);
      Tap tap = taps[slot][term];
      bool counts = inside && from_term + term < end;
#pragma unroll
      for (int axis = 0; axis < MOST_SPATIAL; axis++) {
        counts = counts && (unsigned) (at[axis] + tap.at[axis]) < (unsigned) window.input[axis];
      }
      held[n] = counts ? hold(from[tap.offset]) : nothing();
    }
  }

  template <int SIDE>
  __device__ __forceinline__ void keep(const Held (&held)[SIDE], Tile<SIDE>& tile) const {
#pragma unroll
    for (int n = 0; n < SIDE; n++) {
      int i = threadIdx.x + n * TILE_THREADS;
      tile.at(i % (16 * SIDE), i / (16 * SIDE)) = held[n];
    }
  }
};

template <int SIDE>
__device__ __forceinline__ void convolve(const VALUE* input, const VALUE* weights, const VALUE* bias,
    Results out, Total* parts, const TilePlan& plan, const Channels& channels, const Window& window) {
  __shared__ Tiles<SIDE> tiles;
  __shared__ Tap taps[2][TERMS];
  int results = product_of(window.output);
  int64 group_elements = (int64) channels.inputs_per_group * product_of(window.input);
  int outputs = channels.groups * channels.outputs_per_group;
  int64 elements = (int64) plan.columns * outputs;
  int64 tasks = tile_tasks(plan, 16 * SIDE);
  for (int64 index = blockIdx.x; index < tasks; index += gridDim.x) {
    TileTask task = tile_task(plan, 16 * SIDE, index);
    int first_output = (int) task.product * channels.outputs_per_group;
    Matrix rows = {weights + (int64) first_output * plan.depth, plan.depth, 1, plan.rows, task.first_row};
    Unrolled columns(window, taps);
    columns.begin(input + task.product * group_elements, channels.groups * group_elements,
        task.first_column + threadIdx.x % (16 * SIDE), plan.columns);
    Total sums[SIDE][SIDE] = {};
    add_terms<SIDE>(sums, tiles, rows, columns, task.begin, task.end);
#pragma unroll
    for (int j = 0; j < SIDE; j++) {
      int column = task.first_column + column_of<SIDE>(j);
      int64 first = ((int64) (column / results) * outputs + first_output) * results + column % results;
      Read read_for[SIDE];
#pragma unroll
      for (int i = 0; i < SIDE; i++) {
        int row = task.first_row + row_of<SIDE>(i);
        if (row < plan.rows && column < plan.columns && parts == nullptr) {
          read_for[i] = read(out, first + (int64) row * results);
        }
      }
#pragma unroll
      for (int i = 0; i < SIDE; i++) {
        int row = task.first_row + row_of<SIDE>(i);
        if (row < plan.rows && column < plan.columns) {
          int64 to = first + (int64) row * results;
          if (parts != nullptr) {
            parts[task.part * elements + to] = sums[i][j];
          } else {
            store(out, to, read_for[i], finished(sums[i][j], bias, first_output + row, Factors{1, 1}));
          }
        }
      }
    }
  }
}

extern "C" __global__ void __launch_bounds__(TILE_THREADS) convolve_by_small_tiles(const VALUE* __restrict__ input,
    const VALUE* __restrict__ weights, const VALUE* __restrict__ bias, RESULTS,
    Total* __restrict__ parts, TilePlan plan, Channels channels, Window window) {
  convolve<4>(input, weights, bias, GIVEN_RESULTS, parts, plan, channels, window);
}

extern "C" __global__ void __launch_bounds__(TILE_THREADS, 2) convolve_by_large_tiles(const VALUE* __restrict__ input,
    const VALUE* __restrict__ weights, const VALUE* __restrict__ bias, RESULTS,
    Total* __restrict__ parts, TilePlan plan, Channels channels, Window window) {
  convolve<sizeof(Total) == 4 ? 8 : 4>(input, weights, bias, GIVEN_RESULTS, parts, plan, channels, window);
}

// For groups with few channels, which would fill only a small part of a tile: each thread computes a result.
extern "C" __global__ void __launch_bounds__(TILE_THREADS) convolve_directly(const VALUE* __restrict__ input,
    const VALUE* __restrict__ weights, const VALUE* __restrict__ bias, RESULTS, int64 count,
    Channels channels, Window window) {
  int taps = product_of(window.kernel);
  int64 plane = product_of(window.input);
  int width = (int) window.output[2];
  int height = (int) window.output[1];
  int depth = (int) window.output[0];
  int outputs = channels.groups * channels.outputs_per_group;
  for (EACH(i, count)) {
    int64 line = i / width;
    Span x = span(window, 2, i - line * width);
    Span y = span(window, 1, line % height);
    int64 block = line / height;
    Span z = span(window, 0, block % depth);
    int64 image = block / depth / outputs;
    int output = (int) (block / depth - image * outputs);
    int64 first = (image * channels.groups + output / channels.outputs_per_group) * channels.inputs_per_group;
    const VALUE* filter = weights + (int64) output * channels.inputs_per_group * taps;
    Total sum = (Total) 0;
    for (int channel = 0; channel < channels.inputs_per_group; channel++) {
      for (int64 c = z.first; c < z.end; c++) {
        for (int64 b = y.first; b < y.end; b++) {
          const VALUE* mine = input + (first + channel) * plane + ((z.start + c * window.dilation[0]) * window.input[1]
              + y.start + b * window.dilation[1]) * window.input[2] + x.start;
          const VALUE* factors = filter + channel * taps + (c * window.kernel[1] + b) * window.kernel[2];
          for (int64 a = x.first; a < x.end; a++) {
            sum += (Total) widen(mine[a * window.dilation[2]]) * (Total) widen(factors[a]);
          }
        }
      }
    }
    Results out = GIVEN_RESULTS;
    store(out, i, read(out, i), finished(sum, bias, output, Factors{1, 1}));
  }
}
