package dev.cairn.kernels.onednn;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.cairn.kernels.device.ProcessorWaits;
import dev.cairn.kernels.device.Rethrown;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Parallel regions of OpenMP whose body is Java: {@code GOMP_parallel} of libgomp, which a compiler calls for
 * {@code #pragma omp parallel}. Each calling thread has threads of its own there, which are also those of oneDNN's
 * primitives; {@link OpenMpTeams} decides which threads may call. Thread-safe.
 */
final class OpenMpRegions {
  /** {@code void GOMP_parallel(void (*body)(void *), void *data, unsigned threads, unsigned flags)}. */
  static final FunctionDescriptor FORK = FunctionDescriptor.ofVoid(ADDRESS, JAVA_LONG, JAVA_INT, JAVA_INT);
  private static final FunctionDescriptor BODY = FunctionDescriptor.ofVoid(JAVA_LONG);
  /** More regions at a time run on their callers alone. */
  private static final int MOST_REGIONS = 64;

  private final MethodHandle fork;
  private final LongConsumer part;
  private final MemorySegment body;
  private final Region[] regions = Stream.generate(Region::new).limit(MOST_REGIONS).toArray(Region[]::new);

  /** The part that a region under way runs, if there is one, and its failure. */
  private static final class Region {
    private final AtomicReference<@Nullable Runnable> part = new AtomicReference<>();
    private volatile @Nullable Throwable failure;
  }

  /** @param fork {@code GOMP_parallel} */
  OpenMpRegions(MethodHandle fork) {
    this.fork = fork;
    this.part = this::part;
    this.body = Linker.nativeLinker().upcallStub(weakly(part), BODY, Arena.ofAuto());
  }

  /**
   * A handle that calls the function as long as it is reachable. The virtual machine holds the handle of a callback as
   * a root: if that led to this class, its class loader could never be given up. So there are Java's own classes alone
   * in it. While a region is under way, its caller keeps the function.
   */
  private static MethodHandle weakly(LongConsumer function) {
    MethodHandles.Lookup lookup = MethodHandles.publicLookup();
    try {
      MethodHandle get = lookup.findVirtual(Reference.class, "get", MethodType.methodType(Object.class)).bindTo(
        new WeakReference<>(function));
      MethodHandle accept = lookup.findVirtual(LongConsumer.class, "accept", MethodType.methodType(void.class,
        long.class));
      return MethodHandles.collectArguments(accept, 0, get.asType(MethodType.methodType(LongConsumer.class)));
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("the callback of OpenMP cannot be bound", e);
    }
  }

  /**
   * Runs a part on so many threads, the caller among them. When all have ended, throws one of the failures if the part
   * has thrown.
   */
  void run(int threads, Runnable part) {
    int place = take(part);
    if (place < 0) {
      part.run();
      return;
    }
    Region region = regions[place];
    Throwable failure;
    try {
      fork.invokeExact(body, (long) place, threads, 0);
    } catch (Throwable e) {
      throw new AssertionError("native code threw: function=GOMP_parallel", e);
    } finally {
      Reference.reachabilityFence(this);
      failure = region.failure;
      region.failure = null;
      region.part.set(null);
    }
    if (failure != null) {
      throw Rethrown.asItIs(failure);
    }
  }

  private int take(Runnable part) {
    int first = (int) (Thread.currentThread().threadId() % MOST_REGIONS);
    for (int i = 0; i < MOST_REGIONS; i++) {
      int place = (first + i) % MOST_REGIONS;
      if (regions[place].part.compareAndSet(null, part)) {
        return place;
      }
    }
    return -1;
  }

  /**
   * Called by OpenMP on each thread of a region. An exception that leaves this method ends the process, so the catch
   * block makes no call, which might throw another one.
   */
  @SuppressWarnings("CatchingUnchecked") // code in other JVM languages may throw any exception
  private void part(long place) {
    Region region = regions[(int) place];
    try {
      ProcessorWaits.OF_PROCESS.join();
      Runnable part = region.part.get();
      if (part != null) {
        part.run();
      }
    } catch (Throwable e) {
      region.failure = e;
    }
  }
}
