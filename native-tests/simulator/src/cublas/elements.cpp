#include "cublas/elements.h"

#include <cmath>

namespace sim {
namespace {

template <class To, class From>
To sameBits(From from) {
  static_assert(sizeof(To) == sizeof(From), "the same bits");
  To to;
  memcpy(&to, &from, sizeof to);
  return to;
}

}  // namespace

// The kernels' own conversions, so that both sides round alike.
#define CAIRN_INLINE static inline
template <class To, class From>
static To cairn_bits(From from) {
  return sameBits<To>(from);
}
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#include "shim/cairn_sixteen_bits.h"
#undef CAIRN_HALF_TO
#pragma GCC diagnostic pop

size_t elementBytes(ElementType type) {
  switch (type) {
    case ElementType::Float64: return 8;
    case ElementType::Float32:
    case ElementType::Int32: return 4;
    case ElementType::Float16:
    case ElementType::BFloat16: return 2;
    case ElementType::Int8: return 1;
  }
  return 0;
}

float halfToFloat(uint16_t bits) { return cairn_half_value(bits); }
float bfloatToFloat(uint16_t bits) { return cairn_bfloat_value(bits); }
uint16_t floatToHalf(float value) { return cairn_half_bits(value); }
uint16_t floatToBFloat(float value) { return cairn_bfloat_bits(value); }

float rounded(float value, Precision precision) {
  switch (precision) {
    case Precision::Full: return value;
    case Precision::Half: return halfToFloat(floatToHalf(value));
    case Precision::BFloat: return bfloatToFloat(floatToBFloat(value));
    case Precision::Tf32: break;
  }
  // TF32 keeps ten bits of the fraction; ties go away from zero.
  if (!std::isfinite(value)) return value;
  return sameBits<float>((sameBits<uint32_t>(value) + 0x1000u) & ~0x1fffu);
}

template <class T>
T loadElement(const void* address, ElementType type) {
  const auto get = [&](auto example) {
    memcpy(&example, address, sizeof example);
    return example;
  };
  switch (type) {
    case ElementType::Float32: return static_cast<T>(get(0.0f));
    case ElementType::Float64: return static_cast<T>(get(0.0));
    case ElementType::Float16: return static_cast<T>(halfToFloat(get(uint16_t{0})));
    case ElementType::BFloat16: return static_cast<T>(bfloatToFloat(get(uint16_t{0})));
    case ElementType::Int8: return static_cast<T>(get(int8_t{0}));
    case ElementType::Int32: return static_cast<T>(get(int32_t{0}));
  }
  return T();
}

template <class T>
void storeElement(void* address, ElementType type, T value) {
  const auto put = [&](auto stored) { memcpy(address, &stored, sizeof stored); };
  switch (type) {
    case ElementType::Float32: return put(static_cast<float>(value));
    case ElementType::Float64: return put(static_cast<double>(value));
    case ElementType::Float16: return put(floatToHalf(static_cast<float>(value)));
    case ElementType::BFloat16: return put(floatToBFloat(static_cast<float>(value)));
    case ElementType::Int8: return put(static_cast<int8_t>(value));
    case ElementType::Int32: return put(static_cast<int32_t>(value));
  }
}

template float loadElement<float>(const void*, ElementType);
template double loadElement<double>(const void*, ElementType);
template int32_t loadElement<int32_t>(const void*, ElementType);
template void storeElement<float>(void*, ElementType, float);
template void storeElement<double>(void*, ElementType, double);
template void storeElement<int32_t>(void*, ElementType, int32_t);

}  // namespace sim
