package dev.cairn.kernels.cuda.compile;

import dev.cairn.kernels.cuda.load.CudaSearch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Compiles CUDA C to PTX with a toolkit's nvcc, when Cairn is built. A compiler marks PTX with its own version, so only
 * drivers of that CUDA version or later accept it, even if the code does not need the version. Therefore this class
 * lowers the version to the oldest supported one, if ptxas then accepts the code. Thread-safe.
 */
public final class Nvcc implements KernelCompiler {
  /** The PTX version of CUDA 12.0, the oldest version that JCuda's natives support. */
  private static final String OLDEST_PTX = "8.0";
  private static final Pattern PTX_VERSION = Pattern.compile("^\\.version .*$", Pattern.MULTILINE);
  private static final Pattern RELEASE = Pattern.compile("release [0-9.]+, V([0-9.]+)");

  private final String nvcc;
  private final String ptxas;
  private final String version;
  private final CompiledKernelCache cache;

  private Nvcc(Path nvcc, String version, CompiledKernelCache cache) {
    this.nvcc = nvcc.toString();
    this.ptxas = nvcc.resolveSibling("ptxas").toString();
    this.version = version;
    this.cache = cache;
  }

  /**
   * Finds nvcc on the {@code PATH} of an environment, and uses the user's cache; empty if there is no nvcc.
   *
   * @throws IOException if there is an nvcc that does not work
   */
  public static Optional<Nvcc> find(Map<String, String> environment) throws IOException {
    return find(environment.getOrDefault("PATH", ""), CudaSearch.of(environment).userCache("ptx").map(
      CompiledKernelCache::in).orElseGet(CompiledKernelCache::none));
  }

  /**
   * Finds nvcc on a search path; empty if there is none.
   *
   * @param path folders, separated by colons
   * @param cache keeps its results
   * @throws IOException if there is an nvcc that does not work
   */
  static Optional<Nvcc> find(String path, CompiledKernelCache cache) throws IOException {
    for (String folder : path.split(":", -1)) {
      Path nvcc = Path.of(folder, "nvcc");
      if (!folder.isEmpty() && Files.isExecutable(nvcc)) {
        Matcher release = RELEASE.matcher(run(List.of(nvcc.toString(), "--version")).said);
        return Optional.of(new Nvcc(nvcc, release.find() ? release.group(1) : "unknown", cache));
      }
    }
    return Optional.empty();
  }

  /** The compiler's name and version as text for users: {@code nvcc 13.0.88}. */
  public String made() {
    return "nvcc " + version;
  }

  @Override
  public byte[] compile(CudaProgram source, String architecture, List<String> options) {
    String key = CompiledKernelCache.key(List.of(made(), OLDEST_PTX, architecture, PrecompiledIndex.key(source,
      options)));
    return cache.get(key, () -> compileNow(source, architecture, options));
  }

  @Override
  public boolean compilesAnything() {
    return true;
  }

  private byte[] compileNow(CudaProgram source, String architecture, List<String> options) {
    try {
      Path folder = Files.createTempDirectory("cairn-nvcc-");
      try {
        return compileIn(folder, source, architecture, options).getBytes(StandardCharsets.US_ASCII);
      } finally {
        try (Stream<Path> files = Files.list(folder)) {
          for (Path file : files.toList()) {
            Files.delete(file);
          }
        }
        Files.delete(folder);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("a kernel can't be compiled: source=" + source.name(), e);
    }
  }

  private String compileIn(Path folder, CudaProgram source, String architecture, List<String> options)
    throws IOException {
    Path text = Files.writeString(folder.resolve(source.name()), source.text());
    for (Map.Entry<String, String> header : source.headers().entrySet()) {
      Files.writeString(folder.resolve(header.getKey()), header.getValue());
    }
    Path ptx = folder.resolve("made.ptx");
    List<String> command = new ArrayList<>(List.of(nvcc, "-ptx", "-arch=" + architecture.replace("sm_", "compute_"),
      "-Werror", "all-warnings", "-DWITHOUT_CUDA_HEADERS", "-I", folder.toString(), "-o", ptx.toString()));
    command.addAll(options);
    command.add(text.toString());
    Outcome outcome = run(command);
    if (outcome.code != 0) {
      throw new IOException("nvcc failed: code=%d command=%s%n%s".formatted(outcome.code, command, outcome.said));
    }
    String made = withoutComments(Files.readString(ptx, StandardCharsets.US_ASCII));
    String older = PTX_VERSION.matcher(made).replaceFirst(".version " + OLDEST_PTX);
    return accepts(folder, architecture, older) ? older : made;
  }

  private boolean accepts(Path folder, String architecture, String ptx) throws IOException {
    Path file = Files.writeString(folder.resolve("older.ptx"), ptx, StandardCharsets.US_ASCII);
    return run(List.of(ptxas, "-O0", "-arch=" + architecture, "-o", folder.resolve("made.cubin").toString(), file
      .toString())).code == 0;
  }

  private static String withoutComments(String ptx) {
    var text = new StringBuilder(ptx.length());
    ptx.lines().filter(it -> !it.isBlank() && !it.startsWith("//")).forEach(it -> text.append(it).append('\n'));
    return text.toString();
  }

  private record Outcome(int code, String said) {}

  private static Outcome run(List<String> command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    try {
      return new Outcome(process.waitFor(), said);
    } catch (InterruptedException e) {
      process.destroy();
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while a compiler ran: command=" + command, e);
    }
  }
}
