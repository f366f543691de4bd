// Minimum and maximum with CUDA's overloads, and the integer intrinsics.
#pragma once

#define CAIRN_LEAST(R, A, B) \
  CAIRN_INLINE R min(A a, B b) { \
    const R x = static_cast<R>(a), y = static_cast<R>(b); \
    return y < x ? y : x; \
  } \
  CAIRN_INLINE R max(A a, B b) { \
    const R x = static_cast<R>(a), y = static_cast<R>(b); \
    return x < y ? y : x; \
  }
#define CAIRN_LEAST_OF_SIGNS(S, U) CAIRN_LEAST(S, S, S) CAIRN_LEAST(U, U, U) CAIRN_LEAST(U, S, U) CAIRN_LEAST(U, U, S)
CAIRN_LEAST_OF_SIGNS(int, unsigned)
CAIRN_LEAST_OF_SIGNS(long, unsigned long)
CAIRN_LEAST_OF_SIGNS(long long, unsigned long long)
#undef CAIRN_LEAST
#undef CAIRN_LEAST_OF_SIGNS
CAIRN_INLINE float min(float a, float b) { return fminf(a, b); }
CAIRN_INLINE float max(float a, float b) { return fmaxf(a, b); }
CAIRN_INLINE double min(double a, double b) { return fmin(a, b); }
CAIRN_INLINE double max(double a, double b) { return fmax(a, b); }
CAIRN_INLINE double min(float a, double b) { return fmin(static_cast<double>(a), b); }
CAIRN_INLINE double max(float a, double b) { return fmax(static_cast<double>(a), b); }
CAIRN_INLINE double min(double a, float b) { return fmin(a, static_cast<double>(b)); }
CAIRN_INLINE double max(double a, float b) { return fmax(a, static_cast<double>(b)); }
CAIRN_INLINE unsigned umin(unsigned a, unsigned b) { return b < a ? b : a; }
CAIRN_INLINE unsigned umax(unsigned a, unsigned b) { return a < b ? b : a; }
CAIRN_INLINE long long llmin(long long a, long long b) { return b < a ? b : a; }
CAIRN_INLINE long long llmax(long long a, long long b) { return a < b ? b : a; }

CAIRN_INLINE int abs(int x) { return x < 0 ? -x : x; }
CAIRN_INLINE long abs(long x) { return x < 0 ? -x : x; }
CAIRN_INLINE long long abs(long long x) { return x < 0 ? -x : x; }
CAIRN_INLINE float abs(float x) { return __builtin_fabsf(x); }
CAIRN_INLINE double abs(double x) { return __builtin_fabs(x); }
CAIRN_INLINE long labs(long x) { return x < 0 ? -x : x; }
CAIRN_INLINE long long llabs(long long x) { return x < 0 ? -x : x; }

CAIRN_INLINE int __popc(unsigned x) { return __builtin_popcount(x); }
CAIRN_INLINE int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
CAIRN_INLINE int __clz(int x) { return x == 0 ? 32 : __builtin_clz(static_cast<unsigned>(x)); }
CAIRN_INLINE int __clzll(long long x) { return x == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(x)); }
CAIRN_INLINE int __ffs(int x) { return __builtin_ffs(x); }
CAIRN_INLINE int __ffsll(long long x) { return __builtin_ffsll(x); }
CAIRN_INLINE unsigned long long __brevll(unsigned long long x) {
  unsigned long long result = 0;
  for (int i = 0; i < 64; i++) result |= (x >> i & 1) << (63 - i);
  return result;
}
CAIRN_INLINE unsigned __brev(unsigned x) { return static_cast<unsigned>(__brevll(x) >> 32); }
CAIRN_INLINE int __mulhi(int x, int y) { return static_cast<int>(static_cast<long long>(x) * y >> 32); }
CAIRN_INLINE unsigned __umulhi(unsigned x, unsigned y) {
  return static_cast<unsigned>(static_cast<unsigned long long>(x) * y >> 32);
}
CAIRN_INLINE long long __mul64hi(long long x, long long y) {
  return static_cast<long long>(static_cast<__int128>(x) * y >> 64);
}
CAIRN_INLINE unsigned long long __umul64hi(unsigned long long x, unsigned long long y) {
  return static_cast<unsigned long long>(static_cast<unsigned __int128>(x) * y >> 64);
}
CAIRN_INLINE int __mul24(int x, int y) { return (x << 8 >> 8) * (y << 8 >> 8); }
CAIRN_INLINE unsigned __umul24(unsigned x, unsigned y) { return (x & 0xffffff) * (y & 0xffffff); }
CAIRN_INLINE unsigned __byte_perm(unsigned x, unsigned y, unsigned selector) {
  const unsigned long long bytes = static_cast<unsigned long long>(y) << 32 | x;
  unsigned result = 0;
  for (int i = 0; i < 4; i++) {
    const unsigned choice = selector >> (4 * i) & 15;
    const auto byte = static_cast<unsigned>(bytes >> (8 * (choice & 7)) & 0xff);
    result |= (choice & 8 ? (byte & 0x80 ? 0xffu : 0u) : byte) << (8 * i);
  }
  return result;
}
CAIRN_INLINE unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
  return static_cast<unsigned>((static_cast<unsigned long long>(high) << 32 | low) << (shift & 31) >> 32);
}
CAIRN_INLINE unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
  return static_cast<unsigned>((static_cast<unsigned long long>(high) << 32 | low) >> (shift & 31));
}
CAIRN_INLINE unsigned __sad(int x, int y, unsigned z) {
  return z + (x > y ? static_cast<unsigned>(x) - static_cast<unsigned>(y)
                    : static_cast<unsigned>(y) - static_cast<unsigned>(x));
}
CAIRN_INLINE int __dp4a(int x, int y, int sum) {
  for (int i = 0; i < 32; i += 8) sum += static_cast<signed char>(x >> i) * static_cast<signed char>(y >> i);
  return sum;
}
CAIRN_INLINE unsigned __dp4a(unsigned x, unsigned y, unsigned sum) {
  for (int i = 0; i < 32; i += 8) sum += (x >> i & 0xff) * (y >> i & 0xff);
  return sum;
}
