package dev.cairn.allocator.source;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** The C library's {@code malloc} and {@code free}, for regions that netty can't hold. Large ones are mapped by it. */
final class NativeHeap {
  private static final MethodHandle MALLOC = link("malloc",
    FunctionDescriptor.of(ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG));
  private static final MethodHandle FREE = link("free", FunctionDescriptor.ofVoid(ValueLayout.JAVA_LONG));

  private NativeHeap() {}

  /** The address of {@code bytes} bytes, not initialised; 0 when there are none. Makes no Java object after them. */
  static long allocate(long bytes) {
    try {
      return (long) MALLOC.invokeExact(bytes);
    } catch (Throwable e) {
      throw new AssertionError("malloc can't be called: bytes=" + bytes, e);
    }
  }

  static void free(long address) {
    try {
      FREE.invokeExact(address);
    } catch (Throwable e) {
      throw new AssertionError("free can't be called: address=0x%x".formatted(address), e);
    }
  }

  private static MethodHandle link(String function, FunctionDescriptor type) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(linker.defaultLookup().findOrThrow(function), type);
  }
}
