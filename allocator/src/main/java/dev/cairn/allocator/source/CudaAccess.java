package dev.cairn.allocator.source;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * {@code cuMemSetAccess}, called without JCuda: JCuda 12.6.0 reads the location's fields from the wrong Java object and
 * passes nonsense. The driver that is loaded already is found again by its name.
 */
final class CudaAccess {
  private static final int LOCATION_IS_DEVICE = 1;
  private static final int READ_AND_WRITE = 3;

  private static final MethodHandle SET_ACCESS = Linker.nativeLinker().downcallHandle(
    SymbolLookup.libraryLookup("libcuda.so.1", Arena.global()).findOrThrow("cuMemSetAccess"),
    FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.ADDRESS,
      ValueLayout.JAVA_LONG));

  private CudaAccess() {}

  /** Lets a device read and write mapped memory; answers the driver's code. */
  static int allow(int ordinal, long address, long bytes) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment description = arena.allocateFrom(ValueLayout.JAVA_INT, LOCATION_IS_DEVICE, ordinal, READ_AND_WRITE);
      return (int) SET_ACCESS.invokeExact(address, bytes, description, 1L);
    } catch (Throwable e) {
      throw new AssertionError("cuMemSetAccess can't be called: address=0x%x bytes=%d".formatted(address, bytes), e);
    }
  }
}
