// Warp matrix functions (nvcuda::wmma). What an element of a fragment stands for is the device's own affair: here every
// lane keeps the factors whole, and eight elements (two of doubles) of the sums.
#pragma once
// Parameters have names that no macro of a kernel source has.
#include "cuda_bf16.h"
#include "cuda_fp16.h"

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
namespace nvcuda {
namespace wmma {

struct matrix_a {};
struct matrix_b {};
struct accumulator {};
struct row_major {};
struct col_major {};
enum layout_t { mem_row_major, mem_col_major };
namespace precision {
struct tf32 {};
}

template <class Cairn_T> struct cairn_stored { typedef Cairn_T type; };
template <> struct cairn_stored<precision::tf32> { typedef float type; };
template <class Cairn_T> struct cairn_whole { static constexpr bool value = false; };
template <> struct cairn_whole<signed char> { static constexpr bool value = true; };
template <> struct cairn_whole<unsigned char> { static constexpr bool value = true; };

// What CUDA has: other shapes and types are an error when a fragment is declared.
template <int cairn_m, int cairn_n, int cairn_k, class Cairn_T> struct cairn_product { static constexpr bool known = false; };
#define CAIRN_PRODUCT(m, n, k, type) \
  template <> struct cairn_product<m, n, k, type> { static constexpr bool known = true; };
#define CAIRN_PRODUCTS16(type) CAIRN_PRODUCT(16, 16, 16, type) CAIRN_PRODUCT(32, 8, 16, type) CAIRN_PRODUCT(8, 32, 16, type)
CAIRN_PRODUCTS16(__half)
CAIRN_PRODUCTS16(signed char)
CAIRN_PRODUCTS16(unsigned char)
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
CAIRN_PRODUCTS16(__nv_bfloat16)
CAIRN_PRODUCT(16, 16, 8, precision::tf32)
CAIRN_PRODUCT(8, 8, 4, double)
#endif
#undef CAIRN_PRODUCTS16
#undef CAIRN_PRODUCT

template <int Rows, int Columns, class Cairn_T, bool RowMajor>
struct cairn_factor {
  static constexpr int rows = Rows, columns = Columns;
  static constexpr bool row_wise = RowMajor;
  enum { num_elements = Rows * Columns, num_storage_elements = Rows * Columns };
  typedef typename cairn_stored<Cairn_T>::type element_type;
  element_type x[Rows * Columns];
};

template <class Use, int cairn_m, int cairn_n, int cairn_k, class Cairn_T, class Layout = void> class fragment;
template <int cairn_m, int cairn_n, int cairn_k, class Cairn_T>
class fragment<matrix_a, cairn_m, cairn_n, cairn_k, Cairn_T, row_major> : public cairn_factor<cairn_m, cairn_k, Cairn_T, true> {
  static_assert(cairn_product<cairn_m, cairn_n, cairn_k, Cairn_T>::known, "no such shape or type of a warp's product");
};
template <int cairn_m, int cairn_n, int cairn_k, class Cairn_T>
class fragment<matrix_a, cairn_m, cairn_n, cairn_k, Cairn_T, col_major> : public cairn_factor<cairn_m, cairn_k, Cairn_T, false> {
  static_assert(cairn_product<cairn_m, cairn_n, cairn_k, Cairn_T>::known, "no such shape or type of a warp's product");
};
template <int cairn_m, int cairn_n, int cairn_k, class Cairn_T>
class fragment<matrix_b, cairn_m, cairn_n, cairn_k, Cairn_T, row_major> : public cairn_factor<cairn_k, cairn_n, Cairn_T, true> {
  static_assert(cairn_product<cairn_m, cairn_n, cairn_k, Cairn_T>::known, "no such shape or type of a warp's product");
};
template <int cairn_m, int cairn_n, int cairn_k, class Cairn_T>
class fragment<matrix_b, cairn_m, cairn_n, cairn_k, Cairn_T, col_major> : public cairn_factor<cairn_k, cairn_n, Cairn_T, false> {
  static_assert(cairn_product<cairn_m, cairn_n, cairn_k, Cairn_T>::known, "no such shape or type of a warp's product");
};
template <int cairn_m, int cairn_n, int cairn_k, class Cairn_T>
class fragment<accumulator, cairn_m, cairn_n, cairn_k, Cairn_T, void> {
 public:
  enum { num_elements = cairn_m * cairn_n / 32, num_storage_elements = cairn_m * cairn_n / 32 };
  typedef Cairn_T element_type;
  Cairn_T x[cairn_m * cairn_n / 32];
};

// All lanes come, with one address and one distance, both aligned as the device wants them.
template <class Cairn_T>
CAIRN_INLINE void cairn_check_matrix(const Cairn_T* address, unsigned distance) {
  __syncwarp();
  if (reinterpret_cast<unsigned long>(address) % 32 != 0 || distance * sizeof(Cairn_T) % 16 != 0) {
    cairn_thread->calls->fail(cairn_thread, 716, "a warp matrix needs an address of 32 and rows of 16 bytes", "mma.h", 0);
  }
}

template <class Fragment>
CAIRN_INLINE void cairn_load_factor(Fragment& to, const typename Fragment::element_type* from, unsigned distance) {
  cairn_check_matrix(from, distance);
  for (int i = 0; i < Fragment::rows; i++) {
    for (int j = 0; j < Fragment::columns; j++) {
      const unsigned at = Fragment::row_wise ? i * distance + j : j * distance + i;
      to.x[i * Fragment::columns + j] = from[at];
    }
  }
  __syncwarp();
}
template <int cairn_m, int cairn_n, int cairn_k, class Cairn_T, class Layout>
static inline void load_matrix_sync(fragment<matrix_a, cairn_m, cairn_n, cairn_k, Cairn_T, Layout>& to,
                                    const typename cairn_stored<Cairn_T>::type* from, unsigned distance) {
  cairn_load_factor(to, from, distance);
}
template <int cairn_m, int cairn_n, int cairn_k, class Cairn_T, class Layout>
static inline void load_matrix_sync(fragment<matrix_b, cairn_m, cairn_n, cairn_k, Cairn_T, Layout>& to,
                                    const typename cairn_stored<Cairn_T>::type* from, unsigned distance) {
  cairn_load_factor(to, from, distance);
}

template <int cairn_m, int cairn_n>
CAIRN_INLINE unsigned cairn_place(int element, unsigned distance, layout_t layout) {
  const unsigned index = cairn_thread->lane * (cairn_m * cairn_n / 32) + static_cast<unsigned>(element);
  const unsigned i = index / cairn_n, j = index % cairn_n;
  return layout == mem_row_major ? i * distance + j : j * distance + i;
}
template <int cairn_m, int cairn_n, int cairn_k, class Cairn_T>
static inline void load_matrix_sync(fragment<accumulator, cairn_m, cairn_n, cairn_k, Cairn_T>& to, const Cairn_T* from, unsigned distance,
                                    layout_t layout) {
  cairn_check_matrix(from, distance);
  for (int e = 0; e < to.num_elements; e++) to.x[e] = from[cairn_place<cairn_m, cairn_n>(e, distance, layout)];
  __syncwarp();
}
template <int cairn_m, int cairn_n, int cairn_k, class Cairn_T>
static inline void store_matrix_sync(Cairn_T* to, const fragment<accumulator, cairn_m, cairn_n, cairn_k, Cairn_T>& from, unsigned distance,
                                     layout_t layout) {
  cairn_check_matrix(to, distance);
  for (int e = 0; e < from.num_elements; e++) to[cairn_place<cairn_m, cairn_n>(e, distance, layout)] = from.x[e];
  __syncwarp();
}

template <class Use, int cairn_m, int cairn_n, int cairn_k, class Cairn_T, class Layout, class Value>
static inline void fill_fragment(fragment<Use, cairn_m, cairn_n, cairn_k, Cairn_T, Layout>& to, const Value& value) {
  for (int e = 0; e < to.num_elements; e++) to.x[e] = value;
}

static inline float __float_to_tf32(float x) {
  return isfinite(x) ? cairn_bits<float>((cairn_bits<unsigned>(x) + 0x1000u) & ~0x1fffu) : x;
}

template <bool Whole, class Cairn_T> struct cairn_sum { typedef float type; };
template <class Cairn_T> struct cairn_sum<true, Cairn_T> { typedef int type; };
template <> struct cairn_sum<false, double> { typedef double type; };

// Products exact, summed in float (int, double), rounded to the sum's type once.
template <int cairn_m, int cairn_n, int cairn_k, class Cairn_T, class LayoutA, class LayoutB, class Cairn_D, class Cairn_C>
static inline void mma_sync(fragment<accumulator, cairn_m, cairn_n, cairn_k, Cairn_D>& d, const fragment<matrix_a, cairn_m, cairn_n, cairn_k, Cairn_T, LayoutA>& a,
                            const fragment<matrix_b, cairn_m, cairn_n, cairn_k, Cairn_T, LayoutB>& b,
                            const fragment<accumulator, cairn_m, cairn_n, cairn_k, Cairn_C>& c, bool = false) {
  typedef typename cairn_sum<cairn_whole<Cairn_T>::value, Cairn_D>::type Sum;
  __syncwarp();
  for (int e = 0; e < d.num_elements; e++) {
    const int index = static_cast<int>(cairn_thread->lane) * d.num_elements + e, i = index / cairn_n, j = index % cairn_n;
    Sum sum = static_cast<Sum>(c.x[e]);
    for (int k = 0; k < cairn_k; k++) sum += static_cast<Sum>(a.x[i * cairn_k + k]) * static_cast<Sum>(b.x[k * cairn_n + j]);
    d.x[e] = static_cast<Cairn_D>(sum);
  }
}

}  // namespace wmma
}  // namespace nvcuda
#endif
