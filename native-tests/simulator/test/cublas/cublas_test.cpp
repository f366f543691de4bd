// The simulated cuBLAS over the simulated driver: products against plain loops, rules of types, errors, capture.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "check.h"

extern "C" {
int cuInit(unsigned);
int cuDevicePrimaryCtxRetain(void**, int);
int cuCtxSetCurrent(void*);
int cuMemAlloc_v2(unsigned long long*, size_t);
int cuMemFree_v2(unsigned long long);
int cuMemcpyHtoD_v2(unsigned long long, const void*, size_t);
int cuMemcpyDtoH_v2(void*, unsigned long long, size_t);
int cuStreamCreate(void**, unsigned);
int cuStreamSynchronize(void*);
int cuStreamBeginCapture_v2(void*, int);
int cuStreamEndCapture(void*, void**);
int cuGraphInstantiateWithFlags(void**, void*, unsigned long long);
int cuGraphLaunch(void*, void*);
int cublasCreate_v2(void**);
int cublasDestroy_v2(void*);
int cublasSetStream_v2(void*, void*);
int cublasSetMathMode(void*, int);
int cublasSetPointerMode_v2(void*, int);
int cublasSetWorkspace_v2(void*, void*, size_t);
int cublasSgemm_v2(void*, int, int, int, int, int, const float*, const float*, int, const float*, int, const float*,
                   float*, int);
int cublasSgemmBatched(void*, int, int, int, int, int, const float*, const float* const*, int, const float* const*, int,
                       const float*, float* const*, int, int);
int cublasGemmEx(void*, int, int, int, int, int, const void*, const void*, int, int, const void*, int, int,
                 const void*, void*, int, int, int, int);
int cublasGemmStridedBatchedEx(void*, int, int, int, int, int, const void*, const void*, int, int, long long,
                               const void*, int, int, long long, const void*, void*, int, int, long long, int, int,
                               int);
}

namespace {

constexpr int kF32 = 0, kF64 = 1, kF16 = 2, kI8 = 3, kI32 = 10, kB16 = 14;
constexpr int kCompute16 = 64, kCompute32 = 68, kCompute64 = 70, kComputeInt = 72, kComputeTf32 = 77;

void* stream() {
  static void* made = [] {
    void *context = nullptr, *stream = nullptr;
    CHECK(cuInit(0) == 0);
    CHECK(cuDevicePrimaryCtxRetain(&context, 0) == 0);
    CHECK(cuCtxSetCurrent(context) == 0);
    CHECK(cuStreamCreate(&stream, 1) == 0);
    return stream;
  }();
  return made;
}

void* handle() {
  static void* made = [] {
    void* handle = nullptr;
    stream();
    CHECK(cublasCreate_v2(&handle) == 0);
    CHECK(cublasSetStream_v2(handle, stream()) == 0);
    return handle;
  }();
  return made;
}

// Small whole numbers: every type of at least eleven bits holds their products' sums exactly.
std::vector<double> wholes(size_t count, unsigned seed) {
  std::vector<double> values;
  for (size_t i = 0; i < count; i++) {
    seed = seed * 1664525 + 1013904223;
    values.push_back(static_cast<int>(seed >> 20) % 5 - 2);
  }
  return values;
}

size_t bytesOf(int type) { return type == kF64 ? 8 : type == kF32 || type == kI32 ? 4 : type == kI8 ? 1 : 2; }

template <class T>
void put(char* at, T value) { memcpy(at, &value, sizeof value); }

void encode(char* at, int type, double value) {
  float single = static_cast<float>(value);
  uint32_t bits;
  memcpy(&bits, &single, sizeof bits);
  if (type == kF32) put(at, single);
  if (type == kF64) put(at, value);
  if (type == kI8) put(at, static_cast<int8_t>(value));
  if (type == kI32) put(at, static_cast<int32_t>(value));
  if (type == kB16) put(at, static_cast<uint16_t>(bits >> 16));
  // Exact for whole numbers up to 2048.
  if (type == kF16) {
    const uint32_t half = (bits >> 16 & 0x8000) | ((bits >> 13 & 0x3ffff) - 0x1c000);
    put(at, static_cast<uint16_t>(value == 0 ? 0 : half));
  }
}

double decode(const char* at, int type) {
  uint16_t half;
  memcpy(&half, at, 2);
  if (type == kF32) { float v; memcpy(&v, at, 4); return v; }
  if (type == kF64) { double v; memcpy(&v, at, 8); return v; }
  if (type == kI32) { int32_t v; memcpy(&v, at, 4); return v; }
  if (type == kI8) return static_cast<int8_t>(*at);
  if (type == kB16) { uint32_t b = static_cast<uint32_t>(half) << 16; float v; memcpy(&v, &b, 4); return v; }
  const int exponent = half >> 10 & 31;
  const int fraction = half & 0x3ff;
  const double size = exponent == 31 ? (fraction ? NAN : INFINITY)
                      : exponent     ? std::ldexp(1024 + fraction, exponent - 25)
                                     : std::ldexp(fraction, -24);
  return half & 0x8000 ? -size : size;
}

class Matrix {
 public:
  Matrix(std::vector<double> values, int type) : type_(type), host_(values.size() * bytesOf(type)) {
    handle();
    for (size_t i = 0; i < values.size(); i++) encode(host_.data() + i * bytesOf(type), type, values[i]);
    CHECK(cuMemAlloc_v2(&device_, host_.size()) == 0);
    CHECK(cuMemcpyHtoD_v2(device_, host_.data(), host_.size()) == 0);
  }
  ~Matrix() { cuMemFree_v2(device_); }
  template <class T = void>
  T* get() const { return reinterpret_cast<T*>(device_); }
  std::vector<double> read() {
    CHECK(cuStreamSynchronize(stream()) == 0);
    CHECK(cuMemcpyDtoH_v2(host_.data(), device_, host_.size()) == 0);
    std::vector<double> values;
    for (size_t at = 0; at < host_.size(); at += bytesOf(type_)) values.push_back(decode(host_.data() + at, type_));
    return values;
  }

 private:
  int type_;
  std::vector<char> host_;
  unsigned long long device_ = 0;
};

struct Shape {
  int m, n, k, opA, opB, lda, ldb, ldc;
};

void expect(std::vector<double>& c, const std::vector<double>& a, const std::vector<double>& b, const Shape& s,
            double alpha, double beta, size_t atA = 0, size_t atB = 0, size_t atC = 0) {
  for (int j = 0; j < s.n; j++) {
    for (int i = 0; i < s.m; i++) {
      double sum = 0;
      for (int l = 0; l < s.k; l++) {
        sum += a[atA + (s.opA ? l + i * s.lda : i + l * s.lda)] * b[atB + (s.opB ? j + l * s.ldb : l + j * s.ldb)];
      }
      double& target = c[atC + i + j * s.ldc];
      target = alpha * sum + (beta == 0 ? 0 : beta * target);
    }
  }
}

Shape shape(int m, int n, int k, int opA, int opB, int slack) {
  return {m, n, k, opA, opB, (opA ? k : m) + slack, (opB ? n : k) + slack, m + slack};
}

int gemmEx(int typeIn, int typeOut, int compute) {
  const float one = 1, zero = 0;
  const double oneWide = 1, zeroWide = 0;
  const int oneInt = 1, zeroInt = 0;
  const uint16_t oneHalf = 0x3c00, zeroHalf = 0;
  const void* alpha = compute == kCompute64 ? static_cast<const void*>(&oneWide) : compute == kComputeInt ? &oneInt
                      : compute == kCompute16 ? static_cast<const void*>(&oneHalf) : &one;
  const void* beta = compute == kCompute64 ? static_cast<const void*>(&zeroWide) : compute == kComputeInt ? &zeroInt
                     : compute == kCompute16 ? static_cast<const void*>(&zeroHalf) : &zero;
  const Shape s = shape(9, 6, 12, 1, 0, 0);
  const auto a = wholes(9 * 12, 1), b = wholes(12 * 6, 2);
  std::vector<double> c(9 * 6, 77);
  Matrix da(a, typeIn), db(b, typeIn), dc(c, typeOut);
  const int status = cublasGemmEx(handle(), s.opA, s.opB, s.m, s.n, s.k, alpha, da.get(), typeIn, s.lda, db.get(),
                                  typeIn, s.ldb, beta, dc.get(), typeOut, s.ldc, compute, -1);
  if (status != 0) return status;
  expect(c, a, b, s, 1, 0);
  CHECK(dc.read() == c);
  return 0;
}

}  // namespace

TEST_CASE(productsOfAllShapesAndTranspositions) {
  const int sizes[][3] = {{1, 1, 1}, {3, 5, 7}, {17, 4, 33}, {4, 17, 2}, {8, 8, 0}, {1, 40, 9}};
  for (const auto& size : sizes) {
    for (int variant = 0; variant < 8; variant++) {
      const Shape s = shape(size[0], size[1], size[2], variant & 1, variant >> 1 & 1, variant & 4 ? 3 : 0);
      const float alpha = 2, beta = variant & 2 ? -1 : 0;
      const auto a = wholes(static_cast<size_t>(s.lda) * (s.opA ? s.m : std::max(s.k, 1)), 1);
      const auto b = wholes(static_cast<size_t>(s.ldb) * (s.opB ? std::max(s.k, 1) : s.n), 2);
      auto c = wholes(static_cast<size_t>(s.ldc) * s.n, 3);
      Matrix da(a.empty() ? wholes(1, 1) : a, kF32), db(b.empty() ? wholes(1, 1) : b, kF32), dc(c, kF32);
      const int status = cublasSgemm_v2(handle(), s.opA, s.opB, s.m, s.n, s.k, &alpha, da.get<float>(),
                                        std::max(s.lda, 1), db.get<float>(), std::max(s.ldb, 1), &beta, dc.get<float>(),
                                        s.ldc);
      CHECK(status == 0);
      expect(c, a, b, s, alpha, beta);
      CHECK(dc.read() == c);
    }
  }
}

TEST_CASE(whatCHeldIsNotReadWhenBetaIsZero) {
  const float alpha = 1, beta = 0;
  std::vector<double> c(4, NAN);
  Matrix da(wholes(4, 1), kF32), db(wholes(4, 2), kF32), dc(c, kF32);
  CHECK(cublasSgemm_v2(handle(), 0, 0, 2, 2, 2, &alpha, da.get<float>(), 2, db.get<float>(), 2, &beta, dc.get<float>(),
                       2) == 0);
  for (double value : dc.read()) CHECK(!std::isnan(value));
}

TEST_CASE(typesThatGoTogetherAndTypesThatDoNot) {
  CHECK(gemmEx(kF32, kF32, kCompute32) == 0);
  CHECK(gemmEx(kF16, kF16, kCompute32) == 0);
  CHECK(gemmEx(kF16, kF32, kCompute32) == 0);
  CHECK(gemmEx(kB16, kB16, kCompute32) == 0);
  CHECK(gemmEx(kB16, kF32, kCompute32) == 0);
  CHECK(gemmEx(kF16, kF16, kCompute16) == 0);
  CHECK(gemmEx(kF32, kF32, kComputeTf32) == 0);
  CHECK(gemmEx(kF64, kF64, kCompute64) == 0);
  CHECK(gemmEx(kI8, kI32, kComputeInt) == 0);
  CHECK(gemmEx(kF32, kF16, kCompute32) == 15);
  CHECK(gemmEx(kB16, kF16, kCompute32) == 15);
  CHECK(gemmEx(kB16, kB16, kCompute16) == 15);
  CHECK(gemmEx(kF16, kF16, 67) == 15);
}

TEST_CASE(tf32RoundsTheFactorsAndPlainProductsDoNot) {
  const float alpha = 1, beta = 0, x = 1.0f + 0x1p-12f;
  for (const bool tf32 : {true, false}) {
    CHECK(cublasSetMathMode(handle(), tf32 ? 3 : 0) == 0);
    Matrix a({x}, kF32), b({1}, kF32), c({0}, kF32);
    CHECK(cublasSgemm_v2(handle(), 0, 0, 1, 1, 1, &alpha, a.get<float>(), 1, b.get<float>(), 1, &beta, c.get<float>(),
                         1) == 0);
    CHECK(c.read()[0] == (tf32 ? 1.0 : static_cast<double>(x)));
  }
}

TEST_CASE(batchesByStrideAndByAddress) {
  const float alpha = 1, beta = 1;
  const Shape s = shape(3, 2, 4, 0, 1, 0);
  const size_t batch = 5;
  const auto a = wholes(12 * batch, 4), b = wholes(8, 5);
  auto c = wholes(6 * batch, 6);
  Matrix da(a, kF32), db(b, kF32), dc(c, kF32), dc2(c, kF32);
  // A stride of zero uses one matrix for all.
  CHECK(cublasGemmStridedBatchedEx(handle(), 0, 1, s.m, s.n, s.k, &alpha, da.get(), kF32, s.lda, 12, db.get(), kF32,
                                   s.ldb, 0, &beta, dc.get(), kF32, s.ldc, 6, batch, kCompute32, -1) == 0);
  for (size_t i = 0; i < batch; i++) expect(c, a, b, s, alpha, beta, 12 * i, 0, 6 * i);
  CHECK(dc.read() == c);
  std::vector<const float*> as, bs;
  std::vector<float*> cs;
  for (size_t i = 0; i < batch; i++) {
    as.push_back(da.get<float>() + 12 * i);
    bs.push_back(db.get<float>());
    cs.push_back(dc2.get<float>() + 6 * i);
  }
  unsigned long long lists = 0;
  CHECK(cuMemAlloc_v2(&lists, 3 * batch * sizeof(void*)) == 0);
  const size_t bytes = batch * sizeof(void*);
  CHECK(cuMemcpyHtoD_v2(lists, as.data(), bytes) == 0);
  CHECK(cuMemcpyHtoD_v2(lists + bytes, bs.data(), bytes) == 0);
  CHECK(cuMemcpyHtoD_v2(lists + 2 * bytes, cs.data(), bytes) == 0);
  auto* list = reinterpret_cast<float**>(lists);
  CHECK(cublasSgemmBatched(handle(), 0, 1, s.m, s.n, s.k, &alpha, list, s.lda, list + batch, s.ldb, &beta,
                           list + 2 * batch, s.ldc, batch) == 0);
  CHECK(dc2.read() == c);
  CHECK(cuMemFree_v2(lists) == 0);
}

TEST_CASE(factorsOnTheDeviceAreReadWhenTheProductRuns) {
  Matrix a({3}, kF32), b({4}, kF32), c({1}, kF32), factors({2, 10}, kF32);
  CHECK(cublasSetPointerMode_v2(handle(), 1) == 0);
  const auto* alpha = factors.get<float>();
  CHECK(cublasSgemm_v2(handle(), 0, 0, 1, 1, 1, alpha, a.get<float>(), 1, b.get<float>(), 1, alpha + 1, c.get<float>(),
                       1) == 0);
  CHECK(c.read()[0] == 34);
  CHECK(cublasSetPointerMode_v2(handle(), 0) == 0);
}

TEST_CASE(capturedProductsAreReplayed) {
  const float alpha = 1, beta = 1;
  Matrix a({3}, kF32), b({4}, kF32), c({0}, kF32);
  void *graph = nullptr, *exec = nullptr;
  CHECK(cuStreamBeginCapture_v2(stream(), 1) == 0);
  CHECK(cublasSgemm_v2(handle(), 0, 0, 1, 1, 1, &alpha, a.get<float>(), 1, b.get<float>(), 1, &beta, c.get<float>(),
                       1) == 0);
  CHECK(cuStreamEndCapture(stream(), &graph) == 0);
  CHECK(cuGraphInstantiateWithFlags(&exec, graph, 0) == 0);
  CHECK(c.read()[0] == 0);
  for (int i = 1; i <= 3; i++) {
    CHECK(cuGraphLaunch(exec, stream()) == 0);
    CHECK(c.read()[0] == 12 * i);
  }
}

TEST_CASE(wrongArgumentsAreAnswered) {
  const float one = 1;
  Matrix a(wholes(16, 1), kF32);
  float* p = a.get<float>();
  const auto status = [&](int opA, int m, int n, int k, int lda, int ldb, int ldc, const float* alpha) {
    return cublasSgemm_v2(handle(), opA, 0, m, n, k, alpha, p, lda, p, ldb, &one, p, ldc);
  };
  CHECK(cublasSgemm_v2(nullptr, 0, 0, 1, 1, 1, &one, p, 1, p, 1, &one, p, 1) == 1);
  CHECK(status(0, 2, 2, 2, 1, 2, 2, &one) == 7);
  CHECK(status(0, 2, 2, 2, 2, 1, 2, &one) == 7);
  CHECK(status(0, 2, 2, 2, 2, 2, 1, &one) == 7);
  CHECK(status(1, 1, 2, 3, 2, 3, 1, &one) == 7);
  CHECK(status(0, -1, 2, 2, 2, 2, 2, &one) == 7);
  CHECK(status(3, 1, 1, 1, 1, 1, 1, &one) == 7);
  CHECK(status(0, 1, 1, 1, 1, 1, 1, nullptr) == 7);
  CHECK(status(0, 0, 0, 0, 1, 1, 1, &one) == 0);
  CHECK(cublasSetWorkspace_v2(handle(), p, 64) == 0);
  CHECK(cublasSetWorkspace_v2(handle(), p + 1, 60) == 7);
  float host = 0;
  const auto page = reinterpret_cast<uintptr_t>(&host) & ~uintptr_t{255};
  CHECK(cublasSetWorkspace_v2(handle(), reinterpret_cast<void*>(page), 64) == 7);
}

// Last, since the context is lost by it.
TEST_CASE(zMemoryOfTheHostIsAnIllegalAddress) {
  const float one = 1;
  float host[4] = {};
  Matrix a(wholes(4, 1), kF32);
  CHECK(cublasSgemm_v2(handle(), 0, 0, 2, 2, 2, &one, host, 2, a.get<float>(), 2, &one, a.get<float>(), 2) == 0);
  CHECK(cuStreamSynchronize(stream()) == 700);
  CHECK(cublasDestroy_v2(handle()) == 0);
}

int main(int count, char** arguments) { return test::runAll(count > 1 ? arguments[1] : nullptr); }
