package dev.cairn.kernels.onednn;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.cairn.kernels.load.DynamicLoader;
import dev.cairn.kernels.load.MappedFile;
import dev.cairn.kernels.load.OpenLibrary;
import java.io.IOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The functions of a library that is loaded, and of the OpenMP that it runs on. Thread-safe. */
final class LoadedOneDnn implements OneDnnCalls {
  /** More than any function has. */
  private static final int NUMBERS = 16;
  private static final int FLOATS = 4;
  /**
   * One kind of call for all functions, since Java takes milliseconds to prepare each kind. On this platform an
   * {@code int} is passed as the lower half of a register or word, and a function leaves surplus arguments unread.
   */
  private static final FunctionDescriptor ANY = FunctionDescriptor.of(JAVA_LONG, Stream.concat(Collections.nCopies(
    NUMBERS, JAVA_LONG).stream(), Collections.nCopies(FLOATS, JAVA_FLOAT).stream()).toArray(MemoryLayout[]::new));
  /** Like {@link #ANY}, for functions that every run calls. */
  private static final FunctionDescriptor SHORT = FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG,
    JAVA_LONG);

  private static final long NOT_NEEDED = 4;

  private final DynamicLoader loader;
  private final OpenLibrary library;
  private final MethodHandle any;
  private final MethodHandle execute;
  private final MethodHandle setHandle;
  private final MethodHandle setThreads;
  private final OpenMpRegions regions;
  private final Optional<OpenMpSpins> spins;
  /** Copy-on-write: a look-up never blocks, so a virtual thread stays where its number of threads was set. */
  private volatile Map<String, MemorySegment> functions = Map.of();

  /**
   * @throws IllegalStateException when a function is missing
   * @throws IOException when the places of the libraries in memory cannot be read
   */
  LoadedOneDnn(DynamicLoader loader, OpenLibrary library, OpenLibrary openMp) throws IOException {
    this.loader = loader;
    this.library = library;
    this.any = loader.anyFunction(ANY).asSpreader(float[].class, FLOATS).asSpreader(1, long[].class, NUMBERS);
    MethodHandle brief = loader.anyFunction(SHORT);
    this.execute = brief.bindTo(find(library, "dnnl_primitive_execute"));
    this.setHandle = brief.bindTo(find(library, "dnnl_memory_set_data_handle"));
    this.setThreads = brief.bindTo(find(openMp, "omp_set_num_threads"));
    this.regions = new OpenMpRegions(loader.function(openMp, "GOMP_parallel", OpenMpRegions.FORK).orElseThrow(
      () -> lacks(openMp, "GOMP_parallel")));
    this.spins = OpenMpSpins.find(openMp, System.getenv());
    releasePages(brief.bindTo(loader.ofC("madvise")));
  }

  /**
   * Gives pages back that the dynamic linker has read: 30 MB of symbols and code. The system reads used pages again.
   */
  private void releasePages(MethodHandle advise) throws IOException {
    for (MappedFile.Part part : MappedFile.unchangingParts(library.file())) {
      try {
        long _ = (long) advise.invokeExact(part.address(), part.bytes(), NOT_NEEDED, 0L);
      } catch (Throwable e) {
        throw new AssertionError("native code threw: function=madvise", e);
      }
    }
  }

  private MemorySegment find(OpenLibrary in, String function) {
    return loader.address(in, function).orElseThrow(() -> lacks(in, function));
  }

  private static IllegalStateException lacks(OpenLibrary in, String function) {
    return new IllegalStateException("the library lacks a function: function=%s file=%s".formatted(function, in
      .file()));
  }

  @Override
  public int status(String function, Object... arguments) {
    return (int) number(function, arguments);
  }

  @Override
  public int answer(String function, Object... arguments) {
    return (int) number(function, arguments);
  }

  @Override
  public long number(String function, Object... arguments) {
    long[] numbers = new long[NUMBERS];
    float[] floats = new float[FLOATS];
    int number = 0;
    int real = 0;
    for (Object argument : arguments) {
      if (argument instanceof Float value) {
        floats[real++] = value;
      } else {
        numbers[number++] = ((Number) argument).longValue();
      }
    }
    MemorySegment address = address(function);
    try {
      return (long) any.invokeExact(address, numbers, floats);
    } catch (Throwable e) {
      throw new AssertionError("native code threw: function=" + function, e);
    }
  }

  private MemorySegment address(String function) {
    MemorySegment known = functions.get(function);
    if (known != null) {
      return known;
    }
    MemorySegment found = find(library, function);
    Map<String, MemorySegment> more = new HashMap<>(functions);
    more.put(function, found);
    // If another thread adds one at the same time, one of the two is looked up again later.
    functions = more;
    return found;
  }

  @Override
  public int execute(long primitive, long stream, int count, long arguments) {
    try {
      return (int) (long) execute.invokeExact(primitive, stream, (long) count, arguments);
    } catch (Throwable e) {
      throw new AssertionError("native code threw: function=dnnl_primitive_execute", e);
    }
  }

  @Override
  public int setHandle(long memory, long address) {
    try {
      return (int) (long) setHandle.invokeExact(memory, address, 0L, 0L);
    } catch (Throwable e) {
      throw new AssertionError("native code threw: function=dnnl_memory_set_data_handle", e);
    }
  }

  @Override
  public void runOnAll(int threads, Runnable part) {
    regions.run(threads, part);
  }

  @Override
  public void spin(int count) {
    if (spins.isPresent()) {
      spins.get().set(count);
    }
  }

  @Override
  public void useThreads(int threads) {
    try {
      long _ = (long) setThreads.invokeExact((long) threads, 0L, 0L, 0L);
    } catch (Throwable e) {
      throw new AssertionError("native code threw: function=omp_set_num_threads", e);
    }
  }
}
