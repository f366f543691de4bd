// Mathematical functions: libm's, with CUDA's overloads and its fast variants (here as exact as the others).
#pragma once

#define CAIRN_MATH1(name) \
  extern "C" double name(double) noexcept; \
  extern "C" float name##f(float) noexcept; \
  CAIRN_INLINE float name(float x) { return name##f(x); }
#define CAIRN_MATH2(name) \
  extern "C" double name(double, double) noexcept; \
  extern "C" float name##f(float, float) noexcept; \
  CAIRN_INLINE float name(float x, float y) { return name##f(x, y); }

CAIRN_MATH1(exp) CAIRN_MATH1(exp2) CAIRN_MATH1(exp10) CAIRN_MATH1(expm1)
CAIRN_MATH1(log) CAIRN_MATH1(log2) CAIRN_MATH1(log10) CAIRN_MATH1(log1p) CAIRN_MATH1(logb)
CAIRN_MATH1(sqrt) CAIRN_MATH1(cbrt) CAIRN_MATH1(erf) CAIRN_MATH1(erfc) CAIRN_MATH1(lgamma) CAIRN_MATH1(tgamma)
CAIRN_MATH1(sin) CAIRN_MATH1(cos) CAIRN_MATH1(tan) CAIRN_MATH1(asin) CAIRN_MATH1(acos) CAIRN_MATH1(atan)
CAIRN_MATH1(sinh) CAIRN_MATH1(cosh) CAIRN_MATH1(tanh) CAIRN_MATH1(asinh) CAIRN_MATH1(acosh) CAIRN_MATH1(atanh)
CAIRN_MATH1(floor) CAIRN_MATH1(ceil) CAIRN_MATH1(round) CAIRN_MATH1(trunc) CAIRN_MATH1(rint) CAIRN_MATH1(nearbyint)
CAIRN_MATH1(fabs) CAIRN_MATH1(j0) CAIRN_MATH1(j1)
CAIRN_MATH2(pow) CAIRN_MATH2(fmod) CAIRN_MATH2(remainder) CAIRN_MATH2(atan2) CAIRN_MATH2(hypot)
CAIRN_MATH2(fmin) CAIRN_MATH2(fmax) CAIRN_MATH2(fdim) CAIRN_MATH2(copysign) CAIRN_MATH2(nextafter)
#undef CAIRN_MATH1
#undef CAIRN_MATH2

extern "C" double fma(double, double, double) noexcept;
extern "C" float fmaf(float, float, float) noexcept;
extern "C" double ldexp(double, int) noexcept;
extern "C" float ldexpf(float, int) noexcept;
extern "C" double scalbn(double, int) noexcept;
extern "C" float scalbnf(float, int) noexcept;
extern "C" double frexp(double, int*) noexcept;
extern "C" float frexpf(float, int*) noexcept;
extern "C" double modf(double, double*) noexcept;
extern "C" float modff(float, float*) noexcept;
extern "C" int ilogb(double) noexcept;
extern "C" int ilogbf(float) noexcept;
extern "C" long lround(double) noexcept;
extern "C" long lroundf(float) noexcept;
extern "C" long lrint(double) noexcept;
extern "C" long lrintf(float) noexcept;
extern "C" long long llround(double) noexcept;
extern "C" long long llroundf(float) noexcept;
extern "C" long long llrint(double) noexcept;
extern "C" long long llrintf(float) noexcept;
extern "C" void sincos(double, double*, double*) noexcept;
extern "C" void sincosf(float, float*, float*) noexcept;
extern "C" double nan(const char*) noexcept;
extern "C" float nanf(const char*) noexcept;
CAIRN_INLINE float fma(float x, float y, float z) { return fmaf(x, y, z); }
CAIRN_INLINE float ldexp(float x, int n) { return ldexpf(x, n); }
CAIRN_INLINE float scalbn(float x, int n) { return scalbnf(x, n); }
CAIRN_INLINE float frexp(float x, int* n) { return frexpf(x, n); }
CAIRN_INLINE float modf(float x, float* whole) { return modff(x, whole); }
CAIRN_INLINE void sincos(float x, float* s, float* c) { sincosf(x, s, c); }

CAIRN_INLINE double rsqrt(double x) { return 1.0 / sqrt(x); }
CAIRN_INLINE float rsqrtf(float x) { return static_cast<float>(1.0 / sqrt(static_cast<double>(x))); }
CAIRN_INLINE float rsqrt(float x) { return rsqrtf(x); }
CAIRN_INLINE double rcbrt(double x) { return 1.0 / cbrt(x); }
CAIRN_INLINE float rcbrtf(float x) { return 1.0f / cbrtf(x); }
CAIRN_INLINE double normcdf(double x) { return 0.5 * erfc(-x * 0.70710678118654752440); }
CAIRN_INLINE float normcdff(float x) { return static_cast<float>(normcdf(static_cast<double>(x))); }
CAIRN_INLINE double sinpi(double x) { return sin(3.14159265358979323846 * fmod(x, 2.0)); }
CAIRN_INLINE double cospi(double x) { return cos(3.14159265358979323846 * fmod(x, 2.0)); }
CAIRN_INLINE float sinpif(float x) { return static_cast<float>(sinpi(static_cast<double>(x))); }
CAIRN_INLINE float cospif(float x) { return static_cast<float>(cospi(static_cast<double>(x))); }
CAIRN_INLINE float fdividef(float x, float y) { return x / y; }

CAIRN_INLINE bool isnan(float x) { return __builtin_isnan(x); }
CAIRN_INLINE bool isnan(double x) { return __builtin_isnan(x); }
CAIRN_INLINE bool isinf(float x) { return __builtin_isinf(x) != 0; }
CAIRN_INLINE bool isinf(double x) { return __builtin_isinf(x) != 0; }
CAIRN_INLINE bool isfinite(float x) { return __builtin_isfinite(x); }
CAIRN_INLINE bool isfinite(double x) { return __builtin_isfinite(x); }
CAIRN_INLINE bool signbit(float x) { return __builtin_signbit(x); }
CAIRN_INLINE bool signbit(double x) { return __builtin_signbit(x); }

CAIRN_INLINE float __expf(float x) { return expf(x); }
CAIRN_INLINE float __exp10f(float x) { return exp10f(x); }
CAIRN_INLINE float __logf(float x) { return logf(x); }
CAIRN_INLINE float __log2f(float x) { return log2f(x); }
CAIRN_INLINE float __log10f(float x) { return log10f(x); }
CAIRN_INLINE float __powf(float x, float y) { return powf(x, y); }
CAIRN_INLINE float __sinf(float x) { return sinf(x); }
CAIRN_INLINE float __cosf(float x) { return cosf(x); }
CAIRN_INLINE float __tanf(float x) { return tanf(x); }
CAIRN_INLINE float __tanhf(float x) { return tanhf(x); }
CAIRN_INLINE void __sincosf(float x, float* s, float* c) { sincosf(x, s, c); }
CAIRN_INLINE float __fdividef(float x, float y) { return x / y; }
CAIRN_INLINE float __saturatef(float x) { return x > 0 ? (x < 1 ? x : 1) : 0; }
CAIRN_INLINE float __frsqrt_rn(float x) { return rsqrtf(x); }

// Rounded on their own, never fused with a neighbour: the empty statement keeps the compiler from seeing through.
template <class T>
CAIRN_INLINE T cairn_alone(T x) {
  asm("" : "+x"(x));
  return x;
}
CAIRN_INLINE float __fadd_rn(float x, float y) { return cairn_alone(x + y); }
CAIRN_INLINE float __fsub_rn(float x, float y) { return cairn_alone(x - y); }
CAIRN_INLINE float __fmul_rn(float x, float y) { return cairn_alone(x * y); }
CAIRN_INLINE float __fdiv_rn(float x, float y) { return cairn_alone(x / y); }
CAIRN_INLINE float __frcp_rn(float x) { return cairn_alone(1.0f / x); }
CAIRN_INLINE float __fsqrt_rn(float x) { return cairn_alone(sqrtf(x)); }
CAIRN_INLINE float __fmaf_rn(float x, float y, float z) { return fmaf(x, y, z); }
CAIRN_INLINE double __dadd_rn(double x, double y) { return cairn_alone(x + y); }
CAIRN_INLINE double __dsub_rn(double x, double y) { return cairn_alone(x - y); }
CAIRN_INLINE double __dmul_rn(double x, double y) { return cairn_alone(x * y); }
CAIRN_INLINE double __ddiv_rn(double x, double y) { return cairn_alone(x / y); }
CAIRN_INLINE double __drcp_rn(double x) { return cairn_alone(1.0 / x); }
CAIRN_INLINE double __dsqrt_rn(double x) { return cairn_alone(sqrt(x)); }
CAIRN_INLINE double __fma_rn(double x, double y, double z) { return fma(x, y, z); }
