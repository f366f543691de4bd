package dev.cairn.benchmarks.mxnet;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.cairn.runtime.memory.planner.nnvm.ElementType;
import dev.cairn.runtime.memory.planner.nnvm.NnvmOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * MXNet's C interface, as far as binding a graph and asking what its plan takes, and its functions for others. Options
 * go by the process's environment, which MXNet reads anew for each plan. For one thread; once loaded, it stays.
 */
public final class MxnetLibrary {
  /** Each before those that need it. */
  private static final List<String> FILES = List.of("libgomp.so.1", "libquadmath.so.0", "libgfortran.so.3",
    "libopenblas.so.0", "libmxnet.so");
  private static final int CPU = 1;
  private static final int LATER = 1;
  private static final long LONGEST_TEXT_BYTES = 1L << 24;
  private static final Pattern TOTAL = Pattern.compile("Total (\\d+) MB allocated");
  private static final List<String> TYPES = List.of("float32", "float64", "float16", "uint8", "int32");
  private static final Linker LINKER = Linker.nativeLinker();

  private final SymbolLookup library;

  private MxnetLibrary(SymbolLookup library) {
    this.library = library;
    environment("MXNET_SUBGRAPH_BACKEND", "NONE");
    environment("MXNET_ELIMINATE_COMMON_EXPR", "0");
  }

  /** @param jar of the artifact {@code ai.djl.mxnet:mxnet-native-mkl}, for this machine */
  public static MxnetLibrary load(Path jar) {
    try (FileSystem inside = FileSystems.newFileSystem(jar)) {
      Path folder = Files.createTempDirectory("cairn-benchmarks-mxnet");
      SymbolLookup last = name -> Optional.empty();
      for (String name : FILES) {
        Path file = folder.resolve(name);
        Files.copy(inside.getPath("native", "lib", name), file);
        // Libraries find those that they need among the loaded ones, by name.
        last = SymbolLookup.libraryLookup(file, Arena.global());
      }
      for (String name : FILES) {
        Files.delete(folder.resolve(name));
      }
      Files.delete(folder);
      return new MxnetLibrary(last);
    } catch (IOException e) {
      throw new UncheckedIOException("MXNet was not loaded: jar=" + jar, e);
    }
  }

  /** As the library says: {@code 10900} for the artifact of 1.9.1. */
  public int version() {
    try (Arena scope = Arena.ofConfined()) {
      MemorySegment answer = scope.allocate(JAVA_INT);
      call("MXGetVersion", answer);
      return answer.get(JAVA_INT, 0);
    }
  }

  /** Where a function of the C interface lies. */
  public MemorySegment function(String name) {
    return library.findOrThrow(name);
  }

  /** What MXNet's planner would allocate for the graph's inference, in whole MiB. */
  long plannedMebibytes(SymbolGraph graph, NnvmOptions options) {
    environment("NNVM_EXEC_MATCH_RANGE", Long.toString(options.matchRange()));
    environment("NNVM_EXEC_NUM_TEMP", Integer.toString(options.colours()));
    environment("NNVM_AUTO_SEARCH_MATCH_RANGE", options.autoSearch() ? "1" : "0");
    try (Arena scope = Arena.ofConfined()) {
      MemorySegment symbol = create(scope, "MXSymbolCreateFromJSON", scope.allocateFrom(graph.json()));
      List<MemorySegment> arguments = graph.variables().stream().map(it -> array(scope, it)).toList();
      MemorySegment executor = bind(scope, symbol, arguments);
      MemorySegment text = create(scope, "MXExecutorPrint", executor);
      Matcher total = TOTAL.matcher(text.reinterpret(LONGEST_TEXT_BYTES).getString(0));
      if (!total.find()) {
        throw new IllegalStateException("MXNet does not say what it allocates: graph=" + graph.name());
      }
      call("MXExecutorFree", executor);
      arguments.forEach(it -> call("MXNDArrayFree", it));
      call("MXSymbolFree", symbol);
      return Long.parseLong(total.group(1));
    }
  }

  private MemorySegment bind(Arena scope, MemorySegment symbol, List<MemorySegment> arguments) {
    MemorySegment inputs = scope.allocate(ADDRESS, arguments.size());
    MemorySegment gradients = scope.allocate(ADDRESS, arguments.size());
    MemorySegment requests = scope.allocate(JAVA_INT, arguments.size());
    for (int i = 0; i < arguments.size(); i++) {
      inputs.setAtIndex(ADDRESS, i, arguments.get(i));
    }
    return create(scope, "MXExecutorBindEX", symbol, CPU, 0, 0, MemorySegment.NULL, MemorySegment.NULL,
      MemorySegment.NULL, arguments.size(), inputs, gradients, requests, 0, MemorySegment.NULL, MemorySegment.NULL);
  }

  private MemorySegment array(Arena scope, SymbolNode variable) {
    List<Long> shape = variable.shapes().getFirst();
    int[] extents = shape.stream().mapToInt(Math::toIntExact).toArray();
    return create(scope, "MXNDArrayCreateEx", scope.allocateFrom(JAVA_INT, extents), extents.length, CPU, 0, LATER,
      typeCode(variable.type()));
  }

  private static int typeCode(ElementType type) {
    return TYPES.indexOf(type.name());
  }

  private void environment(String name, String value) {
    try (Arena scope = Arena.ofConfined()) {
      invoke(LINKER.defaultLookup().findOrThrow("setenv"), scope.allocateFrom(name), scope.allocateFrom(value), 1);
    }
  }

  /** Calls a function whose last argument is where it puts its answer. */
  private MemorySegment create(Arena scope, String function, Object... arguments) {
    MemorySegment answer = scope.allocate(ADDRESS);
    Object[] all = Arrays.copyOf(arguments, arguments.length + 1);
    all[arguments.length] = answer;
    call(function, all);
    return answer.get(ADDRESS, 0);
  }

  private void call(String function, Object... arguments) {
    if (invoke(library.findOrThrow(function), arguments) != 0) {
      MemorySegment message = error();
      throw new IllegalStateException("MXNet refused: function=%s message=%s".formatted(function,
        message.reinterpret(LONGEST_TEXT_BYTES).getString(0)));
    }
  }

  private MemorySegment error() {
    try {
      return (MemorySegment) LINKER
        .downcallHandle(library.findOrThrow("MXGetLastError"), FunctionDescriptor.of(ADDRESS)).invokeExact();
    } catch (Throwable e) {
      throw new IllegalStateException("MXNet's message was not read", e);
    }
  }

  private static int invoke(MemorySegment function, Object... arguments) {
    MemoryLayout[] layouts = Arrays.stream(arguments)
      .map(it -> it instanceof MemorySegment ? ADDRESS : JAVA_INT).toArray(MemoryLayout[]::new);
    try {
      return (int) LINKER.downcallHandle(function, FunctionDescriptor.of(JAVA_INT, layouts))
        .invokeWithArguments(arguments);
    } catch (Throwable e) {
      throw new IllegalStateException("a native function was not called: arguments=" + arguments.length, e);
    }
  }
}
