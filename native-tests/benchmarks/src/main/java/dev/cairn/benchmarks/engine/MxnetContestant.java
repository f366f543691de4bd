package dev.cairn.benchmarks.engine;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.cairn.benchmarks.mxnet.MxnetLibrary;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * MXNet's engine through its C interface, as it is by default: an engine for each device, one thread for the processor.
 * The work is C's {@code labs}, which looks at nothing but the number it is given, so that no call goes back to Java.
 */
final class MxnetContestant implements Contestant {
  private static final int CPU = 1;
  private static final Linker LINKER = Linker.nativeLinker();
  // The function's address goes first, so that the handles are constants, which the JVM compiles into the loops.
  private static final MethodHandle PUSH = LINKER.downcallHandle(FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS,
    ADDRESS, ADDRESS, ADDRESS, JAVA_INT, ADDRESS, JAVA_INT, ADDRESS, JAVA_INT, ADDRESS));
  private static final MethodHandle WAIT_ALL = LINKER.downcallHandle(FunctionDescriptor.of(JAVA_INT));
  private static final MethodHandle WITH_ADDRESS = LINKER.downcallHandle(FunctionDescriptor.of(JAVA_INT, ADDRESS));
  private static final MethodHandle BULK_SIZE = LINKER.downcallHandle(FunctionDescriptor.of(JAVA_INT, JAVA_INT,
    ADDRESS));
  private static final MethodHandle CREATE = LINKER.downcallHandle(FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT,
    JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS));

  private final Arena scope = Arena.ofShared();
  private final MemorySegment push;
  private final MemorySegment waitAll;
  private final MemorySegment waitToRead;
  private final MemorySegment bulkSize;
  private final MemorySegment free;
  private final MemorySegment nothing = LINKER.defaultLookup().findOrThrow("labs");
  private final MemorySegment context = scope.allocate(JAVA_INT, 2);
  private final MemorySegment name = scope.allocateFrom("write");
  private final MemorySegment[] arrays = new MemorySegment[Workload.VARIABLES];
  /** For each array a place that holds its handle alone. */
  private final MemorySegment[] written = new MemorySegment[Workload.VARIABLES];
  private final MemorySegment[] read = new MemorySegment[Triples.COUNT];
  private final Triples triples = Triples.of(Workload.FEW_VARIABLES);

  MxnetContestant(MxnetLibrary library) {
    push = library.function("MXEnginePushSyncND");
    waitAll = library.function("MXNDArrayWaitAll");
    waitToRead = library.function("MXNDArrayWaitToRead");
    bulkSize = library.function("MXEngineSetBulkSize");
    free = library.function("MXNDArrayFree");
    context.setAtIndex(JAVA_INT, 0, CPU);
    MemorySegment create = library.function("MXNDArrayCreate");
    MemorySegment extents = scope.allocateFrom(JAVA_INT, 4);
    for (int i = 0; i < arrays.length; i++) {
      written[i] = scope.allocate(ADDRESS);
      require("create", createArray(create, extents, written[i]));
      arrays[i] = written[i].get(ADDRESS, 0);
    }
    for (int i = 0; i < read.length; i++) {
      read[i] = scope.allocate(ADDRESS, 2);
      read[i].setAtIndex(ADDRESS, 0, arrays[triples.read(i, 0)]);
      read[i].setAtIndex(ADDRESS, 1, arrays[triples.read(i, 1)]);
    }
  }

  private static int createArray(MemorySegment create, MemorySegment extents, MemorySegment answer) {
    try {
      return (int) CREATE.invokeExact(create, extents, 1, CPU, 0, 0, answer);
    } catch (Throwable e) {
      throw new IllegalStateException("MXNet was not called", e);
    }
  }

  @Override
  public boolean can(Workload workload) {
    return workload != Workload.REUSED;
  }

  @Override
  public void run(Workload workload, int operations) {
    switch (workload) {
      case WRITE -> writes(operations);
      case CHAIN -> chain(operations);
      case READS_AND_WRITE -> readsAndWrites(operations);
      case BULK -> {
        setBulkSize(Workload.BULK_SIZE);
        writes(operations);
        setBulkSize(0);
      }
      case REUSED -> throw new IllegalArgumentException("not in MXNet's C interface: workload=" + workload);
    }
    waitForAll();
  }

  private void writes(int operations) {
    int variable = 0;
    for (int i = operations; i > 0; i--) {
      push(MemorySegment.NULL, 0, written[variable]);
      variable = variable + 1 == Workload.VARIABLES ? 0 : variable + 1;
    }
  }

  private void chain(int operations) {
    for (int i = operations; i > 0; i--) {
      push(MemorySegment.NULL, 0, written[0]);
    }
  }

  private void readsAndWrites(int operations) {
    for (int i = operations; i > 0; i--) {
      int triple = i & (Triples.COUNT - 1);
      push(read[triple], 2, written[triples.write(triple)]);
    }
  }

  private void push(MemorySegment reads, int readCount, MemorySegment write) {
    try {
      require("push", (int) PUSH.invokeExact(push, nothing, MemorySegment.NULL, MemorySegment.NULL, context, reads,
        readCount, write, 1, MemorySegment.NULL, 0, name));
    } catch (Throwable e) {
      throw new IllegalStateException("MXNet was not called", e);
    }
  }

  private void setBulkSize(int operations) {
    try (Arena call = Arena.ofConfined()) {
      require("bulk size", (int) BULK_SIZE.invokeExact(bulkSize, operations, call.allocate(JAVA_INT)));
    } catch (Throwable e) {
      throw new IllegalStateException("MXNet was not called", e);
    }
  }

  private void waitForAll() {
    try {
      require("wait for all", (int) WAIT_ALL.invokeExact(waitAll));
    } catch (Throwable e) {
      throw new IllegalStateException("MXNet was not called", e);
    }
  }

  @Override
  public void pushAndWait() {
    push(MemorySegment.NULL, 0, written[0]);
    require("wait", callWith(waitToRead, arrays[0]));
  }

  private static int callWith(MemorySegment function, MemorySegment argument) {
    try {
      return (int) WITH_ADDRESS.invokeExact(function, argument);
    } catch (Throwable e) {
      throw new IllegalStateException("MXNet was not called", e);
    }
  }

  private static void require(String call, int code) {
    if (code != 0) {
      throw new IllegalStateException("MXNet refused: call=%s code=%d".formatted(call, code));
    }
  }

  @Override
  public void close() {
    waitForAll();
    for (MemorySegment array : arrays) {
      require("free", callWith(free, array));
    }
    scope.close();
  }
}
