// float2, int4 and their kin: plain structures with the alignment that vector loads ask for.
#pragma once

#define CAIRN_VECTOR(type, name, align2, align4) \
  struct name##1 { type x; }; \
  struct __attribute__((aligned(align2))) name##2 { type x, y; }; \
  struct name##3 { type x, y, z; }; \
  struct __attribute__((aligned(align4))) name##4 { type x, y, z, w; }; \
  CAIRN_INLINE name##1 make_##name##1(type x) { return {x}; } \
  CAIRN_INLINE name##2 make_##name##2(type x, type y) { return {x, y}; } \
  CAIRN_INLINE name##3 make_##name##3(type x, type y, type z) { return {x, y, z}; } \
  CAIRN_INLINE name##4 make_##name##4(type x, type y, type z, type w) { return {x, y, z, w}; }

CAIRN_VECTOR(signed char, char, 2, 4)
CAIRN_VECTOR(unsigned char, uchar, 2, 4)
CAIRN_VECTOR(short, short, 4, 8)
CAIRN_VECTOR(unsigned short, ushort, 4, 8)
CAIRN_VECTOR(int, int, 8, 16)
CAIRN_VECTOR(unsigned, uint, 8, 16)
CAIRN_VECTOR(long, long, 16, 16)
CAIRN_VECTOR(unsigned long, ulong, 16, 16)
CAIRN_VECTOR(long long, longlong, 16, 16)
CAIRN_VECTOR(unsigned long long, ulonglong, 16, 16)
CAIRN_VECTOR(float, float, 8, 16)
CAIRN_VECTOR(double, double, 16, 16)
#undef CAIRN_VECTOR

struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
  constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  constexpr operator uint3() const { return {x, y, z}; }
};
