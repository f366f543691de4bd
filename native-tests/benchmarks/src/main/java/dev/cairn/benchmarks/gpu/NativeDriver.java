package dev.cairn.benchmarks.gpu;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.cairn.kernels.cuda.load.CudaLibraries;
import dev.cairn.kernels.cuda.load.CudaSearch;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.Map;

/**
 * The driver's own functions, called with nothing between but the JVM's downcall, which costs some ten nanoseconds:
 * what Cairn's calls are measured against. CUDA must be loaded before this class is, and a context be current at each
 * call. Handles are plain addresses.
 */
final class NativeDriver {
  /** Whether this is the simulator, which has functions that no driver has. */
  static final boolean SIMULATED;
  private static final SymbolLookup LIBRARY = SymbolLookup.libraryLookup(CudaLibraries.load(CudaSearch.of(Map.of()))
    .driver(), Arena.global());
  private static final MethodHandle LAUNCH = link("cuLaunchKernel", JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT,
    JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS, ADDRESS);

  static {
    SIMULATED = LIBRARY.find("cairn_sim_calls").isPresent();
  }

  private final MemorySegment result = Arena.ofAuto().allocate(JAVA_LONG);

  private static MethodHandle link(String function, MemoryLayout... arguments) {
    return Linker.nativeLinker().downcallHandle(LIBRARY.findOrThrow(function), FunctionDescriptor.of(JAVA_INT,
      arguments));
  }

  /** A call that is made once, so that its handle need not be kept. */
  private long made(String function, FunctionDescriptor type, Object... more) {
    Object[] arguments = new Object[more.length + 1];
    arguments[0] = result;
    System.arraycopy(more, 0, arguments, 1, more.length);
    try {
      Object code = Linker.nativeLinker().downcallHandle(LIBRARY.findOrThrow(function), type).invokeWithArguments(
        arguments);
      check((int) code, function);
    } catch (Throwable e) {
      throw failure(function, e);
    }
    return result.get(JAVA_LONG, 0);
  }

  /** A new stream, which lasts as long as the context. */
  long newStream() {
    return made("cuStreamCreate", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT), 1);
  }

  /** A kernel of a module that is loaded for it, which lasts as long as the context. */
  long function(byte[] image, String name) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment code = arena.allocate(image.length + 1L);
      MemorySegment.copy(image, 0, code, JAVA_BYTE, 0, image.length);
      long module = made("cuModuleLoadData", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS), code);
      return made("cuModuleGetFunction", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, ADDRESS), module, arena
        .allocateFrom(name));
    }
  }

  /** Launches rows of blocks. */
  void launch(long function, int blocks, int blockThreads, long stream, MemorySegment arguments) {
    try {
      check((int) LAUNCH.invokeExact(function, blocks, 1, 1, blockThreads, 1, 1, 0, stream, arguments,
        MemorySegment.NULL), "cuLaunchKernel");
    } catch (Throwable e) {
      throw failure("cuLaunchKernel", e);
    }
  }

  private static void check(int code, String call) {
    if (code != 0) {
      throw new IllegalStateException("the driver refuses a call: call=%s code=%d".formatted(call, code));
    }
  }

  private static RuntimeException failure(String call, Throwable cause) {
    return cause instanceof RuntimeException known
      ? known
      : new IllegalStateException("the driver can't be called: call=" + call, cause);
  }
}
