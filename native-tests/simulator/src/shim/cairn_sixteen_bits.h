// The numbers behind __half and __nv_bfloat16: conversions from and to float, rounded to nearest even.
#pragma once

// A conversion of __half or __nv_bfloat16 to a whole number: towards zero, and to the nearest end when out of range.
#define CAIRN_HALF_TO(T) \
  CAIRN_MEMBER operator T() const { return cairn_saturate<T>(static_cast<float>(*this)); }

// A double as a float whose last bit says whether something was cut off. So a second rounding, to fewer bits, is right.
CAIRN_INLINE float cairn_round_to_odd(double value) {
  const float nearest = static_cast<float>(value);
  if (nearest != nearest || __builtin_isinf(nearest) || static_cast<double>(nearest) == value) return nearest;
  unsigned bits = cairn_bits<unsigned>(nearest);
  const bool tooFar = __builtin_fabs(static_cast<double>(nearest)) > __builtin_fabs(value);
  if (tooFar) bits--;
  return cairn_bits<float>(bits | 1);
}

CAIRN_INLINE unsigned short cairn_half_bits(float value) {
  const unsigned bits = cairn_bits<unsigned>(value);
  const unsigned sign = bits >> 16 & 0x8000, magnitude = bits & 0x7fffffff;
  unsigned result;
  if (magnitude > 0x7f800000) return 0x7fff;
  if (magnitude >= 0x47800000) {
    result = 0x7c00;
  } else if (magnitude < 0x38800000) {
    // Adding a half puts the last bit of a subnormal half at the last bit of the float, which rounds it.
    result = cairn_bits<unsigned>(cairn_bits<float>(magnitude) + 0.5f) - 0x3f000000;
  } else {
    result = (magnitude - 0x38000000 + 0xfff + (magnitude >> 13 & 1)) >> 13;
  }
  return static_cast<unsigned short>(sign | result);
}

CAIRN_INLINE float cairn_half_value(unsigned short half) {
  const unsigned sign = static_cast<unsigned>(half & 0x8000) << 16, magnitude = half & 0x7fff;
  if (magnitude >= 0x7c00) return cairn_bits<float>(sign | 0x7f800000 | (magnitude & 0x3ff) << 13);
  if (magnitude >= 0x400) return cairn_bits<float>(sign | ((magnitude << 13) + 0x38000000));
  return cairn_bits<float>(sign | cairn_bits<unsigned>(static_cast<float>(magnitude) * 0x1p-24f));
}

CAIRN_INLINE unsigned short cairn_bfloat_bits(float value) {
  const unsigned bits = cairn_bits<unsigned>(value);
  if ((bits & 0x7fffffff) > 0x7f800000) return 0x7fff;
  return static_cast<unsigned short>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

CAIRN_INLINE float cairn_bfloat_value(unsigned short bfloat) {
  return cairn_bits<float>(static_cast<unsigned>(bfloat) << 16);
}

// The neighbour of a sixteen-bit number of either format: towards zero, or away from it.
CAIRN_INLINE unsigned short cairn_smaller(unsigned short bits) { return static_cast<unsigned short>(bits - 1); }
CAIRN_INLINE unsigned short cairn_greater(unsigned short bits) { return static_cast<unsigned short>(bits + 1); }

// Moves a rounded number where another rounding wants it: direction 0 to zero, -1 down, 1 up.
CAIRN_INLINE unsigned short cairn_directed(unsigned short nearest, float rounded, float exact, int direction) {
  if (rounded == exact || exact != exact) return nearest;
  const bool negative = __builtin_signbit(exact);
  const bool wantsSmaller = direction == 0 || (direction < 0) != negative;
  const bool isSmaller = __builtin_fabsf(rounded) < __builtin_fabsf(exact);
  if (wantsSmaller == isSmaller) return nearest;
  return wantsSmaller ? cairn_smaller(nearest) : cairn_greater(nearest);
}
