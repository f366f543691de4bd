// What goes wrong in a kernel comes back as a fault with a code and words; the next launch works.
#include <thread>

#include "bench.h"
#include "device/settings.h"
#include "device/watchdog.h"

using test::Buffer;
using test::contains;
using test::launch;
using test::load;

namespace {

void checkFault(const sim::Fault& fault, int code, const std::string& part) {
  CHECK_SAYS(fault.code == code && contains(fault.message, part), std::to_string(fault.code) + " " + fault.message);
}

}  // namespace

TEST_CASE(writingBehindAnAllocationIsAnIllegalAddress) {
  auto module = load(R"(
    extern "C" __global__ void fill(int* x, int n) { int i = blockIdx.x * 64 + threadIdx.x; if (i <= n) x[i] = i; })");
  if (!module) return;
  Buffer<int> x(64);
  checkFault(launch(*module, "fill", {2, 64}, x.data(), 64), 700, "illegal address: 0x");
  checkFault(launch(*module, "fill", {2, 64}, x.data(), 64), 700, "block=(1,0,0) thread=(0,0,0)");
  CHECK_RUNS(launch(*module, "fill", {2, 64}, x.data(), 63));
  checkFault(launch(*module, "fill", {1, 64}, static_cast<int*>(nullptr), 63), 700, "kernel=fill");
}

TEST_CASE(writingBehindDynamicSharedMemoryIsAnIllegalAddress) {
  auto module = load(R"(
    extern "C" __global__ void fill(int n) { extern __shared__ int s[]; if (threadIdx.x < n) s[threadIdx.x] = 1; })");
  if (!module) return;
  checkFault(launch(*module, "fill", {1, 64, 128}, 33), 700, "thread=(32,0,0)");
  CHECK_RUNS(launch(*module, "fill", {1, 64, 128}, 32));
}

TEST_CASE(sharedMemoryIsNotANumberBeforeItIsWritten) {
  auto module = load(R"(
    extern "C" __global__ void look(int* bad) {
      __shared__ float fixed[40];
      extern __shared__ float moving[];
      if (!isnan(fixed[threadIdx.x]) || !isnan(moving[threadIdx.x])) atomicAdd(bad, 1);
      __syncthreads();
      fixed[threadIdx.x] = moving[threadIdx.x] = 1;
    })");
  if (!module) return;
  Buffer<int> bad(1);
  CHECK_RUNS(launch(*module, "look", {9, 40, 160}, bad.data()));
  CHECK(bad[0] == 0);
}

TEST_CASE(deadlocksAreFoundAndNamed) {
  auto module = load(R"(
    extern "C" __global__ void hang(int* x) {
      if (threadIdx.x < 7) __syncthreads();
      else if (threadIdx.x < 9) x[0] = __shfl_down_sync(0xffffffffu, x[0], 1);
    }
    extern "C" __global__ void apart(int* x) {
      if (threadIdx.x < 32) { x[0] = 1; __syncthreads(); }
      else { x[1] = 2; __syncthreads(); }
    }
    extern "C" __global__ void stranger(int* x) { x[threadIdx.x] = __shfl_sync(0xfffffffeu, 1, 0); }
    extern "C" __global__ void mixed(int* x) {
      if (threadIdx.x % 2) x[0] = __ballot_sync(0xffffffffu, 1); else __syncwarp();
    })");
  if (!module) return;
  Buffer<int> x(64);
  checkFault(launch(*module, "hang", {3, 32}, x.data()), 719, "deadlock: 7 threads wait at __syncthreads (line 3)");
  checkFault(launch(*module, "apart", {1, 64}, x.data()), 719, "different barriers: lines");
  checkFault(launch(*module, "stranger", {1, 32}, x.data()), 719, "mask does not name it");
  checkFault(launch(*module, "mixed", {1, 32}, x.data()), 719, "meet for different operations");
}

TEST_CASE(badLaunchShapesAreRefused) {
  auto module = load(R"(
    extern "C" __global__ void __launch_bounds__(128) bound(int* x) { __shared__ int s[1000]; s[threadIdx.x] = 1;
      x[threadIdx.x] = s[threadIdx.x]; })");
  if (!module) return;
  sim::Kernel* kernel = module->find("bound");
  CHECK(kernel != nullptr);
  CHECK(kernel->maxThreads() == 128 && kernel->staticSharedBytes() == 4000);
  CHECK(kernel->check({1, 1, 1, 128, 1, 1, 0}).code == 0);
  checkFault(kernel->check({1, 1, 1, 129, 1, 1, 0}), 701, "__launch_bounds__: kernel=bound bound=128");
  for (const sim::LaunchShape& shape :
       {sim::LaunchShape{0, 1, 1, 1, 1, 1, 0}, sim::LaunchShape{1, 65536, 1, 1, 1, 1, 0},
        sim::LaunchShape{1, 1, 1, 0, 1, 1, 0}, sim::LaunchShape{1, 1, 1, 1, 1, 65, 0},
        sim::LaunchShape{1, 1, 1, 1025, 1, 1, 0}, sim::LaunchShape{1, 1, 1, 64, 32, 1, 0},
        sim::LaunchShape{0x80000000u, 1, 1, 1, 1, 1, 0}}) {
    checkFault(kernel->check(shape), 1, "bad launch shape: kernel=bound");
  }
  checkFault(kernel->check({1, 1, 1, 1, 1, 1, 232448 - 3999}), 1, "too much shared memory");
  CHECK(kernel->check({1, 1, 1, 1, 1, 1, 232448 - 4000}).code == 0);
}

TEST_CASE(trapsAssertionsAndImpossibleArithmetic) {
  auto module = load(R"(
    extern "C" __global__ void trap(int* x) { if (threadIdx.x == 5) __trap(); }
    extern "C" __global__ void claim(int* x, int n) { assert(n < 3); x[0] = n; }
    extern "C" __global__ void divide(int* x, int n) { x[threadIdx.x] = 7 / n; }
    __device__ int deep(volatile int* x, int n) {
      volatile int pad[1000];
      pad[n % 1000] = n;
      return n == 0 ? x[0] : deep(x, n - 1) + pad[n % 1000];
    }
    extern "C" __global__ void recurse(int* x, int n) { x[0] = deep(x, n); })");
  if (!module) return;
  Buffer<int> x(32);
  checkFault(launch(*module, "trap", {1, 32}, x.data()), 719, "__trap(), test.cu(2)");
  checkFault(launch(*module, "claim", {1, 32}, x.data(), 3), 710, "assertion failed: n < 3, test.cu(3)");
  CHECK_RUNS(launch(*module, "claim", {1, 1}, x.data(), 2));
  checkFault(launch(*module, "divide", {1, 32}, x.data(), 0), 719, "division by zero");
  CHECK_RUNS(launch(*module, "divide", {1, 32}, x.data(), 2));
  checkFault(launch(*module, "recurse", {1, 32}, x.data(), 100000), 719, "stack overflow");
  CHECK_RUNS(launch(*module, "recurse", {1, 1}, x.data(), 20));
}

TEST_CASE(indicesOutsideOfArraysAndMisalignedAddresses) {
  auto module = load(R"(
    extern "C" __global__ void shared(int* x, int n) {
      __shared__ int s[4][8];
      s[threadIdx.x / 8][threadIdx.x % 8] = threadIdx.x;
      __syncthreads();
      s[n][0] = 5;
      __syncthreads();
      x[threadIdx.x] = s[threadIdx.x / 8][threadIdx.x % 8];
    }
    struct Extents { int of[4]; };
    extern "C" __global__ void local(int* x, int n, Extents extents) { x[0] = extents.of[n]; }
    extern "C" __global__ void cast(char* x, int n) { *(int*)(x + n) = 5; }
    extern "C" __global__ void read(double* x, int n) { x[0] = *(double*)((char*)x + n); })");
  if (!module) return;
  struct Extents { int of[4]; } extents = {{1, 2, 3, 4}};
  Buffer<int> x(32);
  Buffer<double> d(4);
  CHECK_RUNS(launch(*module, "shared", {1, 32}, x.data(), 3));
  CHECK(x[24] == 5 && x[31] == 31);
  for (int n : {4, -1, 1 << 20, -(1 << 20)}) {
    checkFault(launch(*module, "shared", {1, 32}, x.data(), n), 719, "an index lies outside of its array, test.cu(6)");
    checkFault(launch(*module, "local", {1, 1}, x.data(), n, extents), 719, "outside of its array, test.cu(11)");
  }
  CHECK_RUNS(launch(*module, "local", {1, 1}, x.data(), 3, extents));
  CHECK_RUNS(launch(*module, "cast", {1, 1}, reinterpret_cast<char*>(x.data()), 4));
  checkFault(launch(*module, "cast", {1, 1}, reinterpret_cast<char*>(x.data()), 2), 716, "misaligned address");
  CHECK_RUNS(launch(*module, "read", {1, 1}, d.data(), 8));
  checkFault(launch(*module, "read", {1, 1}, d.data(), 4), 716, "misaligned address, test.cu(13)");
}

TEST_CASE(kernelsThatNeverEndAreEnded) {
  auto module = load(R"(
    extern "C" __global__ void spin(volatile int* x) { if (threadIdx.x == 1) for (x[1] = 1; x[0] == 0;) {} })");
  if (!module) return;
  Buffer<int> x(2);
  volatile int* const shared = x.data();
  sim::Fault fault;
  std::thread runner([&] { fault = launch(*module, "spin", {1, 32}, shared); });
  while (shared[1] == 0) std::this_thread::yield();
  sim::device::passSeconds(sim::device::deviceSettings().timeoutSeconds);
  runner.join();
  checkFault(fault, 702, "ran longer");
  x[0] = 1;
  CHECK_RUNS(launch(*module, "spin", {1, 32}, shared));
}

TEST_CASE(racesShowInTheCheckAndSumsDoNot) {
  auto module = load(R"(
    extern "C" __global__ void shift(float* x, int n) {
      extern __shared__ float s[];
      int t = threadIdx.x;
      s[t] = x[t];
      x[t] = s[n - 1 - t];
    }
    extern "C" __global__ void who(int* x) { x[0] = threadIdx.x; }
    __device__ int last;
    extern "C" __global__ void hidden() { last = blockIdx.x; }
    extern "C" __global__ void sum(float* out, double* wide, const float* x) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      atomicAdd(out + 1, x[i]);
      atomicAdd(wide, 0.1 * x[i]);
    })");
  if (!module) return;
  const bool checks = test::order() == "check";
  std::vector<float> values;
  for (int i = 0; i < 512; i++) values.push_back(1.0f / static_cast<float>(i + 1));
  Buffer<float> x(values), out(3);
  Buffer<double> wide(1);
  Buffer<int> one(4);
  CHECK_RUNS(launch(*module, "sum", {4, 128}, out.data(), wide.data(), x.data()));
  CHECK(out[1] > 6 && out[1] < 7 && out[0] == 0 && out[2] == 0);
  if (!checks) return;
  checkFault(launch(*module, "shift", {1, 256, 1024}, x.data(), 256), 719, "kernel=shift: race: ");
  checkFault(launch(*module, "who", {1, 64}, one.data()), 719, "kernel=who: race: ");
  checkFault(launch(*module, "hidden", {5, 1}), 719, "kernel=hidden: race: ");
}

TEST_CASE(imagesThatAreNoneOfOurs) {
  const auto codeOf = [](std::string image) {
    image.resize(image.size() + 128);
    sim::Fault fault;
    const auto module = sim::loadModule(image.data(), fault);
    CHECK((module == nullptr) == (fault.code != 0));
    return fault.code;
  };
  CHECK(codeOf("rubbish") == 200);
  CHECK(codeOf("") == 200);
  CHECK(codeOf("//\n// Generated by NVIDIA NVVM Compiler\n.version 8.5\n") == 218);
  CHECK(codeOf(".version 7.0\n.target sm_75\n") == 218);
  CHECK(codeOf("// cairn simulated module: /nowhere/at/all.so\n") == 218);
  CHECK(codeOf("// cairn simulated module: /etc/passwd\n") == 218);
  CHECK(codeOf(std::string("\x50\xed\x55\xba", 4)) == 209);
  std::string real("\x7f" "ELF\x02\x01\x01", 7);
  real.resize(64);
  real[16] = 2;
  real[18] = static_cast<char>(190);
  CHECK(codeOf(real) == 209);
  sim::Fault fault;
  CHECK(sim::loadModule(nullptr, fault) == nullptr && fault.code == 1);
}
