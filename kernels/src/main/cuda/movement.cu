// Moves elements without a change: VALUE is the unsigned type of an element's size.
#include "cairn.cuh"

extern "C" __global__ void strided_copy(const VALUE* __restrict__ from, VALUE* __restrict__ to, int64 count,
    int64 from_start, int64 to_start, Walk walk) {
  for (EACH(i, count)) {
    Offsets at = offsets(walk, i);
    to[to_start + at.of[1]] = from[from_start + at.of[0]];
  }
}

// Matrices turned over, in tiles that are read and written along lines; blocks of 32 x 8 threads. A tile's lines are one
// element longer than they hold, so that a column of it lies in different banks.
#define TILE 32
extern "C" __global__ void __launch_bounds__(256) transpose(const VALUE* __restrict__ from, VALUE* __restrict__ to,
    int64 matrices, int64 rows, int64 columns) {
  __shared__ VALUE tile[TILE][TILE + 1];
  int64 across = (columns + TILE - 1) / TILE;
  int64 down = (rows + TILE - 1) / TILE;
  for (int64 item = blockIdx.x; item < matrices * across * down; item += gridDim.x) {
    int64 matrix = item / (across * down) * rows * columns;
    int64 row = item / across % down * TILE;
    int64 column = item % across * TILE;
    for (int line = threadIdx.y; line < TILE; line += 8) {
      if (row + line < rows && column + threadIdx.x < columns) {
        tile[line][threadIdx.x] = from[matrix + (row + line) * columns + column + threadIdx.x];
      }
    }
    __syncthreads();
    for (int line = threadIdx.y; line < TILE; line += 8) {
      if (column + line < columns && row + threadIdx.x < rows) {
        to[matrix + (column + line) * rows + row + threadIdx.x] = tile[threadIdx.x][line];
      }
    }
    __syncthreads();
  }
}

extern "C" __global__ void fill(VALUE* __restrict__ to, int64 count, uint64 bits) {
  for (EACH(i, count)) {
    to[i] = (VALUE) bits;
  }
}

struct Longs {
  int64 of[MOST_AXES];
};

extern "C" __global__ void write_longs(int64* __restrict__ to, int64 count, Longs values) {
  for (EACH(i, count)) {
    to[i] = values.of[i];
  }
}

// How axes are padded: `kept` indexes of each, from `cut` on, stand at `kept_at`.
struct Padding {
  int64 axes;
  int64 padded[MOST_AXES];
  int64 kept[MOST_AXES];
  int64 kept_at[MOST_AXES];
  int64 cut[MOST_AXES];
  int64 stride[MOST_AXES];
};
enum { CONSTANT, EDGE, REFLECT, WRAP };

__device__ __forceinline__ int64 modulo(int64 a, int64 b) {
  int64 rest = a % b;
  return rest < 0 ? rest + b : rest;
}

__device__ __forceinline__ int64 repeated(int64 at, int64 kept, int mode) {
  if (mode == EDGE) {
    return at < 0 ? 0 : (at < kept ? at : kept - 1);
  }
  if (mode == REFLECT) {
    if (kept == 1) {
      return 0;
    }
    int64 period = 2 * (kept - 1);
    int64 place = modulo(at, period);
    return place < kept ? place : period - place;
  }
  return modulo(at, kept);
}

extern "C" __global__ void pad(const VALUE* __restrict__ from, const VALUE* __restrict__ value,
    VALUE* __restrict__ to, int64 count, int mode, Padding padding) {
  for (EACH(i, count)) {
    int64 rest = i;
    int64 source = 0;
    bool inside = true;
    for (int axis = (int) padding.axes - 1; axis >= 0; axis--) {
      int64 at = rest % padding.padded[axis] - padding.kept_at[axis];
      rest /= padding.padded[axis];
      if (at < 0 || at >= padding.kept[axis]) {
        inside = inside && mode != CONSTANT;
        at = mode == CONSTANT ? 0 : repeated(at, padding.kept[axis], mode);
      }
      source += (padding.cut[axis] + at) * padding.stride[axis];
    }
    to[i] = inside ? from[source] : (value == nullptr ? (VALUE) 0 : *value);
  }
}

// An index counts from the end when it is negative. An index outside its axis can't be reported from here: it reads
// zero.
__device__ __forceinline__ int64 index_at(const void* indices, int wide, int64 position, int64 extent) {
  int64 index = wide ? ((const int64*) indices)[position] : ((const int32*) indices)[position];
  index = index < 0 ? index + extent : index;
  return index < 0 || index >= extent ? -1 : index;
}

extern "C" __global__ void gather(const VALUE* __restrict__ from, const void* __restrict__ indices,
    VALUE* __restrict__ to, int64 count, int wide, int64 extent, int64 picks, int64 behind) {
  for (EACH(i, count)) {
    int64 item = i / behind;
    int64 index = index_at(indices, wide, item % picks, extent);
    to[i] = index < 0 ? (VALUE) 0 : from[(item / picks * extent + index) * behind + i % behind];
  }
}

extern "C" __global__ void gather_elements(const VALUE* __restrict__ from, const void* __restrict__ indices,
    VALUE* __restrict__ to, int64 count, int wide, int64 extent, int64 along, Walk walk) {
  for (EACH(i, count)) {
    int64 index = index_at(indices, wide, i, extent);
    to[i] = index < 0 ? (VALUE) 0 : from[offsets(walk, i).of[0] + index * along];
  }
}

struct Depth {
  int64 axes;
  int64 extents[MOST_AXES];
  int64 strides[MOST_AXES];
};

// Of two updates of one slice the later one stays: a thread goes through all slices, for its element of each.
extern "C" __global__ void scatter_slices(const VALUE* __restrict__ updates, const void* __restrict__ indices,
    VALUE* __restrict__ to, int64 slices, int64 unit, int wide, Depth depth) {
  for (EACH(u, unit)) {
    for (int64 slice = 0; slice < slices; slice++) {
      int64 offset = 0;
      bool inside = true;
      for (int axis = 0; axis < (int) depth.axes; axis++) {
        int64 index = index_at(indices, wide, slice * depth.axes + axis, depth.extents[axis]);
        inside = inside && index >= 0;
        offset += index * depth.strides[axis];
      }
      if (inside) {
        to[offset + u] = updates[slice * unit + u];
      }
    }
  }
}

extern "C" __global__ void triangle(const VALUE* __restrict__ from, VALUE* __restrict__ to, int64 count, int64 rows,
    int64 columns, int64 diagonal, int upper) {
  for (EACH(i, count)) {
    int64 apart = i % columns - i / columns % rows;
    to[i] = (upper ? apart >= diagonal : apart <= diagonal) ? from[i] : (VALUE) 0;
  }
}
