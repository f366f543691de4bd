// Included once for each sixteen-bit type, after CAIRN_H, CAIRN_H2, CAIRN_TO_FLOAT and CAIRN_FROM_FLOAT are defined.
// Every operation is done in float and rounded once, which for + - * / and sqrt is the exact answer's rounding.

#define CAIRN_H_OPERATOR(op, name) \
  CAIRN_INLINE CAIRN_H name(CAIRN_H a, CAIRN_H b) { \
    return CAIRN_FROM_FLOAT(CAIRN_TO_FLOAT(a) op CAIRN_TO_FLOAT(b)); \
  } \
  CAIRN_INLINE CAIRN_H name##_rn(CAIRN_H a, CAIRN_H b) { return name(a, b); } \
  CAIRN_INLINE CAIRN_H operator op(const CAIRN_H& a, const CAIRN_H& b) { return name(a, b); } \
  CAIRN_INLINE CAIRN_H& operator op##=(CAIRN_H& a, const CAIRN_H& b) { return a = name(a, b); }
CAIRN_H_OPERATOR(+, __hadd)
CAIRN_H_OPERATOR(-, __hsub)
CAIRN_H_OPERATOR(*, __hmul)
#undef CAIRN_H_OPERATOR
CAIRN_INLINE CAIRN_H __hdiv(CAIRN_H a, CAIRN_H b) { return CAIRN_FROM_FLOAT(CAIRN_TO_FLOAT(a) / CAIRN_TO_FLOAT(b)); }
CAIRN_INLINE CAIRN_H operator/(const CAIRN_H& a, const CAIRN_H& b) { return __hdiv(a, b); }
CAIRN_INLINE CAIRN_H& operator/=(CAIRN_H& a, const CAIRN_H& b) { return a = __hdiv(a, b); }
CAIRN_INLINE CAIRN_H __hneg(CAIRN_H a) { a.cairn_value ^= 0x8000; return a; }
CAIRN_INLINE CAIRN_H __habs(CAIRN_H a) { a.cairn_value &= 0x7fff; return a; }
CAIRN_INLINE CAIRN_H operator+(const CAIRN_H& a) { return a; }
CAIRN_INLINE CAIRN_H operator-(const CAIRN_H& a) { return __hneg(a); }
CAIRN_INLINE CAIRN_H& operator++(CAIRN_H& a) { return a = __hadd(a, CAIRN_FROM_FLOAT(1.0f)); }
CAIRN_INLINE CAIRN_H& operator--(CAIRN_H& a) { return a = __hsub(a, CAIRN_FROM_FLOAT(1.0f)); }
CAIRN_INLINE CAIRN_H __hfma(CAIRN_H a, CAIRN_H b, CAIRN_H c) {
  return CAIRN_FROM_DOUBLE(static_cast<double>(CAIRN_TO_FLOAT(a)) * CAIRN_TO_FLOAT(b) + CAIRN_TO_FLOAT(c));
}
CAIRN_INLINE CAIRN_H __hfma_relu(CAIRN_H a, CAIRN_H b, CAIRN_H c) {
  const CAIRN_H r = __hfma(a, b, c);
  return CAIRN_TO_FLOAT(r) < 0 ? CAIRN_FROM_FLOAT(0.0f) : r;
}
CAIRN_INLINE bool __hisnan(CAIRN_H a) { return CAIRN_TO_FLOAT(a) != CAIRN_TO_FLOAT(a); }
CAIRN_INLINE int __hisinf(CAIRN_H a) { return __builtin_isinf_sign(CAIRN_TO_FLOAT(a)); }
CAIRN_INLINE CAIRN_H __hmax(CAIRN_H a, CAIRN_H b) {
  return CAIRN_FROM_FLOAT(fmaxf(CAIRN_TO_FLOAT(a), CAIRN_TO_FLOAT(b)));
}
CAIRN_INLINE CAIRN_H __hmin(CAIRN_H a, CAIRN_H b) {
  return CAIRN_FROM_FLOAT(fminf(CAIRN_TO_FLOAT(a), CAIRN_TO_FLOAT(b)));
}
CAIRN_INLINE CAIRN_H __hmax_nan(CAIRN_H a, CAIRN_H b) { return __hisnan(a) ? a : __hisnan(b) ? b : __hmax(a, b); }
CAIRN_INLINE CAIRN_H __hmin_nan(CAIRN_H a, CAIRN_H b) { return __hisnan(a) ? a : __hisnan(b) ? b : __hmin(a, b); }

#define CAIRN_H_COMPARE(op, name) \
  CAIRN_INLINE bool name(CAIRN_H a, CAIRN_H b) { return CAIRN_TO_FLOAT(a) op CAIRN_TO_FLOAT(b); } \
  CAIRN_INLINE bool operator op(const CAIRN_H& a, const CAIRN_H& b) { return name(a, b); } \
  CAIRN_INLINE CAIRN_H2 name##2(CAIRN_H2 a, CAIRN_H2 b) { \
    return {CAIRN_FROM_FLOAT(name(a.x, b.x)), CAIRN_FROM_FLOAT(name(a.y, b.y))}; \
  }
CAIRN_H_COMPARE(==, __heq)
CAIRN_H_COMPARE(!=, __hne)
CAIRN_H_COMPARE(<, __hlt)
CAIRN_H_COMPARE(<=, __hle)
CAIRN_H_COMPARE(>, __hgt)
CAIRN_H_COMPARE(>=, __hge)
#undef CAIRN_H_COMPARE

#define CAIRN_H_FUNCTION(name, function) \
  CAIRN_INLINE CAIRN_H h##name(CAIRN_H a) { return CAIRN_FROM_FLOAT(function(CAIRN_TO_FLOAT(a))); } \
  CAIRN_INLINE CAIRN_H2 h2##name(CAIRN_H2 a) { return {h##name(a.x), h##name(a.y)}; }
CAIRN_H_FUNCTION(exp, expf) CAIRN_H_FUNCTION(exp2, exp2f) CAIRN_H_FUNCTION(exp10, exp10f)
CAIRN_H_FUNCTION(log, logf) CAIRN_H_FUNCTION(log2, log2f) CAIRN_H_FUNCTION(log10, log10f)
CAIRN_H_FUNCTION(sqrt, sqrtf) CAIRN_H_FUNCTION(rsqrt, rsqrtf) CAIRN_H_FUNCTION(rcp, 1.0f / )
CAIRN_H_FUNCTION(sin, sinf) CAIRN_H_FUNCTION(cos, cosf) CAIRN_H_FUNCTION(tanh, tanhf)
CAIRN_H_FUNCTION(floor, floorf) CAIRN_H_FUNCTION(ceil, ceilf) CAIRN_H_FUNCTION(trunc, truncf)
CAIRN_H_FUNCTION(rint, rintf)
#undef CAIRN_H_FUNCTION

#define CAIRN_H2_BINARY(name) \
  CAIRN_INLINE CAIRN_H2 name##2(CAIRN_H2 a, CAIRN_H2 b) { return {name(a.x, b.x), name(a.y, b.y)}; }
CAIRN_H2_BINARY(__hadd) CAIRN_H2_BINARY(__hsub) CAIRN_H2_BINARY(__hmul) CAIRN_H2_BINARY(__hmax) CAIRN_H2_BINARY(__hmin)
#undef CAIRN_H2_BINARY
CAIRN_INLINE CAIRN_H2 __h2div(CAIRN_H2 a, CAIRN_H2 b) { return {__hdiv(a.x, b.x), __hdiv(a.y, b.y)}; }
CAIRN_INLINE CAIRN_H2 __hneg2(CAIRN_H2 a) { return {__hneg(a.x), __hneg(a.y)}; }
CAIRN_INLINE CAIRN_H2 __habs2(CAIRN_H2 a) { return {__habs(a.x), __habs(a.y)}; }
CAIRN_INLINE CAIRN_H2 __hfma2(CAIRN_H2 a, CAIRN_H2 b, CAIRN_H2 c) {
  return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)};
}
CAIRN_INLINE CAIRN_H2 operator+(const CAIRN_H2& a, const CAIRN_H2& b) { return __hadd2(a, b); }
CAIRN_INLINE CAIRN_H2 operator-(const CAIRN_H2& a, const CAIRN_H2& b) { return __hsub2(a, b); }
CAIRN_INLINE CAIRN_H2 operator*(const CAIRN_H2& a, const CAIRN_H2& b) { return __hmul2(a, b); }
CAIRN_INLINE CAIRN_H2 operator/(const CAIRN_H2& a, const CAIRN_H2& b) { return __h2div(a, b); }
CAIRN_INLINE CAIRN_H2& operator+=(CAIRN_H2& a, const CAIRN_H2& b) { return a = __hadd2(a, b); }
CAIRN_INLINE CAIRN_H2& operator-=(CAIRN_H2& a, const CAIRN_H2& b) { return a = __hsub2(a, b); }
CAIRN_INLINE CAIRN_H2& operator*=(CAIRN_H2& a, const CAIRN_H2& b) { return a = __hmul2(a, b); }
CAIRN_INLINE CAIRN_H2& operator/=(CAIRN_H2& a, const CAIRN_H2& b) { return a = __h2div(a, b); }
CAIRN_INLINE CAIRN_H2 operator-(const CAIRN_H2& a) { return __hneg2(a); }

CAIRN_INLINE float __low2float(CAIRN_H2 a) { return CAIRN_TO_FLOAT(a.x); }
CAIRN_INLINE float __high2float(CAIRN_H2 a) { return CAIRN_TO_FLOAT(a.y); }
CAIRN_INLINE CAIRN_H2 __lowhigh2highlow(CAIRN_H2 a) { return {a.y, a.x}; }

CAIRN_SHUFFLES(CAIRN_H)
CAIRN_SHUFFLES(CAIRN_H2)

// Sums of sixteen bits are compared loosely by the race check: their order shows in the first digits already.
CAIRN_INLINE CAIRN_H atomicAdd(CAIRN_H* address, CAIRN_H value) {
  cairn_note_sum(address, sizeof value);
  return cairn_atomic<unsigned short>(address, [=](CAIRN_H old) { return __hadd(old, value); });
}
CAIRN_INLINE CAIRN_H2 atomicAdd(CAIRN_H2* address, CAIRN_H2 value) {
  cairn_note_sum(&address->x, sizeof value.x);
  cairn_note_sum(&address->y, sizeof value.y);
  return cairn_atomic<unsigned>(address, [=](CAIRN_H2 old) { return __hadd2(old, value); });
}

CAIRN_INLINE CAIRN_H __ldg(const CAIRN_H* address) { return *address; }
CAIRN_INLINE CAIRN_H2 __ldg(const CAIRN_H2* address) { return *address; }
