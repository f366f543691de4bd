// Who a thread is, how the threads of a block wait for each other, and how a kernel ends in failure.
#pragma once

#define threadIdx (*reinterpret_cast<const uint3*>(cairn_thread->threadIndex))
#define blockIdx (*reinterpret_cast<const uint3*>(cairn_thread->blockIndex))
#define blockDim (*reinterpret_cast<const dim3*>(cairn_thread->blockShape))
#define gridDim (*reinterpret_cast<const dim3*>(cairn_thread->gridShape))
#define warpSize 32

// The line tells barriers apart: threads of a block that wait at different ones are a fault.
CAIRN_INLINE void __syncthreads(int line = __builtin_LINE()) {
  cairn_thread->calls->barrier(cairn_thread, line, CAIRN_BARRIER, 0);
}
CAIRN_INLINE int __syncthreads_count(int predicate, int line = __builtin_LINE()) {
  return cairn_thread->calls->barrier(cairn_thread, line, CAIRN_BARRIER_COUNT, predicate);
}
CAIRN_INLINE int __syncthreads_and(int predicate, int line = __builtin_LINE()) {
  return cairn_thread->calls->barrier(cairn_thread, line, CAIRN_BARRIER_AND, predicate);
}
CAIRN_INLINE int __syncthreads_or(int predicate, int line = __builtin_LINE()) {
  return cairn_thread->calls->barrier(cairn_thread, line, CAIRN_BARRIER_OR, predicate);
}

CAIRN_INLINE void __threadfence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
CAIRN_INLINE void __threadfence_block() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
CAIRN_INLINE void __threadfence_system() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }

CAIRN_INLINE void __trap(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  cairn_thread->calls->fail(cairn_thread, 719, "__trap()", file, line);
}
#ifdef NDEBUG
#define assert(condition) ((void)0)
#else
#define assert(condition) \
  ((condition) ? (void)0 \
               : cairn_thread->calls->fail(cairn_thread, 710, "assertion failed: " #condition, __FILE__, __LINE__))
#endif

template <class... Arguments>
static inline int printf(const char* format, Arguments... arguments) {
  return cairn_thread->calls->print(format, arguments...);
}

CAIRN_INLINE long long clock64() { return static_cast<long long>(__builtin_ia32_rdtsc()); }
CAIRN_INLINE clock_t clock() { return static_cast<clock_t>(__builtin_ia32_rdtsc()); }
CAIRN_INLINE void __nanosleep(unsigned) {}
