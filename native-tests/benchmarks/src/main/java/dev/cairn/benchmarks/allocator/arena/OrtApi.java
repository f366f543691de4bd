package dev.cairn.benchmarks.allocator.arena;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * ONNX Runtime's C interface: a table of functions, called by their place in it, which never changes. For calls that
 * are rare; timed functions have handles of their own. Safe for use by many threads.
 */
final class OrtApi {
  private static final int GET_ERROR_MESSAGE = 2;
  private static final int RELEASE_STATUS = 93;
  /** The table of any later library begins with that of this version. */
  private static final int VERSION = 23;
  private static final long LONGEST_TEXT_BYTES = 4096;
  private static final Linker LINKER = Linker.nativeLinker();

  private final MemorySegment table;
  private final String version;

  private OrtApi(MemorySegment table, String version) {
    this.table = table;
    this.version = version;
  }

  /** Whether the class path has the library for this machine. */
  static boolean isThere() {
    return OrtApi.class.getResource(resource()) != null;
  }

  /** Loads the library, for as long as the process lives. */
  static OrtApi load() {
    try {
      Path file = Files.createTempFile("cairn-benchmarks-onnxruntime", ".so");
      try (InputStream library = OrtApi.class.getResourceAsStream(resource())) {
        if (library == null) {
          throw new IllegalStateException("ONNX Runtime is not on the class path: resource=" + resource());
        }
        Files.copy(library, file, StandardCopyOption.REPLACE_EXISTING);
        return of(SymbolLookup.libraryLookup(file, Arena.global()));
      } finally {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static OrtApi of(SymbolLookup library) {
    MemorySegment base = pointer(invoke(library.findOrThrow("OrtGetApiBase"), ADDRESS)).reinterpret(
      2 * ADDRESS.byteSize());
    MemorySegment table = pointer(invoke(base.getAtIndex(ADDRESS, 0), ADDRESS, VERSION));
    String version = text(pointer(invoke(base.getAtIndex(ADDRESS, 1), ADDRESS)));
    if (table.equals(MemorySegment.NULL)) {
      throw new IllegalStateException("the library has no such interface: wanted=%d library=%s".formatted(VERSION,
        version));
    }
    return new OrtApi(table, version);
  }

  private static String resource() {
    String architecture = System.getProperty("os.arch");
    return "/ai/onnxruntime/native/%s-%s/libonnxruntime.so".formatted(System.getProperty("os.name")
      .toLowerCase(Locale.ROOT), architecture.equals("amd64") ? "x64" : architecture);
  }

  /** The version of the library. */
  String version() {
    return version;
  }

  /**
   * Calls a function that answers with a status.
   *
   * @param arguments pointers, ints and longs, as the function wants them
   * @throws IllegalStateException when the status is not well
   */
  void call(int slot, Object... arguments) {
    MemorySegment status = pointer(invoke(function(slot), ADDRESS, arguments));
    if (!status.equals(MemorySegment.NULL)) {
      String message = text(pointer(invoke(function(GET_ERROR_MESSAGE), ADDRESS, status)));
      release(RELEASE_STATUS, status);
      throw new IllegalStateException("ONNX Runtime refused: slot=%d message=%s".formatted(slot, message));
    }
  }

  /** Like {@link #call}, for a function whose last argument is where it puts the pointer that is the answer. */
  MemorySegment create(int slot, Object... arguments) {
    try (Arena scope = Arena.ofConfined()) {
      MemorySegment answer = scope.allocate(ADDRESS);
      Object[] all = Arrays.copyOf(arguments, arguments.length + 1);
      all[arguments.length] = answer;
      call(slot, all);
      return answer.get(ADDRESS, 0);
    }
  }

  /** Calls a function that takes one thing back and answers nothing. */
  void release(int slot, MemorySegment thing) {
    invoke(function(slot), null, thing);
  }

  private MemorySegment function(int slot) {
    return table.reinterpret((slot + 1) * ADDRESS.byteSize()).getAtIndex(ADDRESS, slot);
  }

  private static @Nullable Object invoke(MemorySegment function, @Nullable MemoryLayout answer, Object... arguments) {
    MemoryLayout[] layouts = Arrays.stream(arguments).map(OrtApi::layout).toArray(MemoryLayout[]::new);
    FunctionDescriptor descriptor = answer == null
      ? FunctionDescriptor.ofVoid(layouts)
      : FunctionDescriptor.of(answer, layouts);
    try {
      return LINKER.downcallHandle(function, descriptor).invokeWithArguments(List.of(arguments));
    } catch (Throwable e) {
      throw new IllegalStateException("a native function was not called: descriptor=" + descriptor, e);
    }
  }

  private static MemoryLayout layout(Object argument) {
    return switch (argument) {
      case MemorySegment pointer -> ADDRESS;
      case Integer number -> JAVA_INT;
      case Long number -> JAVA_LONG;
      default -> throw new IllegalArgumentException("neither pointer nor number: argument=" + argument);
    };
  }

  private static MemorySegment pointer(@Nullable Object answer) {
    if (answer instanceof MemorySegment pointer) {
      return pointer;
    }
    throw new AssertionError("not a pointer: answer=" + answer);
  }

  private static String text(MemorySegment pointer) {
    return pointer.reinterpret(LONGEST_TEXT_BYTES).getString(0);
  }
}
