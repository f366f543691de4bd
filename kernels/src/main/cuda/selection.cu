// Where the extreme elements of lines are. Line n begins at n / inner * length * inner + n % inner, and its elements
// are inner apart. Results do not depend on the order of threads.
#include "order.cuh"

#define THREADS 256
#define DIGITS 256
#define KEY_DIGITS 8
#define PLACE_DIGITS 4

__device__ __forceinline__ int64 begin_of(int64 line, int64 length, int64 inner) {
  return line / inner * length * inner + line % inner;
}

// A key and the place where it was found.
struct Found {
  uint64 key;
  int64 place;
};

// The lesser key; of equal ones the first place, or the last one.
__device__ __forceinline__ bool is_before(const Found& a, const Found& b, int last) {
  return a.key < b.key || (a.key == b.key && (last ? a.place > b.place : a.place < b.place));
}

// The key of an element: the extreme element of a line has the least key. A NaN is both the greatest and the least
// element.
__device__ __forceinline__ uint64 extreme_key(VALUE element, int greatest) {
#if REAL
  if (is_nan(widen(element))) {
    return 0;
  }
#endif
  return greatest ? ~order_key(element) : order_key(element);
}

// The place of the greatest or least element of each line; one thread a line.
extern "C" __global__ void extreme_by_thread(const VALUE* __restrict__ from, int64* __restrict__ to, int64 lines,
    int64 length, int64 inner, int greatest, int last) {
  for (EACH(line, lines)) {
    const VALUE* mine = from + begin_of(line, length, inner);
    Found best = {extreme_key(mine[0], greatest), 0};
    for (int64 i = 1; i < length; i++) {
      Found other = {extreme_key(mine[i * inner], greatest), i};
      best = is_before(other, best, last) ? other : best;
    }
    to[line] = best.place;
  }
}

// Like the kernel above, but with one block for each line.
extern "C" __global__ void __launch_bounds__(THREADS) extreme_by_block(const VALUE* __restrict__ from,
    int64* __restrict__ to, int64 lines, int64 length, int64 inner, int greatest, int last) {
  __shared__ Found found[THREADS];
  for (int64 line = blockIdx.x; line < lines; line += gridDim.x) {
    const VALUE* mine = from + begin_of(line, length, inner);
    // Every thread begins with the line's first element, which may be counted twice.
    Found best = {extreme_key(mine[0], greatest), 0};
    for (int64 i = threadIdx.x; i < length; i += blockDim.x) {
      Found other = {extreme_key(mine[i * inner], greatest), i};
      best = is_before(other, best, last) ? other : best;
    }
    found[threadIdx.x] = best;
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
      __syncthreads();
      if ((int) threadIdx.x < half && is_before(found[threadIdx.x + half], found[threadIdx.x], last)) {
        found[threadIdx.x] = found[threadIdx.x + half];
      }
    }
    if (threadIdx.x == 0) {
      to[line] = found[0].place;
    }
    __syncthreads();
  }
}

// The digits of a key, from the highest one down, then those of its place.
__device__ __forceinline__ int digit_of(uint64 key, uint32 place, int digit) {
  return digit < KEY_DIGITS ? (int) (key >> (8 * (KEY_DIGITS - 1 - digit)) & 0xff)
      : (int) (place >> (8 * (KEY_DIGITS + PLACE_DIGITS - 1 - digit)) & 0xff);
}

// -1, 0 or 1: whether the first digits come before, are, or come after the prefix.
__device__ __forceinline__ int compared(uint64 key, uint32 place, uint64 key_prefix, uint32 place_prefix, int digits) {
  int of_key = digits < KEY_DIGITS ? digits : KEY_DIGITS;
  uint64 mask = of_key == 0 ? 0 : ~(uint64) 0 << (8 * (KEY_DIGITS - of_key));
  uint64 mine = key & mask;
  if (mine != key_prefix) {
    return mine < key_prefix ? -1 : 1;
  }
  int of_place = digits - of_key;
  uint32 place_mask = of_place == 0 ? 0 : ~(uint32) 0 << (8 * (PLACE_DIGITS - of_place));
  uint32 at = place & place_mask;
  return at == place_prefix ? 0 : at < place_prefix ? -1 : 1;
}

// The k greatest or least elements of each line in their order; of equal ones the first. One block a line: digit by
// digit it finds the prefix of the last one that is taken, collects what does not come after it, and ranks these.
extern "C" __global__ void __launch_bounds__(THREADS) top(const VALUE* __restrict__ from, VALUE* __restrict__ values,
    int64* __restrict__ places, uint32* __restrict__ taken, int64 lines, int64 length, int64 inner, int64 k,
    int greatest) {
  __shared__ uint32 counts[DIGITS];
  __shared__ uint64 key_prefix;
  __shared__ uint32 place_prefix;
  __shared__ uint32 wanted;
  __shared__ uint32 filled;
  __shared__ int found;
  uint64 turned = greatest ? ~(uint64) 0 : 0;
  uint32 size = (uint32) length;
  for (int64 line = blockIdx.x; line < lines; line += gridDim.x) {
    const VALUE* mine = from + begin_of(line, length, inner);
    uint32* chosen = taken + line * k;
    if (threadIdx.x == 0) {
      key_prefix = 0;
      place_prefix = 0;
      wanted = (uint32) k;
      filled = 0;
      found = 0;
    }
    int digits = 0;
    for (bool going = true; going;) {
      counts[threadIdx.x] = 0;
      __syncthreads();
      for (uint32 i = threadIdx.x; i < size; i += THREADS) {
        uint64 key = order_key(mine[i * inner]) ^ turned;
        if (compared(key, i, key_prefix, place_prefix, digits) == 0) {
          atomicAdd(&counts[digit_of(key, i, digits)], 1u);
        }
      }
      __syncthreads();
      if (threadIdx.x == 0) {
        int digit = 0;
        while (counts[digit] < wanted) {
          wanted -= counts[digit++];
        }
        found = counts[digit] == wanted;
        if (digits < KEY_DIGITS) {
          key_prefix |= (uint64) digit << (8 * (KEY_DIGITS - 1 - digits));
        } else {
          place_prefix |= (uint32) digit << (8 * (KEY_DIGITS + PLACE_DIGITS - 1 - digits));
        }
      }
      digits++;
      __syncthreads();
      going = !found;
      __syncthreads();
    }
    for (uint32 i = threadIdx.x; i < size; i += THREADS) {
      uint64 key = order_key(mine[i * inner]) ^ turned;
      if (compared(key, i, key_prefix, place_prefix, digits) <= 0) {
        chosen[atomicAdd(&filled, 1u)] = i;
      }
    }
    __syncthreads();
    int64 to = begin_of(line, k, inner);
    for (int64 n = threadIdx.x; n < k; n += THREADS) {
      uint32 place = chosen[n];
      Found own = {order_key(mine[place * inner]) ^ turned, place};
      int64 rank = 0;
      for (int64 other = 0; other < k; other++) {
        uint32 at = chosen[other];
        Found theirs = {order_key(mine[at * inner]) ^ turned, at};
        rank += is_before(theirs, own, 0) ? 1 : 0;
      }
      values[to + rank * inner] = mine[place * inner];
      if (places != nullptr) {
        places[to + rank * inner] = place;
      }
    }
    __syncthreads();
  }
}
