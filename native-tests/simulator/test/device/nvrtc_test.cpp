// The simulated NVRTC takes what CUDA C++ is, refuses what it is not, and answers as NVRTC does.
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "bench.h"

using test::Buffer;
using test::compile;
using test::contains;
using test::launch;

namespace {

void checkRejected(const std::string& source, const std::string& part) {
  const auto result = compile(source);
  CHECK_SAYS(result.code == 6 && contains(result.log, part), source + ": " + std::to_string(result.code) + " " +
                                                                 result.log);
}

std::string kernel(const std::string& body) { return "extern \"C\" __global__ void k(float* x, int n) {" + body + "}"; }

}  // namespace

TEST_CASE(whatNvccRejectsIsRejected) {
  if (!test::isFirstOrder()) return;
  checkRejected(kernel("q[0] = 1;"), "test.cu(1): error: ");
  checkRejected(kernel("x[0] = std::max(1, n);"), "std");
  checkRejected(kernel("uint32_t u = 1;"), "uint32_t");
  checkRejected(kernel("__shared__ float s = 0; x[0] = s;"), "initializer not allowed for __shared__");
  checkRejected(kernel("__shared__ float s[20000]; s[n] = 1; __syncthreads(); x[0] = s[3];"), "too much shared data");
  checkRejected(kernel("float a[n]; x[1] = a[0];"), "error");
  checkRejected("extern \"C\" __global__ int k(int* x) { return 1; }", "must have a void return type");
  checkRejected("float sq(float x) { return x * x; }\n" + kernel("x[0] = sq(x[0]);"), "calling a __host__ function");
  checkRejected("constexpr int sq(int v) { return v * v; }\n" + kernel("x[0] = sq(n);"), "calling a __host__ function");
  checkRejected("struct A { float v; float get() { return v; } };\n" + kernel("A a; a.v = n; x[0] = a.get();"),
                "calling a __host__ function");
  checkRejected("extern \"C\" __device__ void exit(int);\n" + kernel("exit(3);"), "exit");
  checkRejected("extern \"C\" __device__ int getpid();\n" + kernel("x[0] = getpid();"), "getpid");
  checkRejected(kernel("if (n == 3) __builtin_exit(n);"), "exit");
  checkRejected(kernel("if (n == 3) __builtin_abort();"), "abort");
  checkRejected("__device__ float far(float);\n" + kernel("x[0] = far(1);"), "far");
  checkRejected(kernel("float4 a, b; a = a + b;"), "operator+");
  checkRejected(kernel("long long l = 0; atomicAdd(&l, 1LL);"), "atomicAdd");
  checkRejected(kernel("atomicMax(x, 1.f);"), "atomicMax");
  checkRejected(kernel("threadIdx.x = 3;"), "read-only");
  checkRejected(kernel("throw 1;"), "exception");
  checkRejected(kernel("__half h = 1;"), "__half");
  checkRejected("#include <cuda_fp16.h>\n" + kernel("half h = max(half(1.f), half(2.f)); x[0] = h;"), "ambiguous");
  checkRejected("float g = 3;\n" + kernel("x[0] = g;"), "undefined in device code");
  checkRejected("const float g[2] = {3, 4};\n" + kernel("x[0] = g[n];"), "undefined in device code");
  checkRejected("__device__ int f(); __device__ int g = f(); __device__ int f() { return clock(); }\n" +
                    kernel("x[0] = g;"), "constant");
  checkRejected("__constant__ float c[40000];\n" + kernel("x[0] = c[n];"), "too much global constant data");
  checkRejected("struct S { __global__ void k(float* x) { x[0] = 1; } };", "member function");
  checkRejected(kernel("auto f = [] __device__ (float v) { return v; }; x[0] = f(1);"), "--extended-lambda");
  checkRejected("#include <cuda_fp16.h>\n" + kernel("__nv_bfloat16 h = 1.f;"), "__nv_bfloat16");
  checkRejected(kernel("_Float16 h = 1; x[0] = h;"), "_Float16");
  checkRejected("__device__ _Float16 h;\n" + kernel("x[0] = h;"), "_Float16");
  checkRejected("extern \"C\" __global__ void j(float* x) { x[0] = 1; }\n" + kernel("j(x);"), "must be configured");
  checkRejected(kernel("if (n > 1) k(x, n - 1);"), "must be configured");
}

TEST_CASE(whatOnlyNvrtcOrTheSimulatorRejects) {
  if (!test::isFirstOrder()) return;
  const std::string mark = "// differs from nvcc\n";
  checkRejected(mark + "__attribute__((constructor)) void f() {}\n" + kernel(""), "when a module is loaded");
  checkRejected(mark + "__attribute__((noinline, destructor)) __device__ void f() {}\n" + kernel(""), "unloaded");
  checkRejected(mark + "[[gnu::constructor]] void f() {}\n" + kernel(""), "when a module is loaded");
  checkRejected(mark + "#include <math.h>\n" + kernel(""), "test.cu(2): fatal error");
  checkRejected(mark + "#include <cstdint>\n" + kernel(""), "cstdint");
  checkRejected(mark + kernel("asm volatile(\"bar.sync 0;\");"), "inline PTX can't be simulated");
  checkRejected(mark + "extern \"C\" __global__ void k(float& x) { x = 1; }", "no reference");
  checkRejected(mark + kernel("extern __shared__ float s[3]; x[0] = s[0];"), "array without a size");
}

TEST_CASE(hostFunctionsMayStandThereWhenNobodyCallsThem) {
  const auto result = compile(R"(
    float one(float x) { return x; }
    float two(float x) { return one(x); }
    struct Both { float v; __host__ __device__ Both(float v) : v(v) {} __device__ float get() const { return v; }
                  float host() const { return two(v); } };
    __host__ __device__ constexpr int edge(int n) { return n * n; }
    template <class T> __device__ T twice(T x) { return x + x; }
    namespace other { __device__ float k(float x) { return x; } }
    __device__ float atOther(float x) { return other::k(x); }
    const float third = 3; constexpr int fourth = 4; float unused; typedef float (*Function)(float);
    namespace a { namespace b { __device__ __noinline__ float deep(float x) { return twice(x); } } }
    __device__ float later(float x);
    extern "C" {
    __global__ void k(float* x) { int a[edge(3)]; a[0] = 1; Both both(x[0]);
      x[0] = a::b::deep(both.get()) + later(a[0]) + third + fourth;
      __shared__ struct { float a; int b; } both2; both2.a = 1; __syncthreads(); x[2] = both2.a;
      auto add = [&] (float y) { return x[0] + y; }; x[1] = add(1); }
    }
    __device__ float later(float x) { return x + 1; })");
  CHECK_SAYS(result.code == 0, result.log);
  const auto unmarked = compile("float sq(float x) { return x * x; }\n" + kernel("x[0] = sq(x[0]);"),
                                {"-arch=sm_80", "-default-device"});
  CHECK_SAYS(unmarked.code == 0, unmarked.log);
}

TEST_CASE(optionsAreReadAndWrongOnesRefused) {
  const std::string source = kernel(R"(
    #ifdef FAST
    x[0] = __CUDA_ARCH__ + FAST;
    #endif
  )");
  for (const auto& wrong : std::vector<std::vector<std::string>>{
           {"--nonsense"}, {"-arch=sm_12"}, {"--gpu-architecture=fast"}, {"-O9"}, {"-std=c++98"}, {"-arch"}}) {
    const auto result = compile(source, wrong);
    CHECK_SAYS(result.code == 5 && contains(result.log, "nvrtc: error: "), wrong[0] + " " + result.log);
    CHECK(result.ptx.empty());
  }
  const auto result = compile(source, {"-DFAST=3", "--use_fast_math", "-arch=compute_86", "-I", "/tmp", "--std=c++14",
                                       "-lineinfo", "--maxrregcount=64", "-DOTHER", "--fmad=false", "-w"});
  CHECK_SAYS(result.code == 0, result.log);
  CHECK(result.cubin.empty() && contains(result.ptx, "// cairn simulated module: "));
  sim::Fault fault;
  auto module = sim::loadModule(result.ptx.c_str(), fault);
  CHECK_SAYS(module != nullptr, fault.message);
  if (!module) return;
  Buffer<float> x(1);
  CHECK_RUNS(launch(*module, "k", {1, 1}, x.data(), 1));
  CHECK(x[0] == 863);
}

TEST_CASE(kernelsAreFoundByTheirTrueNamesOnly) {
  const auto result = compile(R"(
    template <class T, int N> __global__ void scale(T* x) { x[threadIdx.x] *= N; }
    __global__ void plain(float* x) { x[0] = 7; }
    namespace deep { __global__ void __launch_bounds__(32) k(float* x) { x[0] = 8; } }
    template __global__ void scale<double, 2>(double*);
    __device__ int counter;)", {"-arch=sm_75"}, {"scale<float, 3>", "&plain", "deep::k", "counter"});
  CHECK_SAYS(result.code == 0, result.log);
  if (result.code != 0) return;
  CHECK(result.lowered[0] == "_Z5scaleIfLi3EEvPT_");
  CHECK(result.lowered[1] == "_Z5plainPf");
  CHECK(result.lowered[2] == "_ZN4deep1kEPf");
  CHECK(result.lowered[3] == "counter");
  sim::Fault fault;
  auto module = sim::loadModule(result.cubin.data(), fault);
  CHECK_SAYS(module != nullptr, fault.message);
  if (!module) return;
  CHECK(module->find("plain") == nullptr && module->find("scale") == nullptr && module->find("counter") == nullptr);
  CHECK(module->find("_Z5scaleIdLi2EEvPT_") != nullptr);
  Buffer<float> x(4, 5.0f);
  CHECK_RUNS(launch(*module, result.lowered[0].c_str(), {1, 4}, x.data()));
  CHECK(x[3] == 15);
  CHECK_RUNS(launch(*module, "_Z5plainPf", {1, 1}, x.data()));
  CHECK_RUNS(launch(*module, "_ZN4deep1kEPf", {1, 1}, x.data()));
  CHECK(x[0] == 8);
}

TEST_CASE(headersGivenWithTheProgramAreFound) {
  const std::string source = "#include \"parts/one.cuh\"\n#include <two.h>\n" + kernel("x[0] = one(n) + TWO;");
  const auto result = compile(source, {"-arch=sm_80"}, {},
                              {{"parts/one.cuh", "#pragma once\n__device__ int one(int n) { return n + 1; }"},
                               {"two.h", "#define TWO 2"}});
  CHECK_SAYS(result.code == 0, result.log);
  const auto wrong = compile(source, {"-arch=sm_80"}, {}, {{"parts/one.cuh", "oops"}, {"two.h", ""}});
  CHECK_SAYS(wrong.code == 6 && contains(wrong.log, "parts/one.cuh(1): error"), wrong.log);
}

TEST_CASE(filesOfIncludeFoldersArePartOfTheSource) {
  const std::string folder = std::string(getenv("CAIRN_SIM_CACHE")) + "/includes";
  std::filesystem::create_directories(folder);
  const std::string source = "#include \"value.h\"\n" + kernel("x[0] = VALUE;");
  for (int value : {1, 2, 1}) {
    std::ofstream(folder + "/value.h") << "#define VALUE " << value;
    const auto result = compile(source, {"-I" + folder, "-arch=sm_90"});
    sim::Fault fault;
    auto module = sim::loadModule(result.cubin.data(), fault);
    CHECK_SAYS(module != nullptr, fault.message + result.log);
    if (!module) return;
    Buffer<float> x(1);
    CHECK_RUNS(launch(*module, "k", {1, 1}, x.data(), 0));
    CHECK(x[0] == static_cast<float>(value));
  }
}

TEST_CASE(compiledModulesAreKeptAndProcessesDoNotDisturbEachOther) {
  const std::string source = kernel("x[0] = " + std::to_string(getpid()) + ";");
  std::vector<pid_t> children;
  for (int i = 0; i < 3; i++) {
    const pid_t child = fork();
    if (child == 0) _exit(compile(source).code);
    children.push_back(child);
  }
  for (pid_t child : children) {
    int status = -1;
    waitpid(child, &status, 0);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
  const auto first = compile(source), second = compile(source);
  CHECK(first.code == 0 && first.ptx == second.ptx && first.cubin == second.cubin);
  CHECK(compile(source, {"-arch=sm_80"}).ptx != first.ptx);
  CHECK(compile(source + " ").ptx != first.ptx);
}

TEST_CASE(multiplyAndAddAreFusedUnlessForbidden) {
  const std::string source = kernel("x[3] = x[0] * x[1] + x[2];") +
                             "extern \"C\" __global__ void apart(float* x) { x[3] = __fmul_rn(x[0], x[1]) + x[2]; }";
  for (const bool fused : {true, false}) {
    auto module = test::load(source, {"-arch=sm_90", fused ? "--fmad=true" : "--fmad=false"});
    if (!module) return;
    Buffer<float> x({1.0000001f, 1.0000001f, -1.0000002f, 0});
    CHECK_RUNS(launch(*module, "apart", {1, 1}, x.data()));
    CHECK(x[3] == 0);
    CHECK_RUNS(launch(*module, "k", {1, 1}, x.data(), 0));
    if (__builtin_cpu_supports("fma")) CHECK((x[3] != 0) == fused);
  }
}
