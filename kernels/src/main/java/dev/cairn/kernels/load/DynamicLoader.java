package dev.cairn.kernels.load;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The C library's {@code dlopen} and its related functions. Java's own way to load a library does not report why the
 * loader refused it, and ties the library to a class loader. Thread-safe.
 */
public final class DynamicLoader {
  private static final int RTLD_LAZY = 1;
  private static final int RTLD_NOLOAD = 4;
  private static final int RTLD_DI_LINKMAP = 2;
  /** The offset of the second field of {@code struct link_map}: the path of the opened file. */
  private static final long LINK_MAP_NAME = 8;
  private static final long LONGEST_TEXT = 1 << 16;

  private final Linker linker = Linker.nativeLinker();
  private final MethodHandle dlopen = handle("dlopen", FunctionDescriptor.of(ADDRESS, ADDRESS, JAVA_INT));
  private final MethodHandle dlclose = handle("dlclose", FunctionDescriptor.of(JAVA_INT, ADDRESS));
  private final MethodHandle dlsym = handle("dlsym", FunctionDescriptor.of(ADDRESS, ADDRESS, ADDRESS));
  private final MethodHandle dlerror = handle("dlerror", FunctionDescriptor.of(ADDRESS));
  private final MethodHandle dlinfo = handle("dlinfo", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, ADDRESS));

  /**
   * Whether a library can be opened. This is cheaper than {@link #open}: it neither sets up a linker nor reports the
   * reason of a failure.
   *
   * @param name a path, or a name for the loader to look up
   * @throws IllegalCallerException if this JVM does not allow native access
   */
  public static boolean has(String name) {
    try (Arena arena = Arena.ofConfined()) {
      SymbolLookup.libraryLookup(name, arena);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /** @param name a path, or a name for the loader to look up on its usual path */
  public OpenLibrary open(String name) throws CannotOpen {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment handle = pointer(dlopen, arena.allocateFrom(name), RTLD_LAZY);
      if (handle.equals(MemorySegment.NULL)) {
        throw new CannotOpen(lastError());
      }
      return new OpenLibrary(handle, file(handle, name, arena));
    }
  }

  /** Whether the process has loaded exactly this file. */
  public boolean holds(Path file) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment handle = pointer(dlopen, arena.allocateFrom(file.toString()), RTLD_LAZY | RTLD_NOLOAD);
      if (handle.equals(MemorySegment.NULL)) {
        lastError();
        return false;
      }
      number(dlclose, handle);
      return true;
    }
  }

  public void close(OpenLibrary library) {
    number(dlclose, library.handle());
  }

  /** Finds a function of a library and binds it to a handle. */
  public Optional<MethodHandle> function(OpenLibrary library, String name, FunctionDescriptor descriptor) {
    return address(library, name).map(it -> linker.downcallHandle(it, descriptor));
  }

  /** A function of the C library. */
  public MemorySegment ofC(String name) {
    return linker.defaultLookup().find(name).orElseThrow(() -> new AssertionError(
      "the C library lacks a function: name=" + name));
  }

  /** Calls any function of a kind, whose address is the first argument. */
  public MethodHandle anyFunction(FunctionDescriptor descriptor) {
    return linker.downcallHandle(descriptor);
  }

  /** The place of a function of a library. */
  public Optional<MemorySegment> address(OpenLibrary library, String name) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment address = pointer(dlsym, library.handle(), arena.allocateFrom(name));
      return address.equals(MemorySegment.NULL) ? Optional.empty() : Optional.of(address);
    }
  }

  private Path file(MemorySegment handle, String name, Arena arena) {
    MemorySegment answer = arena.allocate(ADDRESS);
    if (number(dlinfo, handle, RTLD_DI_LINKMAP, answer) != 0) {
      return Path.of(name);
    }
    MemorySegment map = answer.get(ADDRESS, 0).reinterpret(LINK_MAP_NAME + ADDRESS.byteSize());
    String opened = map.get(ADDRESS, LINK_MAP_NAME).reinterpret(LONGEST_TEXT).getString(0);
    return Path.of(opened.isEmpty() ? name : opened);
  }

  private String lastError() {
    MemorySegment text = pointer(dlerror);
    return text.equals(MemorySegment.NULL) ? "no reason given" : text.reinterpret(LONGEST_TEXT).getString(0);
  }

  private MethodHandle handle(String name, FunctionDescriptor descriptor) {
    return linker.downcallHandle(ofC(name), descriptor);
  }

  private static MemorySegment pointer(MethodHandle function, Object... arguments) {
    return (MemorySegment) call(function, arguments);
  }

  private static int number(MethodHandle function, Object... arguments) {
    return (int) call(function, arguments);
  }

  /** Calls native code with any number of arguments. Slow: for calls that happen once. */
  public static Object call(MethodHandle function, Object... arguments) {
    try {
      return function.invokeWithArguments(arguments);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError("native code threw: function=" + function, e);
    }
  }
}
