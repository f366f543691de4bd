package dev.cairn.kernels.cuda.compile;

import dev.cairn.kernels.cuda.compile.PrecompiledIndex.Image;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Creates a set of precompiled kernels. Compiles all sources in parallel, and then writes the results to a new folder.
 * If one fails, writes nothing.
 */
public final class Precompilation {
  private final KernelCompiler compiler;
  private final SortedMap<Image, Callable<byte[]>> tasks = new TreeMap<>(Comparator.comparing(Image::source)
    .thenComparing(Image::key).thenComparingInt(Image::architecture));

  /** @param compiler a compiler whose results drivers also accept for later devices */
  public Precompilation(KernelCompiler compiler) {
    this.compiler = compiler;
  }

  /** Adds a source with the options that {@link KernelCompiler#compile} will get for it. */
  public void add(CudaProgram source, String architecture, List<String> options) {
    var image = new Image(PrecompiledIndex.key(source, options), PrecompiledIndex.number(architecture), source.name());
    tasks.put(image, () -> compiler.compile(source, architecture, options));
  }

  /**
   * Compiles all sources and writes the results.
   *
   * @param made the compiler's name, as text for users
   * @return the number of bytes written
   */
  public long writeTo(Path folder, String made) throws IOException, InterruptedException {
    List<byte[]> code = compileAll();
    Files.createDirectories(folder);
    try (var old = Files.list(folder)) {
      for (Path file : old.toList()) {
        Files.delete(file);
      }
    }
    List<Image> images = List.copyOf(tasks.keySet());
    long bytes = 0;
    for (int i = 0; i < images.size(); i++) {
      Files.write(folder.resolve(images.get(i).file()), code.get(i));
      bytes += code.get(i).length;
    }
    Files.writeString(folder.resolve(PrecompiledKernels.INDEX), new PrecompiledIndex(made, images).text(),
      StandardCharsets.UTF_8);
    return bytes;
  }

  private List<byte[]> compileAll() throws InterruptedException {
    List<byte[]> code = new ArrayList<>();
    ExecutorService workers = Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
    try {
      for (Future<byte[]> made : workers.invokeAll(tasks.values())) {
        code.add(made.get());
      }
      return code;
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException failure ? failure : new IllegalStateException(e.getCause());
    } finally {
      workers.shutdownNow();
    }
  }

  /** The number of images. */
  public int size() {
    return tasks.size();
  }
}
