package dev.cairn.kernels.cuda.kernel;

import dev.cairn.kernels.cuda.compile.CudaProgram;
import dev.cairn.kernels.cuda.compile.KernelCompiler;
import dev.cairn.kernels.cuda.compile.Nvcc;
import dev.cairn.kernels.cuda.compile.Precompilation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A step of this library's build: compiles every kernel with nvcc, if it is installed, for machines without NVRTC. The
 * user's cache keeps results of earlier builds.
 *
 * <pre>
 *   java ... PrecompileKernels target/classes/META-INF/cairn/ptx
 * </pre>
 */
public final class PrecompileKernels {
  private PrecompileKernels() {}

  /** @param arguments the folder to write to */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    long began = System.nanoTime();
    Optional<Nvcc> nvcc = Nvcc.find(System.getenv());
    if (nvcc.isEmpty()) {
      System.out.println("skipped: no nvcc (kernels are not compiled at build time)");
      return;
    }
    Precompilation all = all(nvcc.get());
    long bytes = all.writeTo(Path.of(arguments[0]), nvcc.get().made());
    System.out.printf("%d kernels compiled by %s: kilobytes=%d seconds=%.1f%n", all.size(), nvcc.get().made(), bytes
      / 1000, (System.nanoTime() - began) / 1e9);
  }

  /** All sources and definitions that kernels of this library may use. */
  public static Precompilation all(KernelCompiler compiler) {
    var all = new Precompilation(compiler);
    for (KernelVariants variants : KernelVariants.ALL) {
      CudaProgram source = KernelLibrary.source(variants.source());
      for (List<String> definitions : variants.definitions()) {
        for (String architecture : variants.architectures(definitions)) {
          all.add(source, architecture, KernelLibrary.options(definitions));
        }
      }
    }
    return all;
  }
}
