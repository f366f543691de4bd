package dev.cairn.kernels.cuda.dnn;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.cairn.kernels.cuda.load.CudnnLibrary;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;

/**
 * The functions of cuDNN that Cairn uses. No other class calls cuDNN. Handles, descriptors and addresses, of host and
 * device memory, are plain numbers here. Signatures are those of cuDNN 9's legacy API, as bindings generated from its
 * headers have them.
 */
final class CudnnCalls {
  private static final MemoryLayout POINTER = JAVA_LONG;
  private static final MemoryLayout SIZE = JAVA_LONG;
  private static final int WORDS_BYTES = 1024;

  private final SymbolLookup library;
  private final MethodHandle setStream;
  private final MethodHandle forward;
  private final MethodHandle statusName;
  private final MethodHandle lastWords;

  /** @throws CudnnFailure if the library does not have a function */
  CudnnCalls(CudnnLibrary loaded) {
    library = SymbolLookup.libraryLookup(loaded.file(), Arena.global());
    setStream = link("cudnnSetStream", FunctionDescriptor.of(JAVA_INT, POINTER, POINTER));
    forward = link("cudnnConvolutionForward", FunctionDescriptor.of(JAVA_INT, POINTER, POINTER, POINTER, POINTER,
      POINTER, POINTER, POINTER, JAVA_INT, POINTER, SIZE, POINTER, POINTER, POINTER));
    statusName = link("cudnnGetErrorString", FunctionDescriptor.of(ADDRESS, JAVA_INT));
    lastWords = link("cudnnGetLastErrorString", FunctionDescriptor.ofVoid(POINTER, SIZE));
  }

  private MethodHandle link(String function, FunctionDescriptor descriptor) {
    return Linker.nativeLinker().downcallHandle(library.find(function).orElseThrow(() -> new CudnnFailure(function, 0,
      "MISSING", "the library has no such function")), descriptor);
  }

  /**
   * Calls a function that returns a status. Slow: for calls that happen once.
   *
   * @param arguments each an {@code Integer}, or a {@code Long} for an address or a size
   * @throws CudnnFailure if the status is not success
   */
  void call(String function, Object... arguments) {
    MemoryLayout[] layouts = Arrays.stream(arguments).map(it -> it instanceof Integer ? JAVA_INT : JAVA_LONG).toArray(
      MemoryLayout[]::new);
    try {
      check((int) link(function, FunctionDescriptor.of(JAVA_INT, layouts)).invokeWithArguments(arguments), function);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError("native code threw: function=" + function, e);
    }
  }

  void setStream(long handle, long stream) {
    int code;
    try {
      code = (int) setStream.invokeExact(handle, stream);
    } catch (Throwable e) {
      throw new AssertionError("native code threw: function=cudnnSetStream", e);
    }
    check(code, "cudnnSetStream");
  }

  /**
   * Runs the convolution.
   *
   * @param of the problem's descriptors
   * @param factors the addresses of the factors of the sums and of the result's old values
   */
  void forward(long handle, ConvolutionDescriptors of, int algorithm, Factors factors, Operands at) {
    int code;
    try {
      code = (int) forward.invokeExact(handle, factors.alpha(), of.x(), at.x, of.weights(), at.weights, of
        .convolution(), algorithm, at.workspace, at.workspaceBytes, factors.beta(), of.y(), at.y);
    } catch (Throwable e) {
      throw new AssertionError("native code threw: function=cudnnConvolutionForward", e);
    }
    check(code, "cudnnConvolutionForward");
  }

  /** The addresses, in host memory, of a convolution's factors: {@code y = alpha conv(x, w) + beta y}. */
  record Factors(long alpha, long beta) {}

  /** The addresses of a convolution's operands. Each run sets them again, and so creates no garbage. */
  static final class Operands {
    long x;
    long weights;
    long y;
    long workspace;
    long workspaceBytes;
  }

  private void check(int code, String function) {
    if (code != 0) {
      throw failure(code, function);
    }
  }

  private CudnnFailure failure(int code, String function) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment name = (MemorySegment) statusName.invokeExact(code);
      MemorySegment words = arena.allocate(WORDS_BYTES);
      lastWords.invokeExact(words.address(), words.byteSize());
      String said = words.getString(0).strip();
      return new CudnnFailure(function, code, name.reinterpret(WORDS_BYTES).getString(0), said.isEmpty()
        ? ""
        : "words=" + said);
    } catch (Throwable e) {
      throw new AssertionError("native code threw: function=cudnnGetLastErrorString", e);
    }
  }
}
