package dev.cairn.kernels.cuda.dnn;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.cairn.kernels.cuda.blas.GemmPrecision;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;

/**
 * The descriptors that represent a problem in cuDNN, which keeps them in host memory. They do not change after they are
 * set, so any number of threads may use them.
 */
final class ConvolutionDescriptors {
  private static final int FLOAT = 0;
  private static final int HALF = 2;
  private static final int BFLOAT16 = 9;
  /** The order of weights: outputs, inputs, taps. */
  private static final int ROW_MAJOR = 0;
  private static final int CROSS_CORRELATION = 1;

  /** cuDNN's fast mode: tensor cores read {@code float} with 10 bits of fraction. */
  private static final int DEFAULT_MATH = 0;
  private static final int TENSOR_OP_MATH = 1;
  /** Full precision of {@code float}. */
  private static final int FMA_MATH = 3;

  private final CudnnCalls calls;
  private final List<Made> made = new ArrayList<>();
  private final long x;
  private final long weights;
  private final long y;
  private final long convolution;

  private record Made(String kind, long address) {}

  /** @throws CudnnFailure if cuDNN does not support the convolution. Then no descriptor is left */
  ConvolutionDescriptors(CudnnCalls calls, ConvolutionProblem problem) {
    this.calls = calls;
    try {
      x = make("Tensor");
      weights = make("Filter");
      y = make("Tensor");
      convolution = make("Convolution");
      set(problem);
    } catch (RuntimeException | Error e) {
      discard(e);
      throw e;
    }
  }

  private long make(String kind) {
    try (Arena arena = Arena.ofConfined()) {
      var answer = arena.allocate(JAVA_LONG);
      calls.call("cudnnCreate%sDescriptor".formatted(kind), answer.address());
      long address = answer.get(JAVA_LONG, 0);
      made.add(new Made(kind, address));
      return address;
    }
  }

  private void set(ConvolutionProblem problem) {
    int type = typeOf(problem.precision());
    try (Arena arena = Arena.ofConfined()) {
      setTensor(arena, x, type, problem.input());
      setTensor(arena, y, type, problem.output());
      calls.call("cudnnSetFilterNdDescriptor", weights, type, ROW_MAJOR, problem.weights().size(), ints(arena, problem
        .weights()));
      calls.call("cudnnSetConvolutionNdDescriptor", convolution, problem.axes(), ints(arena, problem.pads()), ints(
        arena, problem.strides()), ints(arena, problem.dilations()), CROSS_CORRELATION, FLOAT);
    }
    calls.call("cudnnSetConvolutionGroupCount", convolution, problem.groups());
    calls.call("cudnnSetConvolutionMathType", convolution, mathOf(problem.precision()));
  }

  private void setTensor(Arena arena, long descriptor, int type, List<Integer> extents) {
    Integer[] strides = new Integer[extents.size()];
    int stride = 1;
    for (int axis = strides.length - 1; axis >= 0; axis--) {
      strides[axis] = stride;
      stride = Math.multiplyExact(stride, extents.get(axis));
    }
    calls.call("cudnnSetTensorNdDescriptor", descriptor, type, strides.length, ints(arena, extents), ints(arena, List
      .of(strides)));
  }

  private static long ints(Arena arena, List<Integer> values) {
    return arena.allocateFrom(JAVA_INT, values.stream().mapToInt(Integer::intValue).toArray()).address();
  }

  private static int typeOf(GemmPrecision precision) {
    return switch (precision) {
      case FLOAT32, TENSOR_FLOAT32 -> FLOAT;
      case FLOAT16 -> HALF;
      case BFLOAT16 -> BFLOAT16;
    };
  }

  private static int mathOf(GemmPrecision precision) {
    return switch (precision) {
      case FLOAT32 -> FMA_MATH;
      case FLOAT16 -> TENSOR_OP_MATH;
      case TENSOR_FLOAT32, BFLOAT16 -> DEFAULT_MATH;
    };
  }

  long x() {
    return x;
  }

  long weights() {
    return weights;
  }

  long y() {
    return y;
  }

  long convolution() {
    return convolution;
  }

  private void discard(Throwable cause) {
    try {
      destroy();
    } catch (CudnnFailure e) {
      cause.addSuppressed(e);
    }
  }

  /** Destroys the descriptors, latest first. If cuDNN refuses one, it stays, and the caller may try again. */
  void destroy() {
    while (!made.isEmpty()) {
      Made last = made.getLast();
      calls.call("cudnnDestroy%sDescriptor".formatted(last.kind), last.address);
      made.removeLast();
    }
  }
}
