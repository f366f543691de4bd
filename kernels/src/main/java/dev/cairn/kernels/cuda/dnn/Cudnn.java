package dev.cairn.kernels.cuda.dnn;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.cairn.kernels.cuda.CudaDevice;
import dev.cairn.kernels.cuda.CudaFailure;
import dev.cairn.kernels.cuda.CudaStream;
import dev.cairn.kernels.cuda.dnn.CudnnCalls.Factors;
import dev.cairn.kernels.cuda.dnn.CudnnCalls.Operands;
import dev.cairn.kernels.cuda.load.CudnnLibrary;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * cuDNN on one device. Owns its descriptors. Thread-safe, one call at a time. Close it before its device.
 */
public final class Cudnn implements AutoCloseable {
  /** The most workspace of an algorithm. A plan holds its workspace as long as it lives. */
  static final long MOST_WORKSPACE_BYTES = 64L << 20;
  /** The alignment of workspace. This many bytes are added to what cuDNN needs. */
  static final long WORKSPACE_ALIGNMENT = 256;

  private final CudaDevice device;
  private final CudnnLibrary library;
  private final CudnnCalls calls;
  private final long handle;
  private final Arena arena = Arena.ofAuto();
  private final MemorySegment zeroAndOne = arena.allocateFrom(JAVA_FLOAT, 0, 1);
  private final Factors replacing = new Factors(zeroAndOne.address() + Float.BYTES, zeroAndOne.address());
  private final Factors adding = new Factors(zeroAndOne.address() + Float.BYTES, zeroAndOne.address() + Float.BYTES);
  private final Map<ConvolutionProblem, ConvolutionDescriptors> descriptors = new LinkedHashMap<>();
  private final Map<ConvolutionProblem, List<ConvolutionAlgorithm>> algorithms = new LinkedHashMap<>();
  private @Nullable CudaStream bound;
  private boolean closed;

  private Cudnn(CudaDevice device, CudnnLibrary library, CudnnCalls calls, long handle) {
    this.device = device;
    this.library = library;
    this.calls = calls;
    this.handle = handle;
  }

  /**
   * Opens cuDNN for a device.
   *
   * @throws CudnnFailure if a library that it needs is missing, or does not support the device
   */
  public static Cudnn open(CudnnLibrary library, CudaDevice device) {
    device.makeCurrent();
    var calls = new CudnnCalls(library);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment answer = arena.allocate(JAVA_LONG);
      calls.call("cudnnCreate", answer.address());
      return new Cudnn(device, library, calls, answer.get(JAVA_LONG, 0));
    }
  }

  /** The loaded library. */
  public CudnnLibrary library() {
    return library;
  }

  /**
   * The algorithms for a problem, in the order in which cuDNN expects them to be fast. Only algorithms that are
   * deterministic, read operands with the requested precision, and need at most 64 MiB of workspace. Repeated calls
   * return the same list.
   *
   * @return an empty list if cuDNN does not support this problem on this device
   */
  public synchronized List<ConvolutionAlgorithm> algorithms(ConvolutionProblem problem) {
    enter();
    List<ConvolutionAlgorithm> known = algorithms.get(problem);
    if (known == null) {
      known = advised(problem);
      algorithms.put(problem, known);
    }
    return known;
  }

  private List<ConvolutionAlgorithm> advised(ConvolutionProblem problem) {
    try {
      ConvolutionDescriptors of = describe(problem);
      List<ConvolutionAlgorithm> found = new ArrayList<>();
      for (int number : AlgorithmAdvice.usable(calls, handle, of, problem.precision())) {
        long bytes = unlessUnsupported(it -> workspaceBytes(of, it), number);
        if (bytes >= 0 && bytes <= MOST_WORKSPACE_BYTES) {
          found.add(new ConvolutionAlgorithm(number, bytes == 0 ? 0 : bytes + WORKSPACE_ALIGNMENT));
        }
      }
      return List.copyOf(found);
    } catch (CudnnFailure e) {
      if (e.isUnsupported()) {
        return List.of();
      }
      throw e;
    }
  }

  /** Returns -1 if cuDNN does not support the algorithm: it may recommend algorithms that it does not have. */
  private static long unlessUnsupported(ToLongFunction<Integer> question, int number) {
    try {
      return question.applyAsLong(number);
    } catch (CudnnFailure e) {
      if (e.isUnsupported()) {
        return -1;
      }
      throw e;
    }
  }

  private long workspaceBytes(ConvolutionDescriptors of, int algorithm) {
    try (Arena answers = Arena.ofConfined()) {
      MemorySegment bytes = answers.allocate(JAVA_LONG);
      calls.call("cudnnGetConvolutionForwardWorkspaceSize", handle, of.x(), of.weights(), of.convolution(), of.y(),
        algorithm, bytes.address());
      return bytes.get(JAVA_LONG, 0);
    }
  }

  private ConvolutionDescriptors describe(ConvolutionProblem problem) {
    ConvolutionDescriptors known = descriptors.get(problem);
    if (known == null) {
      known = new ConvolutionDescriptors(calls, problem);
      descriptors.put(problem, known);
    }
    return known;
  }

  /**
   * Prepares a problem with one of its algorithms.
   *
   * @param adds whether to add results to the values in the output, instead of replacing them
   */
  public synchronized ForwardConvolution prepare(ConvolutionProblem problem, ConvolutionAlgorithm algorithm,
    boolean adds) {
    enter();
    return new ForwardConvolution(this, describe(problem), algorithm, adds ? adding : replacing);
  }

  synchronized void enqueue(CudaStream stream, ForwardConvolution convolution, Operands operands) {
    enter();
    if (stream.device() != device) {
      throw new IllegalArgumentException("stream of another device: device=%s other=%s".formatted(device.id(),
        stream.device().id()));
    }
    // Read each time, because this throws if the stream was closed meanwhile.
    long address = stream.address();
    if (bound != stream) {
      bound = null;
      calls.setStream(handle, address);
      bound = stream;
    }
    calls.forward(handle, convolution.descriptors(), convolution.algorithm().number(), convolution.factors(), operands);
  }

  private void enter() {
    if (closed) {
      throw new IllegalStateException("cuDNN is closed: device=" + device.id());
    }
    device.makeCurrent();
  }

  /** Closes the handle. In a lost context there is nothing to destroy. If closing fails, the caller may repeat it. */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    for (Iterator<ConvolutionDescriptors> each = descriptors.values().iterator(); each.hasNext();) {
      each.next().destroy();
      each.remove();
    }
    // If its device is already closed, there is no context in which to destroy the handle.
    if (device.isOpen()) {
      try {
        enter();
        calls.call("cudnnDestroy", handle);
      } catch (CudaFailure | CudnnFailure e) {
        if (!device.isLost()) {
          throw e;
        }
      }
    }
    closed = true;
  }
}
