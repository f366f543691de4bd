// What the simulated cuBLAS and cuDNN need of the simulated driver beyond the public API; exported by libcuda.so.1.
#pragma once
#include "abi.h"

// Puts work into a stream as a kernel would be: in order, captured into a graph while the stream captures, skipped once
// the context is lost. `run` may be called any number of times (a graph is replayed) and answers a CUresult, where
// anything but 0 loses the context; `drop` is called once, when `run` will never be called again (null: nothing to do).
// When this call itself fails, `drop` has been called.
SIM_EXPORT CUresult cairn_sim_enqueue(CUstream stream, const char* name, int (*run)(void* data), void* data,
                                      void (*drop)(void* data));

// 1 when [address, address + bytes) is memory that the device can reach.
SIM_EXPORT int cairn_sim_reachable(const void* address, size_t bytes);

// Counts a call of a library over the driver; the code that a test wants it to answer (cairn_sim_fail), or -1.
SIM_EXPORT int cairn_sim_planned(const char* call);
