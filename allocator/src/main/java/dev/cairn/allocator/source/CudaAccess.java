package dev.cairn.allocator.source;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;

/**
 * The driver's calls on physical memory that take a structure, called without JCuda. JCuda 12.6.0 leaves fields of
 * {@code CUmemAllocationProp} uninitialised (a real driver then refuses {@code cuMemCreate}, or creates memory that it
 * refuses to map), and reads the location in {@code cuMemSetAccess} from the wrong Java object. The driver that is
 * loaded already is found again by its name.
 */
final class CudaAccess {
  private static final int LOCATION_IS_DEVICE = 1;
  private static final int READ_AND_WRITE = 3;
  private static final int PINNED = 1;
  private static final int MINIMUM_GRANULARITY = 0;
  /** {@code CUmemAllocationProp}: type, handle types, location's type and number, a pointer, flags. */
  private static final long PROPERTIES_BYTES = 32;
  private static final long LOCATION_OFFSET = 8;

  private static final MethodHandle SET_ACCESS = link("cuMemSetAccess", JAVA_LONG, JAVA_LONG, ADDRESS, JAVA_LONG);
  private static final MethodHandle CREATE = link("cuMemCreate", ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG);
  private static final MethodHandle MAP = link("cuMemMap", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
  private static final MethodHandle RELEASE = link("cuMemRelease", JAVA_LONG);
  private static final MethodHandle GRANULARITY = link("cuMemGetAllocationGranularity", ADDRESS, ADDRESS, JAVA_INT);

  private CudaAccess() {}

  private static MethodHandle link(String function, MemoryLayout... arguments) {
    return Linker.nativeLinker().downcallHandle(SymbolLookup.libraryLookup("libcuda.so.1", Arena.global()).findOrThrow(
      function), FunctionDescriptor.of(JAVA_INT, arguments));
  }

  /** Lets a device read and write mapped memory; answers the driver's code. */
  static int allow(int ordinal, long address, long bytes) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment description = arena.allocateFrom(JAVA_INT, LOCATION_IS_DEVICE, ordinal, READ_AND_WRITE);
      return (int) SET_ACCESS.invokeExact(address, bytes, description, 1L);
    } catch (Throwable e) {
      throw new AssertionError("cuMemSetAccess can't be called: address=0x%x bytes=%d".formatted(address, bytes), e);
    }
  }

  /** Creates physical memory on a device; its handle is in {@code handle[0]} when the driver's code is 0. */
  static int create(int ordinal, long bytes, long[] handle) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment created = arena.allocate(JAVA_LONG);
      int code = (int) CREATE.invokeExact(created, bytes, onDevice(ordinal, arena), 0L);
      handle[0] = created.get(JAVA_LONG, 0);
      return code;
    } catch (Throwable e) {
      throw new AssertionError("cuMemCreate can't be called: wantedBytes=" + bytes, e);
    }
  }

  /** Maps physical memory to reserved addresses; answers the driver's code. */
  static int map(long address, long bytes, long handle) {
    try {
      return (int) MAP.invokeExact(address, bytes, 0L, handle, 0L);
    } catch (Throwable e) {
      throw new AssertionError("cuMemMap can't be called: address=0x%x bytes=%d".formatted(address, bytes), e);
    }
  }

  /** Gives physical memory back once nothing maps it; answers the driver's code. */
  static int release(long handle) {
    try {
      return (int) RELEASE.invokeExact(handle);
    } catch (Throwable e) {
      throw new AssertionError("cuMemRelease can't be called", e);
    }
  }

  /** The granularity of physical memory, in {@code bytes[0]}; answers the driver's code. */
  static int granularity(int ordinal, long[] bytes) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment granularity = arena.allocate(JAVA_LONG);
      int code = (int) GRANULARITY.invokeExact(granularity, onDevice(ordinal, arena), MINIMUM_GRANULARITY);
      bytes[0] = granularity.get(JAVA_LONG, 0);
      return code;
    } catch (Throwable e) {
      throw new AssertionError("cuMemGetAllocationGranularity can't be called: device=" + ordinal, e);
    }
  }

  private static MemorySegment onDevice(int ordinal, Arena arena) {
    MemorySegment properties = arena.allocate(PROPERTIES_BYTES, Long.BYTES);
    properties.set(JAVA_INT, 0, PINNED);
    properties.set(JAVA_INT, LOCATION_OFFSET, LOCATION_IS_DEVICE);
    properties.set(JAVA_INT, LOCATION_OFFSET + Integer.BYTES, ordinal);
    return properties;
  }
}
