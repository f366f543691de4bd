package dev.cairn.benchmarks.imperative;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.cairn.benchmarks.mxnet.MxnetLibrary;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** By MXNet's C interface. */
final class MxnetAdditions extends PeerAdditions {
  private static final int CPU = 1;
  private static final Linker LINKER = Linker.nativeLinker();
  private static final MethodHandle INVOKE = LINKER.downcallHandle(FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT,
    ADDRESS, ADDRESS, ADDRESS, JAVA_INT, ADDRESS, ADDRESS));
  private static final MethodHandle CREATE = LINKER.downcallHandle(FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT,
    JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS));
  private static final MethodHandle FIND = LINKER.downcallHandle(FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS));
  private static final MethodHandle WITH_ADDRESS = LINKER.downcallHandle(FunctionDescriptor.of(JAVA_INT, ADDRESS));
  private static final MethodHandle WAIT_ALL = LINKER.downcallHandle(FunctionDescriptor.of(JAVA_INT));

  private final Arena scope = Arena.ofShared();
  private final MemorySegment invoke;
  private final MemorySegment free;
  private final MemorySegment waitAll;
  private final MemorySegment operator;
  private final MemorySegment operands = scope.allocate(ADDRESS, 2);
  private final MemorySegment count = scope.allocate(JAVA_INT);
  private final MemorySegment outputs = scope.allocate(ADDRESS);
  private final MemorySegment[] made = new MemorySegment[Additions.CALLS];

  MxnetAdditions(MxnetLibrary library) {
    invoke = library.function("MXImperativeInvoke");
    free = library.function("MXNDArrayFree");
    waitAll = library.function("MXNDArrayWaitAll");
    MemorySegment answer = scope.allocate(ADDRESS);
    MemorySegment extents = scope.allocateFrom(JAVA_INT, Additions.ELEMENTS);
    try {
      require((int) FIND.invokeExact(library.function("NNGetOpHandle"), scope.allocateFrom("elemwise_add"), answer));
      operator = answer.get(ADDRESS, 0);
      for (int i = 0; i < 2; i++) {
        require((int) CREATE.invokeExact(library.function("MXNDArrayCreate"), extents, 1, CPU, 0, 0, answer));
        operands.setAtIndex(ADDRESS, i, answer.get(ADDRESS, 0));
      }
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("MXNet was not called", e);
    }
  }

  private static void require(int code) {
    if (code != 0) {
      throw new IllegalStateException("MXNet refused a call: code=" + code);
    }
  }

  @Override
  void calls() {
    try {
      for (int i = 0; i < made.length; i++) {
        count.set(JAVA_INT, 0, 0);
        outputs.set(ADDRESS, 0, MemorySegment.NULL);
        require((int) INVOKE.invokeExact(invoke, operator, 2, operands, count, outputs, 0, MemorySegment.NULL,
          MemorySegment.NULL));
        made[i] = outputs.get(ADDRESS, 0).reinterpret(ADDRESS.byteSize()).get(ADDRESS, 0);
      }
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("MXNet was not called", e);
    }
  }

  @Override
  void end() {
    try {
      require((int) WAIT_ALL.invokeExact(waitAll));
      for (MemorySegment array : made) {
        require((int) WITH_ADDRESS.invokeExact(free, array));
      }
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("MXNet was not called", e);
    }
  }

  @Override
  public void close() {
    scope.close();
  }
}
