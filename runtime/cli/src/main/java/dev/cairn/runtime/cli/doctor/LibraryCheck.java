package dev.cairn.runtime.cli.doctor;

import dev.cairn.kernels.cuda.load.CudaLibrary;
import dev.cairn.kernels.cuda.load.LoadedCuda;
import dev.cairn.kernels.cuda.load.RefusedLibrary;
import dev.cairn.kernels.cuda.load.RefusedLibrary.Why;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A library over the driver that Cairn needs, or does better with.
 *
 * @param check its name, for people
 * @param file what its files' names begin with
 * @param library what was loaded of it
 * @param without what Cairn does when it is not there
 * @param packages that have it, for Python's installer
 */
record LibraryCheck(String check, String file, Function<LoadedCuda, Optional<CudaLibrary>> library,
  Function<CudaFacts, Without> without, String packages) implements Check {
  static final LibraryCheck NVRTC = new LibraryCheck("NVRTC", "libnvrtc.so", LoadedCuda::nvrtc,
    LibraryCheck::withoutNvrtc, "nvidia-cuda-nvrtc-cu12");
  static final LibraryCheck CUBLAS = new LibraryCheck("cuBLAS", "libcublas.so", LoadedCuda::cublas,
    _ -> new Without(Severity.LOSS, "matrix products run on Cairn's own kernels, which are slower", ""),
    "nvidia-cublas-cu12");

  /**
   * Life without a library.
   *
   * @param evidence what else was seen; empty for nothing
   */
  record Without(Severity severity, String words, String evidence) {}

  private static Without withoutNvrtc(CudaFacts cuda) {
    PrecompiledFacts kernels = cuda.precompiled();
    return kernels.families() == 0
      ? new Without(Severity.NO_GPU, "kernels cannot be compiled, and models run on the processor", kernels.evidence())
      : new Without(Severity.LOSS, "%d families of kernels compiled at build time serve, fusion is off".formatted(
        kernels.families()), kernels.evidence());
  }

  @Override
  public Finding look(Host host) {
    Optional<LoadedCuda> loaded = host.cuda().loaded();
    if (loaded.isEmpty()) {
      return Finding.skipped(check, "not checked without a driver");
    }
    Optional<CudaLibrary> found = library.apply(loaded.get());
    return found.isPresent() ? found(found.get()) : fault(loaded.get(), without.apply(host.cuda()));
  }

  private Finding found(CudaLibrary found) {
    String evidence = "file=%s place=%s".formatted(found.file(), found.place());
    return found.servesNativeAsItIs()
      ? Finding.fine(check, "of CUDA " + found.major(), evidence)
      : new Finding(Severity.NOTE, check, "only CUDA %d's is here; JCuda's native was rewritten for it".formatted(found
        .major()), evidence, "optional: with CUDA 12's library the native stays as it is (pip install %s)".formatted(
          packages));
  }

  private Finding fault(LoadedCuda cuda, Without instead) {
    List<RefusedLibrary> refused = cuda.refused().stream().filter(it -> name(it).startsWith(file)).toList();
    String evidence = refused.stream().map(RefusedLibrary::toString).collect(Collectors.joining("; "));
    String install = "pip install %s, or set its folder with --cuda-libraries or CAIRN_CUDA_LIBRARIES".formatted(
      packages);
    if (refused.isEmpty()) {
      return fault(instead, "is missing", "no %s.12 or .13 in the places that docs/gpu.md lists".formatted(file),
        install);
    }
    if (refused.stream().allMatch(it -> it.why() == Why.NEWER_THAN_DRIVER)) {
      return fault(instead, "is installed only for a later CUDA than the driver supports", evidence,
        "update NVIDIA's driver to 580 or later, or %s".formatted(install));
    }
    return refused.stream().anyMatch(it -> it.why() == Why.WRONG_ARCHITECTURE)
      ? fault(instead, "is for another processor", evidence, install)
      : fault(instead, "cannot be loaded", evidence, "install it again: " + install);
  }

  private Finding fault(Without instead, String what, String evidence, String remedy) {
    return new Finding(instead.severity, check, "%s %s: %s".formatted(check, what, instead.words), instead.evidence
      .isEmpty() ? evidence : evidence + "; " + instead.evidence, remedy);
  }

  private static String name(RefusedLibrary library) {
    return String.valueOf(library.file().getFileName());
  }
}
