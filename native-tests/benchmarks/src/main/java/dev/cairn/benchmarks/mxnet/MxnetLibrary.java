package dev.cairn.benchmarks.mxnet;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

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

/**
 * MXNet's C library: its version, and the functions of its C interface. Once loaded, it stays in the process.
 */
public final class MxnetLibrary {
  /** Each library before the libraries that need it. */
  private static final List<String> FILES = List.of("libgomp.so.1", "libquadmath.so.0", "libgfortran.so.3",
    "libopenblas.so.0", "libmxnet.so");
  private static final long LONGEST_TEXT_BYTES = 1L << 24;
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
        // A library finds the libraries that it needs among the loaded ones, by name.
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

  /** The library's version: {@code 10900} for the artifact of 1.9.1. */
  public int version() {
    try (Arena scope = Arena.ofConfined()) {
      MemorySegment answer = scope.allocate(JAVA_INT);
      call("MXGetVersion", answer);
      return answer.get(JAVA_INT, 0);
    }
  }

  /** The place of a function of the C interface. */
  public MemorySegment function(String name) {
    return library.findOrThrow(name);
  }

  private void environment(String name, String value) {
    try (Arena scope = Arena.ofConfined()) {
      invoke(LINKER.defaultLookup().findOrThrow("setenv"), scope.allocateFrom(name), scope.allocateFrom(value), 1);
    }
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
