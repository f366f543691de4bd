// __half and __half2 as a kernel sees them.
#pragma once
#define __CUDA_FP16_TYPES_EXIST__
#include "cairn_sixteen_bits.h"

struct __attribute__((aligned(2))) __half {
  unsigned short cairn_value;

  __half() = default;
  CAIRN_MEMBER __half(float x) : cairn_value(cairn_half_bits(x)) {}
  CAIRN_MEMBER __half(double x) : cairn_value(cairn_half_bits(cairn_round_to_odd(x))) {}
  CAIRN_MEMBER __half(int x) : __half(static_cast<double>(x)) {}
  CAIRN_MEMBER __half(unsigned x) : __half(static_cast<double>(x)) {}
  CAIRN_MEMBER __half(short x) : __half(static_cast<float>(x)) {}
  CAIRN_MEMBER __half(unsigned short x) : __half(static_cast<float>(x)) {}
  CAIRN_MEMBER __half(long x) : __half(static_cast<double>(x)) {}
  CAIRN_MEMBER __half(unsigned long x) : __half(static_cast<double>(x)) {}
  CAIRN_MEMBER __half(long long x) : __half(static_cast<double>(x)) {}
  CAIRN_MEMBER __half(unsigned long long x) : __half(static_cast<double>(x)) {}
  CAIRN_MEMBER operator float() const { return cairn_half_value(cairn_value); }
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

struct __attribute__((aligned(4))) __half2 {
  __half x, y;
  __half2() = default;
  CAIRN_MEMBER __half2(const __half& low, const __half& high) : x(low), y(high) {}
};

typedef __half half;
typedef __half2 half2;

CAIRN_INLINE float __half2float(__half x) { return cairn_half_value(x.cairn_value); }
CAIRN_INLINE unsigned short __half_as_ushort(__half x) { return x.cairn_value; }
CAIRN_INLINE short __half_as_short(__half x) { return static_cast<short>(x.cairn_value); }
CAIRN_INLINE __half __ushort_as_half(unsigned short bits) { return cairn_bits<__half>(bits); }
CAIRN_INLINE __half __short_as_half(short bits) { return cairn_bits<__half>(bits); }
CAIRN_INLINE __half __float2half_rn(float x) { return __half(x); }
CAIRN_INLINE __half __float2half(float x) { return __half(x); }
CAIRN_INLINE __half __double2half(double x) { return __half(x); }
CAIRN_INLINE __half cairn_half_directed(float x, int direction) {
  const unsigned short nearest = cairn_half_bits(x);
  return __ushort_as_half(cairn_directed(nearest, cairn_half_value(nearest), x, direction));
}
CAIRN_INLINE __half __float2half_rz(float x) { return cairn_half_directed(x, 0); }
CAIRN_INLINE __half __float2half_rd(float x) { return cairn_half_directed(x, -1); }
CAIRN_INLINE __half __float2half_ru(float x) { return cairn_half_directed(x, 1); }

CAIRN_INLINE int __half2int_rn(__half x) { return __float2int_rn(__half2float(x)); }
CAIRN_INLINE int __half2int_rz(__half x) { return __float2int_rz(__half2float(x)); }
CAIRN_INLINE int __half2int_rd(__half x) { return __float2int_rd(__half2float(x)); }
CAIRN_INLINE int __half2int_ru(__half x) { return __float2int_ru(__half2float(x)); }
CAIRN_INLINE unsigned __half2uint_rn(__half x) { return __float2uint_rn(__half2float(x)); }
CAIRN_INLINE unsigned __half2uint_rz(__half x) { return __float2uint_rz(__half2float(x)); }
CAIRN_INLINE __half __int2half_rn(int x) { return __half(x); }
CAIRN_INLINE __half __uint2half_rn(unsigned x) { return __half(x); }
CAIRN_INLINE __half __short2half_rn(short x) { return __half(x); }
CAIRN_INLINE __half __ushort2half_rn(unsigned short x) { return __half(x); }
CAIRN_INLINE __half __ll2half_rn(long long x) { return __half(x); }

CAIRN_INLINE __half2 __halves2half2(__half low, __half high) { return {low, high}; }
CAIRN_INLINE __half2 make_half2(__half low, __half high) { return {low, high}; }
CAIRN_INLINE __half2 __half2half2(__half x) { return {x, x}; }
CAIRN_INLINE __half2 __float2half2_rn(float x) { return {__half(x), __half(x)}; }
CAIRN_INLINE __half2 __floats2half2_rn(float low, float high) { return {__half(low), __half(high)}; }
CAIRN_INLINE __half2 __float22half2_rn(float2 x) { return {__half(x.x), __half(x.y)}; }
CAIRN_INLINE float2 __half22float2(__half2 x) { return {__half2float(x.x), __half2float(x.y)}; }
CAIRN_INLINE __half __low2half(__half2 x) { return x.x; }
CAIRN_INLINE __half __high2half(__half2 x) { return x.y; }
CAIRN_INLINE __half2 __low2half2(__half2 x) { return {x.x, x.x}; }
CAIRN_INLINE __half2 __high2half2(__half2 x) { return {x.y, x.y}; }

#define CAIRN_H __half
#define CAIRN_H2 __half2
#define CAIRN_TO_FLOAT(x) cairn_half_value((x).cairn_value)
#define CAIRN_FROM_FLOAT(x) __half(static_cast<float>(x))
#define CAIRN_FROM_DOUBLE(x) __half(static_cast<double>(x))
#include "cairn_half_family.h"
#undef CAIRN_H
#undef CAIRN_H2
#undef CAIRN_TO_FLOAT
#undef CAIRN_FROM_FLOAT
#undef CAIRN_FROM_DOUBLE
