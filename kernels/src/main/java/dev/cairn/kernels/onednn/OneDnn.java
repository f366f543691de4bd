package dev.cairn.kernels.onednn;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.cairn.kernels.catalog.KernelProvider.Unavailable;
import dev.cairn.kernels.load.CannotOpen;
import dev.cairn.kernels.load.DynamicLoader;
import dev.cairn.kernels.load.NativeContent;
import dev.cairn.kernels.load.NativeFiles;
import dev.cairn.kernels.load.OpenLibrary;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The library oneDNN, loaded once for the process. Thread-safe.
 *
 * @param version such as {@code 3.11}
 * @param instructions the instructions of the processor that it uses, as {@code dnnl_cpu_isa_t} has them
 */
public record OneDnn(OneDnnCalls calls, String version, int instructions) {
  private static final String FOLDER = "/org/bytedeco/dnnl/linux-x86_64/";
  private static final NativeContent OPEN_MP = carried("libgomp.so.1", 298_776,
    "115302e45583ad3e8df681c0a5af4c8273b7399f764965280d70d8780e5ee454");
  static final NativeContent LIBRARY = carried("libdnnl.so.3", 89_662_848,
    "a8948803c5718bac623b664be77fb47e24328e8693997e96e02c4308b0ee826f");
  /** Bits of the processor's instructions: products of {@code bfloat16}, by AVX-512 and by AMX's tiles. */
  private static final int BFLOAT16 = 0x80;
  private static final int BFLOAT16_TILES = 0x800;
  /** The values of {@code dnnl_cpu_isa_t}. */
  private static final Map<Integer, String> INSTRUCTIONS = Map.ofEntries(Map.entry(0x1, "sse41"), Map.entry(0x3,
    "avx"), Map.entry(0x7, "avx2"), Map.entry(0xf, "avx2_vnni"), Map.entry(0x1f, "avx2_vnni_2"),
    Map.entry(0x27,
      "avx512_core"),
    Map.entry(0x67, "avx512_core_vnni"), Map.entry(0xe7, "avx512_core_bf16"), Map.entry(0x1ef, "avx512_core_fp16"), Map
      .entry(0xfef, "avx512_core_amx"),
    Map.entry(0x1fef, "avx512_core_amx_fp16"), Map.entry(0x201ff, "avx10_2_512"), Map.entry(0x22fff,
      "avx10_2_512_amx_2"));

  private static @Nullable OneDnn loaded;

  private static NativeContent carried(String fileName, long bytes, String checksum) {
    return new NativeContent(fileName, bytes, checksum, () -> {
      InputStream in = OneDnn.class.getResourceAsStream(FOLDER + fileName);
      if (in == null) {
        throw new IOException("a resource is missing: name=" + FOLDER + fileName);
      }
      return in;
    });
  }

  /**
   * Loads the library, unless that was done.
   *
   * @param wanted the folder for natives that was asked for, and no other
   * @param usual the folder where none was asked for
   * @param notes gets notes for users
   * @throws Unavailable when it cannot be loaded; another attempt may be made
   */
  public static synchronized OneDnn load(Optional<Path> wanted, Optional<Path> usual, Consumer<String> notes)
    throws Unavailable {
    OneDnn before = loaded;
    if (before == null) {
      requirePlatform(System.getProperty("os.name", ""), System.getProperty("os.arch", ""));
      requireOnClassPath();
      DynamicLoader loader = loader();
      before = loadWith(loader, new NativeFiles(wanted, usual, loader, notes));
      loaded = before;
    }
    return before;
  }

  private static DynamicLoader loader() throws Unavailable {
    try {
      return new DynamicLoader();
    } catch (IllegalCallerException e) {
      throw new Unavailable("native access is denied: start the JVM with --enable-native-access", e);
    }
  }

  static void requirePlatform(String system, String processor) throws Unavailable {
    if (!system.equals("Linux") || !processor.equals("amd64")) {
      throw new Unavailable("there is no library for this platform: os=%s arch=%s".formatted(system, processor));
    }
  }

  /**
   * Refuses natives that are not on the class path. Otherwise a file that another program left in the folder for
   * natives would decide which kernels compute here.
   */
  private static void requireOnClassPath() throws Unavailable {
    if (OneDnn.class.getResource(FOLDER + LIBRARY.fileName()) == null) {
      throw new Unavailable("its library is not on the class path: the artifact cairn-onednn brings it");
    }
  }

  static OneDnn loadWith(DynamicLoader loader, NativeFiles files) throws Unavailable {
    try {
      // This comes first, so that the library finds it by its name.
      OpenLibrary openMp = files.load(OPEN_MP, _ -> {});
      OpenLibrary library = files.load(LIBRARY, _ -> {});
      return of(new LoadedOneDnn(loader, library, openMp));
    } catch (IOException | CannotOpen | RuntimeException e) {
      throw new Unavailable("it cannot be loaded: " + e.getMessage(), e);
    }
  }

  static OneDnn of(OneDnnCalls calls) {
    long version = calls.number("dnnl_version");
    MemorySegment numbers = MemorySegment.ofAddress(version).reinterpret(2 * ADDRESS.byteSize());
    return new OneDnn(calls, numbers.getAtIndex(JAVA_INT, 0) + "." + numbers.getAtIndex(JAVA_INT, 1), calls.answer(
      "dnnl_get_effective_cpu_isa"));
  }

  /**
   * Whether the processor multiplies {@code bfloat16}. Otherwise oneDNN would emulate it, slower than {@code float32}.
   */
  boolean hasBfloat16() {
    return (instructions & BFLOAT16) != 0;
  }

  /** For people: {@code oneDNN 3.11 on avx512_core_bf16 (bfloat16 by AVX-512)}. */
  public String description() {
    String named = INSTRUCTIONS.getOrDefault(instructions, String.format(Locale.ROOT, "isa 0x%x", instructions));
    boolean byTiles = (instructions & BFLOAT16_TILES) != 0;
    String bfloat16 = byTiles ? " (bfloat16 by AMX)" : hasBfloat16() ? " (bfloat16 by AVX-512)" : "";
    return "oneDNN %s on %s%s".formatted(version, named, bfloat16);
  }
}
