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

template <class T_> struct cairn_stored { typedef T_ type; };
template <> struct cairn_stored<precision::tf32> { typedef float type; };
template <class T_> struct cairn_whole { static constexpr bool value = false; };
template <> struct cairn_whole<signed char> { static constexpr bool value = true; };
template <> struct cairn_whole<unsigned char> { static constexpr bool value = true; };

// What CUDA has: other shapes and types are an error when a fragment is declared.
template <int m_, int n_, int k_, class T_> struct cairn_product { static constexpr bool known = false; };
#define CAIRN_PRODUCT(m, n, k, type) \
  template <> struct cairn_product<m, n, k, type> { static constexpr bool known = true; };
#define CAIRN_PRODUCTS16(type) \
  CAIRN_PRODUCT(16, 16, 16, type) CAIRN_PRODUCT(32, 8, 16, type) CAIRN_PRODUCT(8, 32, 16, type)
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

template <int Rows, int Columns, class T_, bool RowMajor>
struct cairn_factor {
  static constexpr int rows = Rows, columns = Columns;
  static constexpr bool row_wise = RowMajor;
  enum { num_elements = Rows * Columns, num_storage_elements = Rows * Columns };
  typedef typename cairn_stored<T_>::type element_type;
  element_type x[Rows * Columns];
};

template <class Use, int m_, int n_, int k_, class T_, class Layout = void> class fragment;
template <int m_, int n_, int k_, class T_>
class fragment<matrix_a, m_, n_, k_, T_, row_major> : public cairn_factor<m_, k_, T_, true> {
  static_assert(cairn_product<m_, n_, k_, T_>::known, "no such shape or type of a warp's product");
};
template <int m_, int n_, int k_, class T_>
class fragment<matrix_a, m_, n_, k_, T_, col_major> : public cairn_factor<m_, k_, T_, false> {
  static_assert(cairn_product<m_, n_, k_, T_>::known, "no such shape or type of a warp's product");
};
template <int m_, int n_, int k_, class T_>
class fragment<matrix_b, m_, n_, k_, T_, row_major> : public cairn_factor<k_, n_, T_, true> {
  static_assert(cairn_product<m_, n_, k_, T_>::known, "no such shape or type of a warp's product");
};
template <int m_, int n_, int k_, class T_>
class fragment<matrix_b, m_, n_, k_, T_, col_major> : public cairn_factor<k_, n_, T_, false> {
  static_assert(cairn_product<m_, n_, k_, T_>::known, "no such shape or type of a warp's product");
};
template <int m_, int n_, int k_, class T_>
class fragment<accumulator, m_, n_, k_, T_, void> {
 public:
  enum { num_elements = m_ * n_ / 32, num_storage_elements = m_ * n_ / 32 };
  typedef T_ element_type;
  T_ x[m_ * n_ / 32];
};

// All lanes come, with one address and one distance, both aligned as the device wants them.
template <class T_>
CAIRN_INLINE void cairn_check_matrix(const T_* address, unsigned distance) {
  __syncwarp();
  if (reinterpret_cast<unsigned long>(address) % 32 != 0 || distance * sizeof(T_) % 16 != 0) {
    cairn_thread->calls->fail(cairn_thread, 716, "a warp matrix needs an address of 32 and rows of 16 bytes", "mma.h",
                              0);
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
template <int m_, int n_, int k_, class T_, class Layout>
static inline void load_matrix_sync(fragment<matrix_a, m_, n_, k_, T_, Layout>& to,
                                    const typename cairn_stored<T_>::type* from, unsigned distance) {
  cairn_load_factor(to, from, distance);
}
template <int m_, int n_, int k_, class T_, class Layout>
static inline void load_matrix_sync(fragment<matrix_b, m_, n_, k_, T_, Layout>& to,
                                    const typename cairn_stored<T_>::type* from, unsigned distance) {
  cairn_load_factor(to, from, distance);
}

template <int m_, int n_>
CAIRN_INLINE unsigned cairn_place(int element, unsigned distance, layout_t layout) {
  const unsigned index = cairn_thread->lane * (m_ * n_ / 32) + static_cast<unsigned>(element);
  const unsigned i = index / n_, j = index % n_;
  return layout == mem_row_major ? i * distance + j : j * distance + i;
}
template <int m_, int n_, int k_, class T_>
static inline void load_matrix_sync(fragment<accumulator, m_, n_, k_, T_>& to, const T_* from, unsigned distance,
                                    layout_t layout) {
  cairn_check_matrix(from, distance);
  for (int e = 0; e < to.num_elements; e++) to.x[e] = from[cairn_place<m_, n_>(e, distance, layout)];
  __syncwarp();
}
template <int m_, int n_, int k_, class T_>
static inline void store_matrix_sync(T_* to, const fragment<accumulator, m_, n_, k_, T_>& from, unsigned distance,
                                     layout_t layout) {
  cairn_check_matrix(to, distance);
  for (int e = 0; e < from.num_elements; e++) to[cairn_place<m_, n_>(e, distance, layout)] = from.x[e];
  __syncwarp();
}

template <class Use, int m_, int n_, int k_, class T_, class Layout, class Value>
static inline void fill_fragment(fragment<Use, m_, n_, k_, T_, Layout>& to, const Value& value) {
  for (int e = 0; e < to.num_elements; e++) to.x[e] = value;
}

static inline float __float_to_tf32(float x) {
  return isfinite(x) ? cairn_bits<float>((cairn_bits<unsigned>(x) + 0x1000u) & ~0x1fffu) : x;
}

template <bool Whole, class T_> struct cairn_sum { typedef float type; };
template <class T_> struct cairn_sum<true, T_> { typedef int type; };
template <> struct cairn_sum<false, double> { typedef double type; };

// Products exact, summed in float (int, double), rounded to the sum's type once.
template <int m_, int n_, int k_, class T_, class LayoutA, class LayoutB, class D_, class C_>
static inline void mma_sync(fragment<accumulator, m_, n_, k_, D_>& d,
                            const fragment<matrix_a, m_, n_, k_, T_, LayoutA>& a,
                            const fragment<matrix_b, m_, n_, k_, T_, LayoutB>& b,
                            const fragment<accumulator, m_, n_, k_, C_>& c, bool = false) {
  typedef typename cairn_sum<cairn_whole<T_>::value, D_>::type Sum;
  __syncwarp();
  for (int e = 0; e < d.num_elements; e++) {
    const int index = static_cast<int>(cairn_thread->lane) * d.num_elements + e, i = index / n_, j = index % n_;
    Sum sum = static_cast<Sum>(c.x[e]);
    for (int k = 0; k < k_; k++) sum += static_cast<Sum>(a.x[i * k_ + k]) * static_cast<Sum>(b.x[k * n_ + j]);
    d.x[e] = static_cast<D_>(sum);
  }
}

}  // namespace wmma
}  // namespace nvcuda
#endif
