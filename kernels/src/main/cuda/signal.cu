// Spectra of frames of signals, term by term: frames are short, and a block has the waves of its length at hand.
#include "cairn.cuh"

#define THREADS 256
// 32 KiB of shared memory.
#define MOST_LENGTH (8192 / sizeof(WIDE))

// Complex numbers are pairs; a signal has `parts` numbers for each element, 1 or 2. One block a frame.
extern "C" __global__ void __launch_bounds__(THREADS) frames(const VALUE* __restrict__ signal,
    const VALUE* __restrict__ window, VALUE* __restrict__ to, int64 count, int64 of_signal, int64 signal_length,
    int64 step, int length, int bins, int parts) {
  __shared__ WIDE cosines[MOST_LENGTH];
  __shared__ WIDE sines[MOST_LENGTH];
  __shared__ WIDE real[MOST_LENGTH];
  __shared__ WIDE imaginary[MOST_LENGTH];
  for (int i = threadIdx.x; i < length; i += THREADS) {
    double angle = 6.283185307179586476925 * i / length;
    cosines[i] = (WIDE) cos(angle);
    sines[i] = (WIDE) sin(angle);
  }
  for (int64 frame = blockIdx.x; frame < count; frame += gridDim.x) {
    const VALUE* mine = signal + (frame / of_signal * signal_length + frame % of_signal * step) * parts;
    for (int i = threadIdx.x; i < length; i += THREADS) {
      WIDE weight = window == nullptr ? (WIDE) 1 : widen(window[i]);
      real[i] = weight * widen(mine[(int64) i * parts]);
      imaginary[i] = parts > 1 ? weight * widen(mine[(int64) i * parts + 1]) : (WIDE) 0;
    }
    __syncthreads();
    for (int bin = threadIdx.x; bin < bins; bin += THREADS) {
      WIDE sum = 0;
      WIDE other = 0;
      int at = 0;
      for (int i = 0; i < length; i++) {
        sum += real[i] * cosines[at] + imaginary[i] * sines[at];
        other += imaginary[i] * cosines[at] - real[i] * sines[at];
        at += bin;
        at -= at >= length ? length : 0;
      }
      to[(frame * bins + bin) * 2] = narrow<VALUE>(sum);
      to[(frame * bins + bin) * 2 + 1] = narrow<VALUE>(other);
    }
    __syncthreads();
  }
}
