#include "cublas/gemm.h"

#include <cstdio>

#include "driver/enqueue.h"

namespace sim {
namespace {

constexpr int kIllegalAddress = 700;
constexpr long long kStep = 4;

// sums[i] += panel[0][i] * factors[0] + ... in this order; the one loop that takes the time.
#define ADD_PRODUCTS(T, name, processor) \
  __attribute__((processor, optimize("O3"))) void name(T* __restrict__ sums, const T* __restrict__ panel, \
                                                       const T* factors, long long width) { \
    const T* row1 = panel + width; \
    const T* row2 = row1 + width; \
    const T* row3 = row2 + width; \
    for (long long i = 0; i < width; i++) { \
      T sum = sums[i] + panel[i] * factors[0]; \
      sum += row1[i] * factors[1]; \
      sum += row2[i] * factors[2]; \
      sums[i] = sum + row3[i] * factors[3]; \
    } \
  }
#define FOR_BOTH_PROCESSORS(T) \
  ADD_PRODUCTS(T, addProductsFused, target("avx2,fma")) \
  ADD_PRODUCTS(T, addProductsPlain, noinline) \
  void addProducts(T* __restrict__ sums, const T* __restrict__ panel, const T* factors, long long width) { \
    static const bool fused = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); \
    if (fused) { \
      addProductsFused(sums, panel, factors, width); \
    } else { \
      addProductsPlain(sums, panel, factors, width); \
    } \
  }
FOR_BOTH_PROCESSORS(float)
FOR_BOTH_PROCESSORS(double)
FOR_BOTH_PROCESSORS(int32_t)

template <class T>
T reduced(T value, Precision) {
  return value;
}
float reduced(float value, Precision precision) { return rounded(value, precision); }

// Elements (row, column) of op(M), with the depth rounded up so that steps of kStep need no end.
template <class T>
struct Packed {
  std::vector<T> values;
  long long width;

  // values[depth * width + i] = element(i, depth)
  template <class Element>
  Packed(long long width, long long depth, Element element) : width(width) {
    const long long rounded = (depth + kStep - 1) / kStep * kStep;
    values.assign(static_cast<size_t>(width * rounded), T());
    for (long long l = 0; l < depth; l++) {
      for (long long i = 0; i < width; i++) values[static_cast<size_t>(l * width + i)] = element(i, l);
    }
  }
};

template <class T>
class Multiplication {
 public:
  Multiplication(const GemmProblem& problem, long long index)
      : p_(problem), a_(problem.a.matrix(index)), b_(problem.b.matrix(index)),
        c_(const_cast<char*>(problem.c.matrix(index))), alpha_(problem.alpha.get()), beta_(problem.beta.get()) {}

  void run() {
    // The inner loop goes along the longer side of C.
    const bool alongRows = p_.m >= p_.n;
    const auto elementA = [this](long long i, long long l) { return elementOf(p_.a, a_, p_.transposeA, i, l); };
    const auto elementB = [this](long long j, long long l) { return elementOf(p_.b, b_, !p_.transposeB, j, l); };
    const long long depth = alpha_ == 0 ? 0 : p_.k;
    const long long longSide = alongRows ? p_.m : p_.n, shortSide = alongRows ? p_.n : p_.m;
    const Packed<T> panel = alongRows ? Packed<T>(longSide, depth, elementA) : Packed<T>(longSide, depth, elementB);
    std::vector<T> sums(static_cast<size_t>(longSide));
    std::vector<T> factors(static_cast<size_t>((depth + kStep - 1) / kStep * kStep));
    for (long long s = 0; s < shortSide; s++) {
      for (long long l = 0; l < depth; l++) {
        factors[static_cast<size_t>(l)] = alongRows ? elementB(s, l) : elementA(s, l);
      }
      sums.assign(sums.size(), T());
      for (long long l = 0; l < depth; l += kStep) {
        addProducts(sums.data(), panel.values.data() + l * longSide, factors.data() + l, longSide);
      }
      for (long long i = 0; i < longSide; i++) {
        store(alongRows ? i : s, alongRows ? s : i, sums[static_cast<size_t>(i)]);
      }
    }
  }

 private:
  // An element of a matrix whose columns, or rows if it is transposed, lie apart by the leading dimension.
  T elementOf(const Operand& operand, const char* matrix, bool transposed, long long row, long long column) const {
    const long long at = transposed ? column + row * operand.leading : row + column * operand.leading;
    return reduced(loadElement<T>(matrix + static_cast<size_t>(at) * elementBytes(operand.type), operand.type),
                   p_.precision);
  }

  // What C held counts for nothing when beta is 0, even if it is not a number.
  void store(long long row, long long column, T sum) const {
    char* at = c_ + static_cast<size_t>(row + column * p_.c.leading) * elementBytes(p_.c.type);
    T result = static_cast<T>(alpha_) * sum;
    if (beta_ != 0) result += static_cast<T>(beta_) * loadElement<T>(at, p_.c.type);
    storeElement<T>(at, p_.c.type, result);
  }

  const GemmProblem& p_;
  const char* a_;
  const char* b_;
  char* c_;
  double alpha_, beta_;
};

size_t span(const Operand& operand, long long rows, long long columns) {
  const long long last = rows == 0 || columns == 0 ? 0 : (columns - 1) * operand.leading + rows;
  return static_cast<size_t>(last) * elementBytes(operand.type);
}

bool reachable(const char* name, const Operand& operand, long long index, long long rows, long long columns) {
  if (span(operand, rows, columns) == 0) return true;
  const char* matrix = operand.matrix(index);
  if (cairn_sim_reachable(matrix, span(operand, rows, columns)) != 0) return true;
  fprintf(stderr, "cairn simulator: cuBLAS: matrix %s is not memory of the device: address=%p bytes=%zu index=%lld\n",
          name, static_cast<const void*>(matrix), span(operand, rows, columns), index);
  return false;
}

bool arraysReachable(const GemmProblem& p) {
  for (const Operand* operand : {&p.a, &p.b, &p.c}) {
    if (operand->isArray && cairn_sim_reachable(operand->base, static_cast<size_t>(p.batch) * sizeof(void*)) == 0) {
      fprintf(stderr, "cairn simulator: cuBLAS: an array of matrices is not memory of the device: address=%p\n",
              operand->base);
      return false;
    }
  }
  return true;
}

}  // namespace

const char* Operand::matrix(long long index) const {
  if (!isArray) {
    return static_cast<const char*>(base) + index * stride * static_cast<long long>(elementBytes(type));
  }
  const char* address;
  memcpy(&address, static_cast<const char*>(base) + static_cast<size_t>(index) * sizeof(void*), sizeof address);
  return address;
}

int runGemm(const GemmProblem& p) {
  if (!arraysReachable(p)) return kIllegalAddress;
  for (long long i = 0; i < p.batch; i++) {
    const bool readsInputs = p.k > 0 && p.alpha.get() != 0;
    const bool all = (!readsInputs || (reachable("A", p.a, i, p.transposeA ? p.k : p.m, p.transposeA ? p.m : p.k) &&
                                       reachable("B", p.b, i, p.transposeB ? p.n : p.k, p.transposeB ? p.k : p.n))) &&
                     reachable("C", p.c, i, p.m, p.n);
    if (!all) return kIllegalAddress;
    switch (p.compute) {
      case ComputeType::F64:
      case ComputeType::F64Pedantic: Multiplication<double>(p, i).run(); break;
      case ComputeType::I32:
      case ComputeType::I32Pedantic: Multiplication<int32_t>(p, i).run(); break;
      default: Multiplication<float>(p, i).run();
    }
  }
  return 0;
}

}  // namespace sim
