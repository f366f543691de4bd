// Shuffles, votes, matches and reductions of a warp.
#pragma once

CAIRN_INLINE unsigned long long cairn_meet(unsigned mask, int meeting, unsigned long long value, unsigned lane = 0) {
  return cairn_thread->calls->meet(cairn_thread, mask, meeting, value, lane);
}

CAIRN_INLINE void __syncwarp(unsigned mask = 0xffffffffu) { cairn_meet(mask, CAIRN_SYNC, 0); }
CAIRN_INLINE unsigned __ballot_sync(unsigned mask, int predicate) {
  return static_cast<unsigned>(cairn_meet(mask, CAIRN_BALLOT, predicate != 0));
}
CAIRN_INLINE int __any_sync(unsigned mask, int predicate) { return __ballot_sync(mask, predicate) != 0; }
CAIRN_INLINE int __all_sync(unsigned mask, int predicate) { return __ballot_sync(mask, !predicate) == 0; }

// CUDA promises no more than the thread itself; who relies on more is found out here.
CAIRN_INLINE unsigned __activemask() { return 1u << cairn_thread->lane; }

template <class T>
CAIRN_INLINE T cairn_shuffle(unsigned mask, const T& value, int lane) {
  static_assert(sizeof(T) <= sizeof(unsigned long long), "a shuffle moves at most eight bytes");
  unsigned long long bits = 0;
  __builtin_memcpy(&bits, &value, sizeof value);
  bits = cairn_meet(mask, CAIRN_SHUFFLE, bits, static_cast<unsigned>(lane));
  T result;
  __builtin_memcpy(&result, &bits, sizeof result);
  return result;
}

// The lane to read: within the segment of `width` lanes, or the own one where there is none.
CAIRN_INLINE int cairn_lane() { return static_cast<int>(cairn_thread->lane); }
CAIRN_INLINE int cairn_lane_at(int lane, int width) { return (cairn_lane() & ~(width - 1)) | (lane & (width - 1)); }
CAIRN_INLINE int cairn_lane_down(unsigned delta, int width) {
  const unsigned at = static_cast<unsigned>(cairn_lane() & (width - 1));
  return delta < static_cast<unsigned>(width) - at ? cairn_lane() + static_cast<int>(delta) : cairn_lane();
}
CAIRN_INLINE int cairn_lane_up(unsigned delta, int width) {
  const unsigned at = static_cast<unsigned>(cairn_lane() & (width - 1));
  return delta <= at ? cairn_lane() - static_cast<int>(delta) : cairn_lane();
}
CAIRN_INLINE int cairn_lane_xor(int bits, int width) {
  const int lane = cairn_lane() ^ bits;
  return lane < (cairn_lane() & ~(width - 1)) + width ? lane : cairn_lane();
}

#define CAIRN_SHUFFLES(T) \
  CAIRN_INLINE T __shfl_sync(unsigned mask, T value, int lane, int width = 32) { \
    return cairn_shuffle(mask, value, cairn_lane_at(lane, width)); \
  } \
  CAIRN_INLINE T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32) { \
    return cairn_shuffle(mask, value, cairn_lane_down(delta, width)); \
  } \
  CAIRN_INLINE T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32) { \
    return cairn_shuffle(mask, value, cairn_lane_up(delta, width)); \
  } \
  CAIRN_INLINE T __shfl_xor_sync(unsigned mask, T value, int bits, int width = 32) { \
    return cairn_shuffle(mask, value, cairn_lane_xor(bits, width)); \
  }
CAIRN_SHUFFLES(int)
CAIRN_SHUFFLES(unsigned)
CAIRN_SHUFFLES(long)
CAIRN_SHUFFLES(unsigned long)
CAIRN_SHUFFLES(long long)
CAIRN_SHUFFLES(unsigned long long)
CAIRN_SHUFFLES(float)
CAIRN_SHUFFLES(double)

#define CAIRN_MATCHES(T, Bits) \
  CAIRN_INLINE unsigned __match_any_sync(unsigned mask, T value) { \
    return static_cast<unsigned>(cairn_meet(mask, CAIRN_MATCH_ANY, cairn_bits<Bits>(value))); \
  } \
  CAIRN_INLINE unsigned __match_all_sync(unsigned mask, T value, int* all) { \
    const auto lanes = static_cast<unsigned>(cairn_meet(mask, CAIRN_MATCH_ALL, cairn_bits<Bits>(value))); \
    *all = lanes != 0; \
    return lanes; \
  }
CAIRN_MATCHES(int, unsigned)
CAIRN_MATCHES(unsigned, unsigned)
CAIRN_MATCHES(long, unsigned long)
CAIRN_MATCHES(unsigned long, unsigned long)
CAIRN_MATCHES(long long, unsigned long long)
CAIRN_MATCHES(unsigned long long, unsigned long long)
CAIRN_MATCHES(float, unsigned)
CAIRN_MATCHES(double, unsigned long long)

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
#define CAIRN_REDUCE(name, T, meeting) \
  CAIRN_INLINE T name(unsigned mask, T value) { \
    return static_cast<T>(cairn_meet(mask, meeting, static_cast<unsigned>(value))); \
  }
CAIRN_REDUCE(__reduce_add_sync, unsigned, CAIRN_ADD)
CAIRN_REDUCE(__reduce_add_sync, int, CAIRN_ADD)
CAIRN_REDUCE(__reduce_min_sync, unsigned, CAIRN_MIN_UNSIGNED)
CAIRN_REDUCE(__reduce_min_sync, int, CAIRN_MIN)
CAIRN_REDUCE(__reduce_max_sync, unsigned, CAIRN_MAX_UNSIGNED)
CAIRN_REDUCE(__reduce_max_sync, int, CAIRN_MAX)
CAIRN_REDUCE(__reduce_and_sync, unsigned, CAIRN_AND)
CAIRN_REDUCE(__reduce_or_sync, unsigned, CAIRN_OR)
CAIRN_REDUCE(__reduce_xor_sync, unsigned, CAIRN_XOR)
#undef CAIRN_REDUCE
#endif
#undef CAIRN_MATCHES
