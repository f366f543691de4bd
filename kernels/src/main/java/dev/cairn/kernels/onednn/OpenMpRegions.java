package dev.cairn.kernels.onednn;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Parallel regions of OpenMP whose body is Java: {@code GOMP_parallel} of libgomp, which a compiler calls for
 * {@code #pragma omp parallel}. Each calling thread has threads of its own there, which are also those of oneDNN's
 * primitives. Thread-safe.
 */
final class OpenMpRegions {
  /** {@code void GOMP_parallel(void (*body)(void *), void *data, unsigned threads, unsigned flags)}. */
  static final FunctionDescriptor FORK = FunctionDescriptor.ofVoid(ADDRESS, JAVA_LONG, JAVA_INT, JAVA_INT);
  private static final FunctionDescriptor BODY = FunctionDescriptor.ofVoid(JAVA_LONG);
  /** More regions at a time run on their callers alone. */
  private static final int MOST_REGIONS = 64;

  private final MethodHandle fork;
  private final MemorySegment body;
  private final AtomicReferenceArray<@Nullable Runnable> parts = new AtomicReferenceArray<>(MOST_REGIONS);

  /** @param fork {@code GOMP_parallel} */
  OpenMpRegions(MethodHandle fork) {
    this.fork = fork;
    try {
      MethodHandle part = MethodHandles.lookup().bind(this, "part", MethodType.methodType(void.class, long.class));
      this.body = Linker.nativeLinker().upcallStub(part, BODY, Arena.global());
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("the method is here", e);
    }
  }

  /** Runs a part, which must not throw, on so many threads, the caller among them; returns when all have ended. */
  void run(int threads, Runnable part) {
    int place = take(part);
    if (place < 0) {
      part.run();
      return;
    }
    try {
      fork.invokeExact(body, (long) place, threads, 0);
    } catch (Throwable e) {
      throw new AssertionError("native code threw: function=GOMP_parallel", e);
    } finally {
      parts.set(place, null);
    }
  }

  private int take(Runnable part) {
    int first = (int) (Thread.currentThread().threadId() % MOST_REGIONS);
    for (int i = 0; i < MOST_REGIONS; i++) {
      int place = (first + i) % MOST_REGIONS;
      if (parts.compareAndSet(place, null, part)) {
        return place;
      }
    }
    return -1;
  }

  /** Called by OpenMP on each thread of a region. An exception here would end the process. */
  @SuppressWarnings("unused")
  private void part(long place) {
    Runnable part = parts.get((int) place);
    if (part != null) {
      part.run();
    }
  }
}
