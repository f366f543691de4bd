// Warp matrix functions: every layout and type against plain loops.
#include "bench.h"

using test::Buffer;
using test::launch;

namespace {

const std::string kIncludes =
    "#include <mma.h>\n#include <cuda_fp16.h>\n#include <cuda_bf16.h>\nusing namespace nvcuda;\n";

std::string source(const char* type, const char* stored, const char* convert) {
  return kIncludes + "typedef " + type + " T;\ntypedef " + stored + R"( Stored;
    template <class LayoutA, bool rowA, class LayoutB, bool rowB>
    __device__ void product(const float* a, const float* b, float* c) {
      __shared__ __align__(32) Stored sa[16 * K], sb[K * 16];
      __shared__ __align__(32) float sc[256];
      for (int i = threadIdx.x; i < 16 * K; i += 32) {
        sa[i] = )" + convert + "(a[i]); sb[i] = " + convert + R"((b[i]);
      }
      __syncthreads();
      wmma::fragment<wmma::matrix_a, 16, 16, K, T, LayoutA> fa;
      wmma::fragment<wmma::matrix_b, 16, 16, K, T, LayoutB> fb;
      wmma::fragment<wmma::accumulator, 16, 16, K, float> fc;
      wmma::fill_fragment(fc, 1.0f);
      wmma::load_matrix_sync(fa, sa, rowA ? K : 16);
      wmma::load_matrix_sync(fb, sb, rowB ? 16 : K);
      wmma::mma_sync(fc, fa, fb, fc);
      for (int e = 0; e < fc.num_elements; e++) fc.x[e] *= 2;
      wmma::store_matrix_sync(sc, fc, 16, wmma::mem_row_major);
      __syncthreads();
      for (int i = threadIdx.x; i < 256; i += 32) c[i] = sc[i];
    }
    extern "C" __global__ void rr(const float* a, const float* b, float* c) {
      product<wmma::row_major, true, wmma::row_major, true>(a, b, c);
    }
    extern "C" __global__ void rc(const float* a, const float* b, float* c) {
      product<wmma::row_major, true, wmma::col_major, false>(a, b, c);
    }
    extern "C" __global__ void cr(const float* a, const float* b, float* c) {
      product<wmma::col_major, false, wmma::row_major, true>(a, b, c);
    })";
}

}  // namespace

TEST_CASE(warpsMultiplyMatricesInEveryLayout) {
  const struct { const char *type, *stored, *convert; int k; } kinds[] = {
      {"__half", "__half", "__float2half", 16}, {"__nv_bfloat16", "__nv_bfloat16", "__float2bfloat16", 16},
      {"wmma::precision::tf32", "float", "wmma::__float_to_tf32", 8}};
  for (const auto& kind : kinds) {
    const int k = kind.k;
    auto module = test::load(source(kind.type, kind.stored, kind.convert), {"-arch=sm_80", "-DK=" + std::to_string(k)});
    if (!module) return;
    std::vector<float> a, b;
    for (int i = 0; i < 16 * k; i++) {
      a.push_back(static_cast<float>(i * 7 % 11 - 5));
      b.push_back(static_cast<float>(i * 5 % 13 - 6));
    }
    Buffer<float> da(a), db(b), dc(256);
    for (const char* kernel : {"rr", "rc", "cr"}) {
      CHECK_RUNS(launch(*module, kernel, {1, 32}, da.data(), db.data(), dc.data()));
      bool same = true;
      for (int i = 0; i < 16; i++) {
        for (int j = 0; j < 16; j++) {
          float sum = 1;
          for (int l = 0; l < k; l++) {
            sum += a[kernel[0] == 'r' ? i * k + l : l * 16 + i] * b[kernel[1] == 'r' ? l * 16 + j : j * k + l];
          }
          same &= dc[i * 16 + j] == 2 * sum;
        }
      }
      CHECK_SAYS(same, std::string(kind.type) + " " + kernel);
    }
  }
}

TEST_CASE(warpMatricesThatTheDeviceHasNotAreRejected) {
  if (!test::isFirstOrder()) return;
  const auto code = [](const char* fragment, const char* arch) {
    return test::compile(kIncludes + "extern \"C\" __global__ void k(float* x) { wmma::fragment<wmma::matrix_a, " +
                             fragment + ", wmma::row_major> f; x[0] = f.x[0]; }",
                         {arch}).code;
  };
  CHECK(code("16, 16, 16, __half", "-arch=sm_75") == 0);
  CHECK(code("16, 16, 16, __nv_bfloat16", "-arch=sm_75") == 6);
  CHECK(code("16, 16, 16, __nv_bfloat16", "-arch=sm_80") == 0);
  CHECK(code("16, 16, 16, float", "-arch=sm_90") == 6);
  CHECK(code("8, 16, 16, __half", "-arch=sm_90") == 6);
}

TEST_CASE(misalignedWarpMatricesAreAFault) {
  auto module = test::load(R"(#include <mma.h>
    using namespace nvcuda;
    extern "C" __global__ void k(float* x, int shift) {
      wmma::fragment<wmma::accumulator, 16, 16, 16, float> f;
      wmma::fill_fragment(f, 1);
      wmma::store_matrix_sync(x + shift, f, 16, wmma::mem_col_major);
    })");
  if (!module) return;
  Buffer<float> x(264);
  float* aligned = reinterpret_cast<float*>((reinterpret_cast<uintptr_t>(x.data()) + 31) & ~uintptr_t{31});
  CHECK_RUNS(launch(*module, "k", {1, 32}, aligned, 0));
  CHECK(launch(*module, "k", {1, 32}, aligned, 1).code == 716);
}
