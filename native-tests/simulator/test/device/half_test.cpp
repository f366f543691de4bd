// Sixteen-bit numbers: every conversion and operation against a slow model of its own.
#include <cmath>
#include <cstdint>
#include <limits>

#include "bench.h"

using test::Buffer;
using test::launch;

namespace {

// The format by its definition: sign, exponent, fraction; nothing shared with the headers under test.
struct Format {
  int exponentBits, fractionBits;

  double value(unsigned bits) const {
    const int exponent = static_cast<int>(bits >> fractionBits & ((1u << exponentBits) - 1));
    const double fraction = bits & ((1u << fractionBits) - 1);
    const double sign = bits >> 15 ? -1 : 1;
    const int bias = (1 << (exponentBits - 1)) - 1;
    if (exponent == (1 << exponentBits) - 1) {
      return fraction == 0 ? sign * std::numeric_limits<double>::infinity() : std::nan("");
    }
    if (exponent == 0) return sign * std::ldexp(fraction, 1 - bias - fractionBits);
    return sign * std::ldexp(1 + std::ldexp(fraction, -fractionBits), exponent - bias);
  }

  // The nearest number, to even when two are as near; by search.
  unsigned nearest(double x) const {
    if (std::isnan(x)) return 0x7fff;
    const unsigned infinity = ((1u << exponentBits) - 1) << fractionBits;
    const double size = std::abs(x);
    unsigned low = 0, high = infinity;
    while (high - low > 1) {
      const unsigned middle = (low + high) / 2;
      (value(middle) <= size ? low : high) = middle;
    }
    // Behind the greatest number the next one counts as if the exponents went on.
    const double above = high == infinity ? 2 * value(high - (1u << fractionBits)) : value(high);
    const double below = value(low);
    unsigned result = size - below < above - size ? low : size - below > above - size ? high : low % 2 ? high : low;
    if (std::isinf(x)) result = infinity;
    return result | (std::signbit(x) ? 0x8000u : 0u);
  }
};

constexpr Format kHalf = {5, 10}, kBFloat = {8, 7};

std::string source(bool half) {
  const std::string types = half ? "#include <cuda_fp16.h>\ntypedef __half H; typedef __half2 H2;\n"
                                   "#define FROM __ushort_as_half\n#define BITS __half_as_ushort\n"
                                   "#define DOWN __float2half_rd\n#define UP __float2half_ru\n"
                                   "#define ZERO __float2half_rz\n#define ROUND __float2half\n"
                                 : "#include <cuda_bf16.h>\ntypedef __nv_bfloat16 H; typedef __nv_bfloat162 H2;\n"
                                   "#define FROM __ushort_as_bfloat16\n#define BITS __bfloat16_as_ushort\n"
                                   "#define DOWN __float2bfloat16_rd\n#define UP __float2bfloat16_ru\n"
                                   "#define ZERO __float2bfloat16_rz\n#define ROUND __float2bfloat16\n";
  return types + R"(
    extern "C" __global__ void toFloat(float* out) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      out[i] = (float)FROM((unsigned short)i);
    }
    extern "C" __global__ void fromFloat(const float* x, unsigned short* out, int n) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      if (i >= n) return;
      out[4 * i] = BITS(ROUND(x[i]));
      out[4 * i + 1] = BITS(ZERO(x[i]));
      out[4 * i + 2] = BITS(DOWN(x[i]));
      out[4 * i + 3] = BITS(UP(x[i]));
    }
    extern "C" __global__ void fromDouble(const double* x, unsigned short* out, int n) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      if (i < n) out[i] = BITS(H(x[i]));
    }
    extern "C" __global__ void arithmetic(const unsigned short* a, const unsigned short* b, unsigned short* out,
                                          int n) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      if (i >= n) return;
      H x = FROM(a[i]), y = FROM(b[i]);
      unsigned short* o = out + 8 * i;
      o[0] = BITS(x + y); o[1] = BITS(__hsub(x, y)); o[2] = BITS(x * y); o[3] = BITS(__hdiv(x, y));
      o[4] = BITS(__hfma(x, y, x)); o[5] = BITS(hsqrt(__habs(x))); o[6] = __hlt(x, y) + 2 * (x == y) + 4 * __hisnan(x);
      H2 p = H2(x, y), q = __hmul2(p, H2(y, x)) + __hneg2(p);
      o[7] = BITS(q.y);
    }
    extern "C" __global__ void together(unsigned short* out, H* sum, H2* sums) {
      __shared__ H s[64];
      s[threadIdx.x] = H((float)threadIdx.x);
      __syncthreads();
      H v = __shfl_xor_sync(0xffffffffu, s[63 - threadIdx.x], 1);
      H2 w = __shfl_sync(0xffffffffu, H2(v, v), 3);
      out[threadIdx.x] = BITS(v + w.x);
      atomicAdd(sum, H(1.0f));
      atomicAdd(sums, H2(H(1.0f), H(2.0f)));
    })";
}

std::vector<double> doubles(const Format& format) {
  std::vector<double> values = {0.0, -0.0, 1e300, -1e300, 1e-300, std::nan(""), INFINITY, -INFINITY};
  uint64_t seed = 9;
  for (int i = 0; i < 6000; i++) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    const unsigned bits = static_cast<unsigned>(seed >> 40) & 0x7fff;
    const double low = format.value(bits), high = format.value(bits + 1);
    if (!std::isfinite(low) || !std::isfinite(high)) continue;
    const double middle = (low + high) / 2;
    for (const double x : {low, middle, std::nextafter(middle, low), std::nextafter(middle, high)}) {
      values.push_back(i % 2 ? -x : x);
    }
  }
  return values;
}

bool sameBits(unsigned a, unsigned b, const Format& format) {
  return a == b || (std::isnan(format.value(a)) && std::isnan(format.value(b)));
}

void checkConversions(bool half) {
  const Format& format = half ? kHalf : kBFloat;
  auto module = test::load(source(half));
  if (!module) return;
  Buffer<float> all(65536);
  CHECK_RUNS(launch(*module, "toFloat", {256, 256}, all.data()));
  int wrong = 0;
  for (unsigned i = 0; i < 65536; i++) {
    const double expected = format.value(i);
    wrong += std::isnan(expected) ? !std::isnan(all[i])
                                  : all[i] != expected || std::signbit(all[i]) != std::signbit(expected);
  }
  CHECK_SAYS(wrong == 0, std::to_string(wrong));

  const auto x = doubles(format);
  const int n = static_cast<int>(x.size());
  Buffer<double> wide(x);
  Buffer<float> narrow(std::vector<float>(x.begin(), x.end()));
  Buffer<uint16_t> fromWide(x.size()), fromNarrow(4 * x.size());
  const unsigned blocks = static_cast<unsigned>(n + 127) / 128;
  CHECK_RUNS(launch(*module, "fromDouble", {blocks, 128}, wide.data(), fromWide.data(), n));
  CHECK_RUNS(launch(*module, "fromFloat", {blocks, 128}, narrow.data(), fromNarrow.data(), n));
  int wrongWide = 0, wrongNarrow = 0, wrongDirected = 0;
  for (size_t i = 0; i < x.size(); i++) {
    wrongWide += !sameBits(fromWide[i], format.nearest(x[i]), format);
    wrongNarrow += !sameBits(fromNarrow[4 * i], format.nearest(narrow[i]), format);
    const double exact = narrow[i], zero = format.value(fromNarrow[4 * i + 1]);
    const double down = format.value(fromNarrow[4 * i + 2]), up = format.value(fromNarrow[4 * i + 3]);
    if (std::isnan(exact)) continue;
    wrongDirected += !(down <= exact && exact <= up && std::abs(zero) <= std::abs(exact));
    wrongDirected += !(zero == down || zero == up);
  }
  CHECK_SAYS(wrongWide == 0, std::to_string(wrongWide));
  CHECK_SAYS(wrongNarrow == 0, std::to_string(wrongNarrow));
  CHECK_SAYS(wrongDirected == 0, std::to_string(wrongDirected));
}

void checkArithmetic(bool half) {
  const Format& format = half ? kHalf : kBFloat;
  auto module = test::load(source(half));
  if (!module) return;
  const int n = 20000;
  std::vector<uint16_t> a, b;
  uint64_t seed = 11;
  for (int i = 0; i < n; i++) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    a.push_back(static_cast<uint16_t>(seed >> 33));
    // Every other pair is of a like size, so that sums round in interesting places.
    b.push_back(static_cast<uint16_t>(i % 2 ? seed >> 49 : (seed >> 33) ^ (seed >> 59)));
  }
  Buffer<uint16_t> da(a), db(b), out(8 * n);
  CHECK_RUNS(launch(*module, "arithmetic", {(n + 63) / 64, 64}, da.data(), db.data(), out.data(), n));
  int wrong[8] = {};
  for (int i = 0; i < n; i++) {
    const double x = format.value(a[i]), y = format.value(b[i]);
    const uint16_t* o = out.data() + 8 * i;
    const auto check = [&](int k, double exact) { wrong[k] += !sameBits(o[k], format.nearest(exact), format); };
    check(0, x + y);
    check(1, x - y);
    check(2, x * y);
    check(3, x / y);
    check(4, static_cast<double>(static_cast<long double>(x) * y + x));
    check(5, std::sqrt(std::abs(x)));
    wrong[6] += o[6] != (x < y) + 2 * (x == y) + 4 * std::isnan(x);
    check(7, format.value(format.nearest(y * x)) - y);
  }
  for (int k = 0; k < 8; k++) CHECK_SAYS(wrong[k] == 0, std::to_string(k) + ": " + std::to_string(wrong[k]));
}

}  // namespace

TEST_CASE(halvesConvertAsTheirDefinitionSays) { checkConversions(true); }
TEST_CASE(bfloatsConvertAsTheirDefinitionSays) { checkConversions(false); }
TEST_CASE(halvesCalculateRoundedOnce) { checkArithmetic(true); }
TEST_CASE(bfloatsCalculateRoundedOnce) { checkArithmetic(false); }

TEST_CASE(sixteenBitTypesWorkInSharedMemoryShufflesAndAtomics) {
  for (const bool half : {true, false}) {
    const Format& format = half ? kHalf : kBFloat;
    auto module = test::load(source(half));
    if (!module) return;
    Buffer<uint16_t> out(64), sum(2), sums(2);
    CHECK_RUNS(launch(*module, "together", {1, 64}, out.data(), sum.data(), sums.data()));
    for (unsigned t = 0; t < 64; t++) {
      const double other = 63 - (t ^ 1), third = 63 - ((t & 32) + 2);
      CHECK(format.value(out[t]) == format.value(format.nearest(other + third)));
    }
    CHECK(format.value(sum[0]) == 64 && sum[1] == 0);
    CHECK(format.value(sums[0]) == 64 && format.value(sums[1]) == 128);
  }
}
