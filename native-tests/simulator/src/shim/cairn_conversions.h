// Conversions with a named rounding, and values as bits. Like the GPU's they saturate, and NaN gives 0.
#pragma once

template <class To, class From>
CAIRN_INLINE To cairn_saturate(From whole) {
  constexpr bool isSigned = static_cast<To>(-1) < static_cast<To>(0);
  constexpr int bits = static_cast<int>(sizeof(To)) * 8;
  constexpr To most = isSigned ? static_cast<To>((1ull << (bits - 1)) - 1) : static_cast<To>(~static_cast<To>(0));
  constexpr To least = isSigned ? static_cast<To>(1ull << (bits - 1)) : static_cast<To>(0);
  const From edge = __builtin_ldexp(1.0, isSigned ? bits - 1 : bits);
  if (whole != whole) return 0;
  if (whole >= edge) return most;
  if (whole < (isSigned ? -edge : static_cast<From>(0))) return least;
  return static_cast<To>(whole);
}

#define CAIRN_TO_INTEGER(prefix, From, name, To) \
  CAIRN_INLINE To __##prefix##2##name##_rn(From x) { return cairn_saturate<To>(rint(x)); } \
  CAIRN_INLINE To __##prefix##2##name##_rz(From x) { return cairn_saturate<To>(trunc(x)); } \
  CAIRN_INLINE To __##prefix##2##name##_rd(From x) { return cairn_saturate<To>(floor(x)); } \
  CAIRN_INLINE To __##prefix##2##name##_ru(From x) { return cairn_saturate<To>(ceil(x)); }
CAIRN_TO_INTEGER(float, float, int, int)
CAIRN_TO_INTEGER(float, float, uint, unsigned)
CAIRN_TO_INTEGER(float, float, ll, long long)
CAIRN_TO_INTEGER(float, float, ull, unsigned long long)
CAIRN_TO_INTEGER(double, double, int, int)
CAIRN_TO_INTEGER(double, double, uint, unsigned)
CAIRN_TO_INTEGER(double, double, ll, long long)
CAIRN_TO_INTEGER(double, double, ull, unsigned long long)
#undef CAIRN_TO_INTEGER

CAIRN_INLINE float __int2float_rn(int x) { return static_cast<float>(x); }
CAIRN_INLINE float __uint2float_rn(unsigned x) { return static_cast<float>(x); }
CAIRN_INLINE float __ll2float_rn(long long x) { return static_cast<float>(x); }
CAIRN_INLINE float __ull2float_rn(unsigned long long x) { return static_cast<float>(x); }
CAIRN_INLINE double __int2double_rn(int x) { return x; }
CAIRN_INLINE double __uint2double_rn(unsigned x) { return x; }
CAIRN_INLINE double __ll2double_rn(long long x) { return static_cast<double>(x); }
CAIRN_INLINE double __ull2double_rn(unsigned long long x) { return static_cast<double>(x); }
CAIRN_INLINE float __double2float_rn(double x) { return static_cast<float>(x); }

CAIRN_INLINE int __float_as_int(float x) { return cairn_bits<int>(x); }
CAIRN_INLINE unsigned __float_as_uint(float x) { return cairn_bits<unsigned>(x); }
CAIRN_INLINE float __int_as_float(int x) { return cairn_bits<float>(x); }
CAIRN_INLINE float __uint_as_float(unsigned x) { return cairn_bits<float>(x); }
CAIRN_INLINE long long __double_as_longlong(double x) { return cairn_bits<long long>(x); }
CAIRN_INLINE double __longlong_as_double(long long x) { return cairn_bits<double>(x); }
CAIRN_INLINE int __double2hiint(double x) { return static_cast<int>(__double_as_longlong(x) >> 32); }
CAIRN_INLINE int __double2loint(double x) { return static_cast<int>(__double_as_longlong(x)); }
CAIRN_INLINE double __hiloint2double(int high, int low) {
  return __longlong_as_double(static_cast<long long>(high) << 32 | static_cast<unsigned>(low));
}
