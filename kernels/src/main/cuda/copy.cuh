// Copies of 16 bytes from global to shared memory that go on while a thread computes (from sm_80 on). A thread starts
// them, ends a group of them, and waits for groups in their order; others see them after a barrier behind that.
#pragma once
#include "cairn.cuh"

struct __align__(16) SixteenBytes {
  uint64 halves[2];
};

#if defined(__CAIRN_SIM__)
// On the simulator, every other thread copies at once, and the rest as late as a device may. So it shows when data are
// read too early, or written over while others still read them.
class Copies {
 public:
  __device__ void start(void* to, const void* from, bool wanted) {
    Copy copy = {(SixteenBytes*) to, (const SixteenBytes*) from, wanted, group};
    if (threadIdx.x % 2 == 0) {
      finish(copy);
    } else {
      waiting[count++] = copy;
    }
  }

  __device__ void end_group() { group++; }

  template <int GROUPS>
  __device__ void wait() {
    int kept = 0;
    for (int i = 0; i < count; i++) {
      if (waiting[i].group < group - GROUPS) {
        finish(waiting[i]);
      } else {
        waiting[kept++] = waiting[i];
      }
    }
    count = kept;
  }

 private:
  struct Copy {
    SixteenBytes* to;
    const SixteenBytes* from;
    bool wanted;
    int group;
  };

  __device__ static void finish(const Copy& copy) { *copy.to = copy.wanted ? *copy.from : SixteenBytes{{0, 0}}; }

  Copy waiting[64];
  int count = 0;
  int group = 0;
};
#else
class Copies {
 public:
  // Copies 16 bytes that begin at a multiple of 16. If they are not wanted, it writes zeros and reads nothing.
  __device__ __forceinline__ void start(void* to, const void* from, bool wanted) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;"
        :: "r"((uint32) __cvta_generic_to_shared(to)), "l"(__cvta_generic_to_global(from)), "r"(wanted ? 16 : 0)
        : "memory");
  }

  __device__ __forceinline__ void end_group() { asm volatile("cp.async.commit_group;" ::: "memory"); }

  // Waits until all groups have arrived except so many of the latest.
  template <int GROUPS>
  __device__ __forceinline__ void wait() {
    asm volatile("cp.async.wait_group %0;" :: "n"(GROUPS) : "memory");
  }
};
#endif
