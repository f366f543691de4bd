package dev.cairn.kernels.cuda.dnn;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.cairn.kernels.cuda.blas.GemmPrecision;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Reads the list of algorithms that cuDNN expects to be fast, and selects the algorithms that Cairn may use. Stateless.
 */
final class AlgorithmAdvice {
  /** {@code cudnnConvolutionFwdAlgoPerf_t}: algorithm, status, time, a gap, memory, determinism, math, reserved. */
  private static final long BYTES = 48;
  private static final long STATUS = 4;
  private static final long DETERMINISM = 24;
  private static final long MATH = 28;
  private static final int DETERMINISTIC = 1;
  private static final int TENSOR_OP_MATH = 1;
  private static final int ALLOW_CONVERSION = 2;

  /**
   * Matrix products in any form, and Winograd's transforms of small tiles. The algorithms but Fourier transforms, 4 and
   * 5: their rounding errors grow with the image, and their workspace is many times as large as the operands.
   */
  private static final Set<Integer> USED = Set.of(0, 1, 2, 6, 7);

  private AlgorithmAdvice() {}

  /**
   * The numbers of cuDNN's algorithms for a problem, best first, without duplicates. Only algorithms that are
   * deterministic and read operands with the requested precision.
   */
  static List<Integer> usable(CudnnCalls calls, long handle, ConvolutionDescriptors of, GemmPrecision precision) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment count = arena.allocate(JAVA_INT);
      calls.call("cudnnGetConvolutionForwardAlgorithmMaxCount", handle, count.address());
      int most = Math.max(1, count.get(JAVA_INT, 0));
      MemorySegment advice = arena.allocate(BYTES * most, Long.BYTES);
      calls.call("cudnnGetConvolutionForwardAlgorithm_v7", handle, of.x(), of.weights(), of.convolution(), of.y(), most,
        count.address(), advice.address());
      List<Integer> usable = new ArrayList<>();
      for (long at = 0; at < BYTES * Math.clamp(count.get(JAVA_INT, 0), 0, most); at += BYTES) {
        int algorithm = advice.get(JAVA_INT, at);
        if (isUsable(advice.asSlice(at, BYTES), precision) && !usable.contains(algorithm)) {
          usable.add(algorithm);
        }
      }
      return usable;
    }
  }

  private static boolean isUsable(MemorySegment advice, GemmPrecision precision) {
    int math = advice.get(JAVA_INT, MATH);
    return advice.get(JAVA_INT, STATUS) == 0 && advice.get(JAVA_INT, DETERMINISM) == DETERMINISTIC
      && math != ALLOW_CONVERSION && (precision != GemmPrecision.FLOAT32 || math != TENSOR_OP_MATH)
      && USED.contains(advice.get(JAVA_INT, 0));
  }
}
