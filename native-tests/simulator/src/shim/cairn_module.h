// How a compiled source tells the simulator what kernels it has. The simulated NVRTC appends the table to the source.
#pragma once

template <class T> struct CairnPlain { typedef T Type; };
template <class T> struct CairnPlain<const T> { typedef T Type; };

template <int... I> struct CairnIndices {};
template <int N, int... I> struct CairnCount : CairnCount<N - 1, N - 1, I...> {};
template <int... I> struct CairnCount<0, I...> { typedef CairnIndices<I...> Type; };

// For a name that is no kernel (a variable that a name expression asks for) there are no facts.
template <auto Kernel> struct CairnEntry {
  static CairnKernelEntry make(unsigned) { return {}; }
};

template <class... Parameters, void (*Kernel)(Parameters...)>
struct CairnEntry<Kernel> {
  static constexpr unsigned sizes[sizeof...(Parameters) + 1] = {sizeof(Parameters)..., 0};
  static_assert((sizeof(Parameters) + ... + 0) <= 4096, "a kernel takes at most 4096 bytes of parameters");
  static_assert((__is_trivially_copyable(Parameters) && ... && true),
                "a kernel's parameters are copied as bytes: no reference, no class that minds");

  template <int... I>
  static void call(void** arguments, CairnIndices<I...>) {
    Kernel(*static_cast<typename CairnPlain<Parameters>::Type*>(arguments[I])...);
  }
  static void invoke(void** arguments) { call(arguments, typename CairnCount<sizeof...(Parameters)>::Type()); }

  static CairnKernelEntry make(unsigned maxThreads) {
    return {reinterpret_cast<const void*>(Kernel), &invoke, sizeof...(Parameters), sizes, maxThreads};
  }
};
