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
 * cuDNN on one device. Owns its descriptors. Safe for use by many threads, one call at a time. Close it before its
 * device.
 */
public final class Cudnn implements AutoCloseable {
  /** What an algorithm may want at most: plans hold it as long as they live. */
  static final long MOST_WORKSPACE_BYTES = 64L << 20;
  /** Where workspace begins; cuDNN is given so much more than it asks for. */
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
   * cuDNN for that device.
   *
   * @throws CudnnFailure when it can't be started: a library behind it is missing, or does not know the device
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

  /** What was loaded. */
  public CudnnLibrary library() {
    return library;
  }

  /**
   * Algorithms for a problem, the one that cuDNN expects to be fastest first: only those that give the same bits each
   * time, read every bit that they should, and want at most 64 MiB of workspace. The same each time it is asked.
   *
   * @return none where cuDNN has nothing for this problem on this device
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

  /** -1 where cuDNN has no answer: its advice may name what it does not have. */
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
   * A problem with one of its algorithms, ready to run.
   *
   * @param adds whether results are added to what the output holds, rather than replace it
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
    // Asked for each time, since it refuses a stream that was closed meanwhile.
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

  /** In a lost context the handle can't be destroyed, nor need it be; where it works, closing may be tried again. */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    for (Iterator<ConvolutionDescriptors> each = descriptors.values().iterator(); each.hasNext();) {
      each.next().destroy();
      each.remove();
    }
    // After its device there is no context left to destroy the handle in.
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
