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
  /** {@code CU_MEMPOOL_ATTR_RELEASE_THRESHOLD}. */
  private static final int RELEASE_THRESHOLD = 4;
  private static final SymbolLookup LIBRARY = SymbolLookup.libraryLookup(CudaLibraries.load(CudaSearch.of(Map.of()))
    .driver(), Arena.global());
  private static final MethodHandle LAUNCH = link("cuLaunchKernel", JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT,
    JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS, ADDRESS);
  private static final MethodHandle ALLOCATE = link("cuMemAlloc_v2", ADDRESS, JAVA_LONG);
  private static final MethodHandle FREE = link("cuMemFree_v2", JAVA_LONG);
  private static final MethodHandle ALLOCATE_IN_ORDER = link("cuMemAllocAsync", ADDRESS, JAVA_LONG, JAVA_LONG);
  private static final MethodHandle FREE_IN_ORDER = link("cuMemFreeAsync", JAVA_LONG, JAVA_LONG);
  private static final MethodHandle TO_DEVICE = link("cuMemcpyHtoDAsync_v2", JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_LONG);
  private static final MethodHandle TO_HOST = link("cuMemcpyDtoHAsync_v2", ADDRESS, JAVA_LONG, JAVA_LONG, JAVA_LONG);
  private static final MethodHandle ON_DEVICE = link("cuMemcpyDtoDAsync_v2", JAVA_LONG, JAVA_LONG, JAVA_LONG,
    JAVA_LONG);
  private static final MethodHandle SYNCHRONIZE = link("cuStreamSynchronize", JAVA_LONG);

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

  /**
   * Lets the device's pool keep what is freed: as those set it who allocate by stream and want it fast. Nothing happens
   * where the driver has no such call.
   */
  void keepFreedMemory(int ordinal) {
    if (LIBRARY.find("cuDeviceGetDefaultMemPool").isEmpty() || LIBRARY.find("cuMemPoolSetAttribute").isEmpty()) {
      return;
    }
    long pool = made("cuDeviceGetDefaultMemPool", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT), ordinal);
    result.set(JAVA_LONG, 0, Long.MAX_VALUE);
    try {
      Object code = Linker.nativeLinker().downcallHandle(LIBRARY.findOrThrow("cuMemPoolSetAttribute"),
        FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT, ADDRESS)).invokeWithArguments(pool, RELEASE_THRESHOLD,
          result);
      check((int) code, "cuMemPoolSetAttribute");
    } catch (Throwable e) {
      throw failure("cuMemPoolSetAttribute", e);
    }
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

  long allocate(long bytes) {
    try {
      check((int) ALLOCATE.invokeExact(result, bytes), "cuMemAlloc");
    } catch (Throwable e) {
      throw failure("cuMemAlloc", e);
    }
    return result.get(JAVA_LONG, 0);
  }

  void free(long address) {
    try {
      check((int) FREE.invokeExact(address), "cuMemFree");
    } catch (Throwable e) {
      throw failure("cuMemFree", e);
    }
  }

  long allocateInOrder(long bytes, long stream) {
    try {
      check((int) ALLOCATE_IN_ORDER.invokeExact(result, bytes, stream), "cuMemAllocAsync");
    } catch (Throwable e) {
      throw failure("cuMemAllocAsync", e);
    }
    return result.get(JAVA_LONG, 0);
  }

  void freeInOrder(long address, long stream) {
    try {
      check((int) FREE_IN_ORDER.invokeExact(address, stream), "cuMemFreeAsync");
    } catch (Throwable e) {
      throw failure("cuMemFreeAsync", e);
    }
  }

  void copyToDevice(long target, MemorySegment source, long stream) {
    try {
      check((int) TO_DEVICE.invokeExact(target, source, source.byteSize(), stream), "cuMemcpyHtoDAsync");
    } catch (Throwable e) {
      throw failure("cuMemcpyHtoDAsync", e);
    }
  }

  void copyToHost(MemorySegment target, long source, long stream) {
    try {
      check((int) TO_HOST.invokeExact(target, source, target.byteSize(), stream), "cuMemcpyDtoHAsync");
    } catch (Throwable e) {
      throw failure("cuMemcpyDtoHAsync", e);
    }
  }

  void copyOnDevice(long target, long source, long bytes, long stream) {
    try {
      check((int) ON_DEVICE.invokeExact(target, source, bytes, stream), "cuMemcpyDtoDAsync");
    } catch (Throwable e) {
      throw failure("cuMemcpyDtoDAsync", e);
    }
  }

  void synchronize(long stream) {
    try {
      check((int) SYNCHRONIZE.invokeExact(stream), "cuStreamSynchronize");
    } catch (Throwable e) {
      throw failure("cuStreamSynchronize", e);
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
