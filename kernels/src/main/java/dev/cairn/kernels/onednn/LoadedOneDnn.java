package dev.cairn.kernels.onednn;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.cairn.kernels.load.DynamicLoader;
import dev.cairn.kernels.load.OpenLibrary;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The functions of a library that is loaded, and of the OpenMP that it runs on. Thread-safe. */
final class LoadedOneDnn implements OneDnnCalls {
  private final DynamicLoader loader;
  private final OpenLibrary library;
  private final MethodHandle execute;
  private final MethodHandle setHandle;
  private final MethodHandle setThreads;
  private final OpenMpRegions regions;
  private final Map<Signature, MethodHandle> handles = new ConcurrentHashMap<>();

  private record Signature(String function, MemoryLayout result, List<MemoryLayout> arguments) {}

  /** @throws IllegalStateException when a function is missing */
  LoadedOneDnn(DynamicLoader loader, OpenLibrary library, OpenLibrary openMp) {
    this.loader = loader;
    this.library = library;
    this.execute = find(library, "dnnl_primitive_execute", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG,
      JAVA_INT, JAVA_LONG));
    this.setHandle = find(library, "dnnl_memory_set_data_handle", FunctionDescriptor.of(JAVA_INT, JAVA_LONG,
      JAVA_LONG));
    this.regions = new OpenMpRegions(find(openMp, "GOMP_parallel", OpenMpRegions.FORK));
    this.setThreads = find(openMp, "omp_set_num_threads", FunctionDescriptor.ofVoid(JAVA_INT));
  }

  private MethodHandle find(OpenLibrary in, String function, FunctionDescriptor descriptor) {
    return loader.function(in, function, descriptor).orElseThrow(() -> new IllegalStateException(
      "the library lacks a function: function=%s file=%s".formatted(function, in.file())));
  }

  @Override
  public int status(String function, Object... arguments) {
    return (int) call(JAVA_INT, function, arguments);
  }

  @Override
  public int answer(String function, Object... arguments) {
    return status(function, arguments);
  }

  @Override
  public long number(String function, Object... arguments) {
    return (long) call(JAVA_LONG, function, arguments);
  }

  private Object call(MemoryLayout result, String function, Object... arguments) {
    List<MemoryLayout> layouts = new ArrayList<>();
    for (Object argument : arguments) {
      layouts.add(argument instanceof Integer ? JAVA_INT : argument instanceof Float ? JAVA_FLOAT : JAVA_LONG);
    }
    MethodHandle handle = handles.computeIfAbsent(new Signature(function, result, layouts), it -> find(library, it
      .function(), FunctionDescriptor.of(it.result(), it.arguments().toArray(MemoryLayout[]::new))));
    return DynamicLoader.call(handle, arguments);
  }

  @Override
  public int execute(long primitive, long stream, int count, long arguments) {
    try {
      return (int) execute.invokeExact(primitive, stream, count, arguments);
    } catch (Throwable e) {
      throw new AssertionError("native code threw: function=dnnl_primitive_execute", e);
    }
  }

  @Override
  public int setHandle(long memory, long address) {
    try {
      return (int) setHandle.invokeExact(memory, address);
    } catch (Throwable e) {
      throw new AssertionError("native code threw: function=dnnl_memory_set_data_handle", e);
    }
  }

  @Override
  public void runOnAll(int threads, Runnable part) {
    regions.run(threads, part);
  }

  @Override
  public void useThreads(int threads) {
    try {
      setThreads.invokeExact(threads);
    } catch (Throwable e) {
      throw new AssertionError("native code threw: function=omp_set_num_threads", e);
    }
  }
}
