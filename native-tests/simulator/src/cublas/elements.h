// The types of matrix elements, and what of a value survives in each.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace sim {

// cudaDataType.
enum class ElementType : int { Float32 = 0, Float64 = 1, Float16 = 2, Int8 = 3, Int32 = 10, BFloat16 = 14 };

// cublasComputeType_t.
enum class ComputeType : int {
  F16 = 64, F16Pedantic = 65, F32 = 68, F32Pedantic = 69, F64 = 70, F64Pedantic = 71, I32 = 72, I32Pedantic = 73,
  F32Fast16 = 74, F32FastB16 = 75, F32FastTf32 = 77
};

// How much of a float the multiplication sees.
enum class Precision { Full, Tf32, Half, BFloat };

size_t elementBytes(ElementType type);

float halfToFloat(uint16_t bits);
float bfloatToFloat(uint16_t bits);
uint16_t floatToHalf(float value);
uint16_t floatToBFloat(float value);
float rounded(float value, Precision precision);

// One element of any type as T (float, double or int32_t), and back.
template <class T>
T loadElement(const void* address, ElementType type);
template <class T>
void storeElement(void* address, ElementType type, T value);

}  // namespace sim
