package dev.cairn.runtime.custom;

import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cuda.CudaFunction;
import dev.cairn.kernels.cuda.kernel.Launch;

/**
 * The CUDA C of an operator. NVRTC compiles it on first use, once for each element type of the first input (of the
 * first result, for an operator without inputs). {@code #include "cairn.cuh"} defines that type as {@code VALUE}, and
 * {@code EACH(i, count)} as the loop of a thread over its elements.
 *
 * @param text the source
 * @param function the name of an {@code extern "C" __global__} function
 * @param launch adds the function's arguments and decides how many threads run
 */
public record CudaKernelSource(String text, String function, LaunchRule launch) {
  /** Prepares the launches of one call. */
  @FunctionalInterface
  public interface LaunchRule {
    /** @return launches, combined by {@link Launch#inOrder} if there are several */
    Runnable prepare(KernelCall call, CudaFunction function);
  }

  /**
   * A function whose parameters are a pointer to each input, a pointer to each result and the number of elements of the
   * first result, a {@code long long}. Threads loop over these elements.
   */
  public static CudaKernelSource of(String text, String function) {
    return new CudaKernelSource(text, function, CudaKernelSource::overElements);
  }

  private static Runnable overElements(KernelCall call, CudaFunction function) {
    Launch.Builder launch = Launch.of(call, function);
    for (int i = 0; i < call.inputCount(); i++) {
      launch.input(i);
    }
    for (int i = 0; i < call.outputCount(); i++) {
      launch.output(i);
    }
    long count = call.output(0).elementCount();
    return count == 0 ? () -> {} : launch.value(count).overElements(count);
  }
}
