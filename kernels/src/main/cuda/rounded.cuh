// Products that are rounded by themselves: the compiler may not make one operation of them and a sum that follows.
#pragma once
#include "cairn.cuh"

__device__ __forceinline__ float times(float a, float b) { return __fmul_rn(a, b); }
__device__ __forceinline__ double times(double a, double b) { return __dmul_rn(a, b); }
__device__ __forceinline__ uint32 times(uint32 a, uint32 b) { return a * b; }
__device__ __forceinline__ int64 times(int64 a, int64 b) { return a * b; }
__device__ __forceinline__ uint64 times(uint64 a, uint64 b) { return a * b; }
