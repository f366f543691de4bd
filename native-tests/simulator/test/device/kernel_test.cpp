// Kernels of the kinds that a tensor runtime has give what a plain loop gives, in every order of threads.
#include <cmath>

#include "bench.h"

using test::Buffer;
using test::launch;
using test::load;

namespace {

std::vector<float> numbers(size_t count, unsigned seed) {
  std::vector<float> values;
  for (size_t i = 0; i < count; i++) {
    seed = seed * 1664525 + 1013904223;
    values.push_back(static_cast<float>(static_cast<int>(seed >> 8 & 0xffff) - 32768) / 4096);
  }
  return values;
}

}  // namespace

TEST_CASE(addsVectorsOfAwkwardLengths) {
  auto module = load(R"(
    extern "C" __global__ void add(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c,
                                   int n) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      if (i < n) c[i] = a[i] + b[i];
    })");
  if (!module) return;
  for (int n : {1, 31, 32, 33, 255, 257, 4099}) {
    const auto a = numbers(n, 1), b = numbers(n, 2);
    Buffer<float> da(a), db(b), dc(n);
    CHECK_RUNS(launch(*module, "add", {static_cast<unsigned>(n + 255) / 256, 256}, da.data(), db.data(), dc.data(), n));
    bool same = true;
    for (int i = 0; i < n; i++) same &= dc[i] == a[i] + b[i];
    CHECK(same);
  }
}

TEST_CASE(reducesWithShufflesSharedMemoryAndAtomics) {
  auto module = load(R"(
    __device__ __forceinline__ float warpSum(float v) {
      for (int o = 16; o > 0; o >>= 1) v += __shfl_down_sync(0xffffffffu, v, o);
      return v;
    }
    extern "C" __global__ void __launch_bounds__(256) sumAll(const float* __restrict__ x, float* out, long long n) {
      __shared__ float part[32];
      float s = 0;
      long long step = (long long)gridDim.x * blockDim.x;
      for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) s += x[i];
      s = warpSum(s);
      int lane = threadIdx.x & 31, w = threadIdx.x >> 5;
      if (lane == 0) part[w] = s;
      __syncthreads();
      if (w == 0) {
        s = lane < (blockDim.x + 31) / 32 ? part[lane] : 0.f;
        s = warpSum(s);
        if (lane == 0) atomicAdd(out, s);
      }
    })");
  if (!module) return;
  for (long long n : {1, 1000, 70001}) {
    const auto x = numbers(n, 3);
    double expected = 0;
    for (float v : x) expected += v;
    Buffer<float> dx(x), out(1);
    CHECK_RUNS(launch(*module, "sumAll", {7, 192}, dx.data(), out.data(), n));
    CHECK_SAYS(std::abs(out[0] - expected) < 1e-2, std::to_string(out[0]) + " " + std::to_string(expected));
  }
}

TEST_CASE(multipliesMatricesInTiles) {
  auto module = load(R"(
    #define T 16
    extern "C" __global__ void gemm(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C,
                                    int M, int N, int K) {
      __shared__ float a[T][T];
      __shared__ float b[T][T];
      int tx = threadIdx.x, ty = threadIdx.y, r = blockIdx.y * T + ty, c = blockIdx.x * T + tx;
      float acc = 0;
      for (int k0 = 0; k0 < K; k0 += T) {
        a[ty][tx] = r < M && k0 + tx < K ? A[(size_t)r * K + k0 + tx] : 0.f;
        b[ty][tx] = k0 + ty < K && c < N ? B[(size_t)(k0 + ty) * N + c] : 0.f;
        __syncthreads();
        #pragma unroll
        for (int k = 0; k < T; k++) acc += a[ty][k] * b[k][tx];
        __syncthreads();
      }
      if (r < M && c < N) C[(size_t)r * N + c] = acc;
    })");
  if (!module) return;
  const int m = 37, n = 50, k = 41;
  const auto a = numbers(m * k, 4), b = numbers(k * n, 5);
  Buffer<float> da(a), db(b), dc(m * n);
  CHECK_RUNS(test::launchShape(*module, "gemm", {4, 3, 1, 16, 16, 1, 0}, da.data(), db.data(), dc.data(), m, n, k));
  double worst = 0;
  for (int i = 0; i < m; i++) {
    for (int j = 0; j < n; j++) {
      double sum = 0;
      for (int l = 0; l < k; l++) sum += double{a[i * k + l]} * b[l * n + j];
      worst = std::max(worst, std::abs(sum - dc[i * n + j]));
    }
  }
  CHECK_SAYS(worst < 1e-2, std::to_string(worst));
}

TEST_CASE(dynamicSharedMemoryInsideAndOutsideOfFunctions) {
  auto module = load(R"(
    extern __shared__ __align__(16) unsigned char raw[];
    namespace inner { extern __shared__ double wide[]; }
    extern "C" __global__ void reverse(float* x, int n) {
      extern __shared__ float sm[];
      int t = threadIdx.x;
      sm[t] = x[blockIdx.x * n + t];
      __syncthreads();
      x[blockIdx.x * n + t] = sm[n - 1 - t];
    }
    extern "C" __global__ void outside(float* x, int n) {
      float* sm = reinterpret_cast<float*>(raw);
      sm[threadIdx.x] = x[threadIdx.x];
      __syncthreads();
      x[threadIdx.x] = sm[n - 1 - threadIdx.x] + (inner::wide == (double*)raw ? 0 : 1);
    }
    extern "C" __global__ void rows(float* x) {
      extern __shared__ float grid[][8];
      grid[threadIdx.y][threadIdx.x] = x[threadIdx.y * 8 + threadIdx.x];
      __syncthreads();
      x[threadIdx.y * 8 + threadIdx.x] = grid[threadIdx.x][threadIdx.y];
    })");
  if (!module) return;
  for (const char* kernel : {"reverse", "outside"}) {
    Buffer<float> x(numbers(1000, 6));
    const std::vector<float> before(x.data(), x.data() + 1000);
    CHECK_RUNS(launch(*module, kernel, {1, 1000, 4000}, x.data(), 1000));
    bool same = true;
    for (int i = 0; i < 1000; i++) same &= x[i] == before[999 - i];
    CHECK(same);
  }
  Buffer<float> x(numbers(64, 7));
  const std::vector<float> before(x.data(), x.data() + 64);
  CHECK_RUNS(test::launchShape(*module, "rows", {1, 1, 1, 8, 8, 1, 256}, x.data()));
  CHECK(x[1] == before[8] && x[62] == before[55]);
}

TEST_CASE(barriersThatVote) {
  auto module = load(R"(
    extern "C" __global__ void votes(int* out) {
      int odd = threadIdx.x & 1;
      int n = __syncthreads_count(odd), all = __syncthreads_and(odd), any = __syncthreads_or(odd);
      int none = __syncthreads_or(0), every = __syncthreads_and(7);
      out[threadIdx.x] = n * 10000 + all * 1000 + any * 100 + none * 10 + every;
    })");
  if (!module) return;
  Buffer<int> out(70);
  CHECK_RUNS(launch(*module, "votes", {1, 70}, out.data()));
  for (int i = 0; i < 70; i++) CHECK(out[i] == 350101);
}

TEST_CASE(shufflesVotesMatchesAndReductionsOfAWarp) {
  auto module = load(R"(
    extern "C" __global__ void warp(int* out, double* wide) {
      unsigned full = 0xffffffffu;
      int lane = threadIdx.x & 31, *o = out + threadIdx.x * 12;
      o[0] = __shfl_sync(full, lane * 3, 5);
      o[1] = __shfl_up_sync(full, lane, 2);
      o[2] = __shfl_down_sync(full, lane, 3, 8);
      o[3] = __shfl_xor_sync(full, lane, 9);
      o[4] = __shfl_sync(full, lane, lane + 1, 4);
      o[5] = __ballot_sync(full, lane % 3 == 0);
      o[6] = __any_sync(full, lane == 31) * 10 + __all_sync(full, lane < 31);
      o[7] = __match_any_sync(full, lane / 4);
      o[8] = __reduce_add_sync(full, lane);
      o[9] = __reduce_min_sync(full, lane - 7);
      o[10] = __popc(__activemask());
      int all;
      o[11] = __match_all_sync(full, 3, &all) == full && all;
      wide[threadIdx.x] = __shfl_xor_sync(full, 0.25 * lane, 1);
      if (lane < 16) o[8] += __shfl_down_sync(0xffffu, lane, 1); else __syncwarp(0xffff0000u);
      __syncwarp();
    })");
  if (!module) return;
  Buffer<int> out(64 * 12);
  Buffer<double> wide(64);
  CHECK_RUNS(launch(*module, "warp", {1, 64}, out.data(), wide.data()));
  unsigned thirds = 0;
  for (unsigned i = 0; i < 32; i += 3) thirds |= 1u << i;
  for (int t = 0; t < 64; t++) {
    const int lane = t % 32, *o = out.data() + t * 12;
    CHECK(o[0] == 15);
    CHECK(o[1] == (lane < 2 ? lane : lane - 2));
    CHECK(o[2] == (lane % 8 < 5 ? lane + 3 : lane));
    CHECK(o[3] == (lane ^ 9));
    CHECK(o[4] == (lane & ~3) + (lane + 1) % 4);
    CHECK(static_cast<unsigned>(o[5]) == thirds);
    CHECK(o[6] == 10);
    CHECK(static_cast<unsigned>(o[7]) == 15u << (lane / 4 * 4));
    CHECK(lane == 15 || o[8] == 496 + (lane < 15 ? lane + 1 : 0));
    CHECK(o[9] == -7);
    CHECK(o[10] == 1);
    CHECK(o[11] == 1);
    CHECK(wide[t] == 0.25 * (lane ^ 1));
  }
}

TEST_CASE(atomicsOfEveryType) {
  auto module = load(R"(
    extern "C" __global__ void atomics(int* i, unsigned* u, unsigned long long* l, float* f, double* d) {
      int t = blockIdx.x * blockDim.x + threadIdx.x;
      atomicAdd(&i[0], t); atomicMax(&i[1], t); atomicMin(&i[2], -t); atomicSub(&i[3], 1);
      atomicAnd(&i[4], ~(1 << (t % 20))); atomicOr(&i[5], 1 << (t % 20)); atomicXor(&i[6], t);
      atomicAdd(&u[0], (unsigned)t); atomicMax(&u[1], (unsigned)t); atomicInc(&u[2], 6u); atomicDec(&u[3], 4u);
      atomicAdd(&l[0], 1ull << 33); atomicMax(&l[1], (unsigned long long)t << 40);
      atomicAdd(f, 0.5f); atomicAdd(d, 0.25);
      unsigned seen = u[4], want;
      do { want = seen; seen = atomicCAS(&u[4], want, want + 2); } while (seen != want);
      atomicExch(&f[1], 7.0f); atomicExch(&i[7], 9);
    })");
  if (!module) return;
  Buffer<int> i(8);
  Buffer<unsigned> u(5);
  Buffer<unsigned long long> l(2);
  Buffer<float> f(2);
  Buffer<double> d(1);
  i[4] = -1;
  CHECK_RUNS(launch(*module, "atomics", {3, 100}, i.data(), u.data(), l.data(), f.data(), d.data()));
  int folded = 0;
  for (int t = 0; t < 300; t++) folded ^= t;
  CHECK(i[0] == 299 * 150 && i[1] == 299 && i[2] == -299 && i[3] == -300);
  CHECK(i[4] == ~0xfffff && i[5] == 0xfffff && i[6] == folded && i[7] == 9);
  CHECK(u[0] == 299 * 150 && u[1] == 299 && u[2] == 300 % 7 && u[3] == 0 && u[4] == 600);
  CHECK(l[0] == 300ull << 33 && l[1] == 299ull << 40);
  CHECK(f[0] == 150 && f[1] == 7 && d[0] == 75);
}

TEST_CASE(variablesOfAModuleAndTheirCopies) {
  const std::string source = R"(
    __constant__ float weights[3] = {1, 2, 3};
    __device__ int counter;
    namespace space { __device__ double deep = 2.5; }
    static __device__ int hidden = 4;
    extern "C" __global__ void use(float* x) {
      if (threadIdx.x == 0) { counter += hidden; x[3] = (float)space::deep; }
      if (threadIdx.x < 3) x[threadIdx.x] = weights[threadIdx.x];
    })";
  auto first = load(source), second = load(source);
  if (!first || !second) return;
  void* address = nullptr;
  size_t bytes = 0;
  CHECK(first->global("weights", &address, &bytes).code == 0 && bytes == 12);
  static_cast<float*>(address)[1] = 20;
  CHECK(first->global("_ZN5space4deepE", &address, &bytes).code == 0 && bytes == 8);
  CHECK(first->global("nothing", &address, &bytes).code == 500);
  CHECK(first->global("use", &address, &bytes).code == 500);
  Buffer<float> x(4);
  CHECK_RUNS(launch(*first, "use", {1, 32}, x.data()));
  CHECK(x[0] == 1 && x[1] == 20 && x[2] == 3 && x[3] == 2.5f);
  CHECK_RUNS(launch(*second, "use", {1, 32}, x.data()));
  CHECK(x[1] == 2);
  CHECK(second->global("counter", &address, &bytes).code == 0 && *static_cast<int*>(address) == 4);
}

TEST_CASE(vectorTypesAndLoads) {
  auto module = load(R"(
    struct __align__(8) Pair { float a; int b; };
    extern "C" __global__ void vectors(const float* x, float* y, int4 q, Pair p, dim3 d) {
      float4 v = reinterpret_cast<const float4*>(x)[threadIdx.x];
      float2 w = make_float2(v.x + v.y, v.z + v.w);
      uchar4 c = make_uchar4(1, 2, 3, 4);
      y[threadIdx.x] = w.x + w.y + q.w + p.a * p.b + c.z + d.y + sizeof(double2) + alignof(float4);
    })");
  if (!module) return;
  struct alignas(16) Int4 { int x, y, z, w; } q = {1, 2, 3, 4};
  struct alignas(8) Pair { float a; int b; } p = {1.5f, 2};
  struct Dim3 { unsigned x, y, z; } d = {1, 5, 1};
  const auto x = numbers(32, 8);
  Buffer<float> dx(x), y(8);
  CHECK_RUNS(launch(*module, "vectors", {1, 8}, dx.data(), y.data(), q, p, d));
  for (int i = 0; i < 8; i++) {
    const float sum = (x[4 * i] + x[4 * i + 1]) + (x[4 * i + 2] + x[4 * i + 3]);
    CHECK(std::abs(y[i] - (sum + 4 + 3 + 3 + 5 + 16 + 16)) < 1e-4);
  }
}

TEST_CASE(earlyReturnsDoNotHoldUpTheOthers) {
  auto module = load(R"(
    extern "C" __global__ void early(int* x, int n) {
      int t = threadIdx.x;
      if (t >= n) return;
      x[t] = 1;
      __syncthreads();
      if (t % 2) return;
      x[t] += __shfl_xor_sync(0xffffffffu, x[t], 2);
    })");
  if (!module) return;
  Buffer<int> x(128);
  CHECK_RUNS(launch(*module, "early", {1, 128}, x.data(), 96));
  for (int t = 0; t < 128; t++) CHECK(x[t] == (t >= 96 ? 0 : t % 2 ? 1 : 2));
}
