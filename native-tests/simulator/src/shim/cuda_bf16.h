// __nv_bfloat16 and __nv_bfloat162 as a kernel sees them.
#pragma once
#define __CUDA_BF16_TYPES_EXIST__
#include "cairn_sixteen_bits.h"

struct __attribute__((aligned(2))) __nv_bfloat16 {
  unsigned short cairn_value;

  __nv_bfloat16() = default;
  CAIRN_MEMBER __nv_bfloat16(float x) : cairn_value(cairn_bfloat_bits(x)) {}
  CAIRN_MEMBER __nv_bfloat16(double x) : cairn_value(cairn_bfloat_bits(cairn_round_to_odd(x))) {}
  CAIRN_MEMBER __nv_bfloat16(int x) : __nv_bfloat16(static_cast<double>(x)) {}
  CAIRN_MEMBER __nv_bfloat16(unsigned x) : __nv_bfloat16(static_cast<double>(x)) {}
  CAIRN_MEMBER __nv_bfloat16(short x) : __nv_bfloat16(static_cast<float>(x)) {}
  CAIRN_MEMBER __nv_bfloat16(unsigned short x) : __nv_bfloat16(static_cast<float>(x)) {}
  CAIRN_MEMBER __nv_bfloat16(long x) : __nv_bfloat16(static_cast<double>(x)) {}
  CAIRN_MEMBER __nv_bfloat16(unsigned long x) : __nv_bfloat16(static_cast<double>(x)) {}
  CAIRN_MEMBER __nv_bfloat16(long long x) : __nv_bfloat16(static_cast<double>(x)) {}
  CAIRN_MEMBER __nv_bfloat16(unsigned long long x) : __nv_bfloat16(static_cast<double>(x)) {}
  CAIRN_MEMBER operator float() const { return cairn_bfloat_value(cairn_value); }
  CAIRN_MEMBER operator bool() const { return (cairn_value & 0x7fff) != 0; }
  CAIRN_HALF_TO(signed char)
  CAIRN_HALF_TO(unsigned char)
  CAIRN_HALF_TO(char)
  CAIRN_HALF_TO(short)
  CAIRN_HALF_TO(unsigned short)
  CAIRN_HALF_TO(int)
  CAIRN_HALF_TO(unsigned)
  CAIRN_HALF_TO(long)
  CAIRN_HALF_TO(unsigned long)
  CAIRN_HALF_TO(long long)
  CAIRN_HALF_TO(unsigned long long)
};

struct __attribute__((aligned(4))) __nv_bfloat162 {
  __nv_bfloat16 x, y;
  __nv_bfloat162() = default;
  CAIRN_MEMBER __nv_bfloat162(const __nv_bfloat16& low, const __nv_bfloat16& high) : x(low), y(high) {}
};

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

CAIRN_INLINE float __bfloat162float(__nv_bfloat16 x) { return cairn_bfloat_value(x.cairn_value); }
CAIRN_INLINE unsigned short __bfloat16_as_ushort(__nv_bfloat16 x) { return x.cairn_value; }
CAIRN_INLINE short __bfloat16_as_short(__nv_bfloat16 x) { return static_cast<short>(x.cairn_value); }
CAIRN_INLINE __nv_bfloat16 __ushort_as_bfloat16(unsigned short bits) { return cairn_bits<__nv_bfloat16>(bits); }
CAIRN_INLINE __nv_bfloat16 __short_as_bfloat16(short bits) { return cairn_bits<__nv_bfloat16>(bits); }
CAIRN_INLINE __nv_bfloat16 __float2bfloat16(float x) { return __nv_bfloat16(x); }
CAIRN_INLINE __nv_bfloat16 __float2bfloat16_rn(float x) { return __nv_bfloat16(x); }
CAIRN_INLINE __nv_bfloat16 __double2bfloat16(double x) { return __nv_bfloat16(x); }
CAIRN_INLINE __nv_bfloat16 cairn_bfloat_directed(float x, int direction) {
  const unsigned short nearest = cairn_bfloat_bits(x);
  return __ushort_as_bfloat16(cairn_directed(nearest, cairn_bfloat_value(nearest), x, direction));
}
CAIRN_INLINE __nv_bfloat16 __float2bfloat16_rz(float x) { return cairn_bfloat_directed(x, 0); }
CAIRN_INLINE __nv_bfloat16 __float2bfloat16_rd(float x) { return cairn_bfloat_directed(x, -1); }
CAIRN_INLINE __nv_bfloat16 __float2bfloat16_ru(float x) { return cairn_bfloat_directed(x, 1); }

CAIRN_INLINE int __bfloat162int_rn(__nv_bfloat16 x) { return __float2int_rn(__bfloat162float(x)); }
CAIRN_INLINE int __bfloat162int_rz(__nv_bfloat16 x) { return __float2int_rz(__bfloat162float(x)); }
CAIRN_INLINE __nv_bfloat16 __int2bfloat16_rn(int x) { return __nv_bfloat16(x); }
CAIRN_INLINE __nv_bfloat16 __uint2bfloat16_rn(unsigned x) { return __nv_bfloat16(x); }
CAIRN_INLINE __nv_bfloat16 __ll2bfloat16_rn(long long x) { return __nv_bfloat16(x); }

CAIRN_INLINE __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 low, __nv_bfloat16 high) { return {low, high}; }
CAIRN_INLINE __nv_bfloat162 make_bfloat162(__nv_bfloat16 low, __nv_bfloat16 high) { return {low, high}; }
CAIRN_INLINE __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 x) { return {x, x}; }
CAIRN_INLINE __nv_bfloat162 __float2bfloat162_rn(float x) { return {__nv_bfloat16(x), __nv_bfloat16(x)}; }
CAIRN_INLINE __nv_bfloat162 __floats2bfloat162_rn(float low, float high) {
  return {__nv_bfloat16(low), __nv_bfloat16(high)};
}
CAIRN_INLINE __nv_bfloat162 __float22bfloat162_rn(float2 x) { return {__nv_bfloat16(x.x), __nv_bfloat16(x.y)}; }
CAIRN_INLINE float2 __bfloat1622float2(__nv_bfloat162 x) { return {__bfloat162float(x.x), __bfloat162float(x.y)}; }
CAIRN_INLINE __nv_bfloat16 __low2bfloat16(__nv_bfloat162 x) { return x.x; }
CAIRN_INLINE __nv_bfloat16 __high2bfloat16(__nv_bfloat162 x) { return x.y; }
CAIRN_INLINE __nv_bfloat162 __low2bfloat162(__nv_bfloat162 x) { return {x.x, x.x}; }
CAIRN_INLINE __nv_bfloat162 __high2bfloat162(__nv_bfloat162 x) { return {x.y, x.y}; }

#define CAIRN_H __nv_bfloat16
#define CAIRN_H2 __nv_bfloat162
#define CAIRN_TO_FLOAT(x) cairn_bfloat_value((x).cairn_value)
#define CAIRN_FROM_FLOAT(x) __nv_bfloat16(static_cast<float>(x))
#define CAIRN_FROM_DOUBLE(x) __nv_bfloat16(static_cast<double>(x))
#include "cairn_half_family.h"
#undef CAIRN_H
#undef CAIRN_H2
#undef CAIRN_TO_FLOAT
#undef CAIRN_FROM_FLOAT
#undef CAIRN_FROM_DOUBLE
