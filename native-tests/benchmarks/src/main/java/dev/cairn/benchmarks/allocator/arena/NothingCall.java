package dev.cairn.benchmarks.allocator.arena;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** A native call like those of {@link OrtArena} to a function that does nearly nothing, C's {@code labs}. */
public final class NothingCall {
  private static final MethodHandle CALL = Linker.nativeLinker().downcallHandle(
    FunctionDescriptor.of(JAVA_LONG, JAVA_LONG), Linker.Option.critical(false));

  private final MemorySegment function = Linker.nativeLinker().defaultLookup().findOrThrow("labs");

  /** The number without its sign. */
  public long call(long number) {
    try {
      return (long) CALL.invokeExact(function, number);
    } catch (Throwable e) {
      throw new AssertionError("a critical call threw", e);
    }
  }
}
