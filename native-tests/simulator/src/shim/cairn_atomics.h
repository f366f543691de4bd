// Atomic functions for the types that CUDA has them for, and no others.
#pragma once

// Reads, changes and writes as one step; answers the old value. Bits is an integer of the same size.
template <class Bits, class T, class Change>
CAIRN_INLINE T cairn_atomic(T* address, Change change) {
  Bits old = __atomic_load_n(reinterpret_cast<Bits*>(address), __ATOMIC_RELAXED);
  for (;;) {
    const T before = cairn_bits<T>(old);
    const Bits wanted = cairn_bits<Bits>(static_cast<T>(change(before)));
    if (__atomic_compare_exchange_n(reinterpret_cast<Bits*>(address), &old, wanted, false, __ATOMIC_RELAXED,
                                    __ATOMIC_RELAXED)) {
      return before;
    }
  }
}

CAIRN_INLINE void cairn_note_sum(const void* address, unsigned bytes) {
  if (cairn_thread->notesAtomics) cairn_thread->calls->noteAtomic(address, bytes);
}

#define CAIRN_ATOMIC(name, T, Bits, change) \
  CAIRN_INLINE T name(T* address, T value) { \
    return cairn_atomic<Bits>(address, [=](T old) { return change; }); \
  }
#define CAIRN_ATOMIC_SUM(T, Bits) \
  CAIRN_INLINE T atomicAdd(T* address, T value) { \
    cairn_note_sum(address, sizeof(T)); \
    return cairn_atomic<Bits>(address, [=](T old) { return old + value; }); \
  }

CAIRN_ATOMIC(atomicAdd, int, unsigned, static_cast<int>(static_cast<unsigned>(old) + static_cast<unsigned>(value)))
CAIRN_ATOMIC(atomicAdd, unsigned, unsigned, old + value)
CAIRN_ATOMIC(atomicAdd, unsigned long long, unsigned long long, old + value)
CAIRN_ATOMIC_SUM(float, unsigned)
CAIRN_ATOMIC_SUM(double, unsigned long long)
CAIRN_ATOMIC(atomicSub, int, unsigned, static_cast<int>(static_cast<unsigned>(old) - static_cast<unsigned>(value)))
CAIRN_ATOMIC(atomicSub, unsigned, unsigned, old - value)
CAIRN_ATOMIC(atomicInc, unsigned, unsigned, old >= value ? 0u : old + 1)
CAIRN_ATOMIC(atomicDec, unsigned, unsigned, old == 0 || old > value ? value : old - 1)

#define CAIRN_ATOMIC_ORDER(T, Bits) \
  CAIRN_ATOMIC(atomicMin, T, Bits, value < old ? value : old) \
  CAIRN_ATOMIC(atomicMax, T, Bits, old < value ? value : old)
CAIRN_ATOMIC_ORDER(int, unsigned)
CAIRN_ATOMIC_ORDER(unsigned, unsigned)
CAIRN_ATOMIC_ORDER(long long, unsigned long long)
CAIRN_ATOMIC_ORDER(unsigned long long, unsigned long long)

#define CAIRN_ATOMIC_BITS(T, Bits) \
  CAIRN_ATOMIC(atomicAnd, T, Bits, old & value) \
  CAIRN_ATOMIC(atomicOr, T, Bits, old | value) \
  CAIRN_ATOMIC(atomicXor, T, Bits, old ^ value) \
  CAIRN_ATOMIC(atomicExch, T, Bits, value)
CAIRN_ATOMIC_BITS(int, unsigned)
CAIRN_ATOMIC_BITS(unsigned, unsigned)
CAIRN_ATOMIC_BITS(unsigned long long, unsigned long long)
CAIRN_ATOMIC(atomicExch, float, unsigned, value)

#define CAIRN_ATOMIC_CAS(T) \
  CAIRN_INLINE T atomicCAS(T* address, T expected, T value) { \
    __atomic_compare_exchange_n(address, &expected, value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED); \
    return expected; \
  }
CAIRN_ATOMIC_CAS(int)
CAIRN_ATOMIC_CAS(unsigned)
CAIRN_ATOMIC_CAS(unsigned long long)
CAIRN_ATOMIC_CAS(unsigned short)

#undef CAIRN_ATOMIC_ORDER
#undef CAIRN_ATOMIC_BITS
#undef CAIRN_ATOMIC_CAS
