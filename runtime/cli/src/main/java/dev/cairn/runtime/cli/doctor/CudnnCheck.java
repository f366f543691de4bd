package dev.cairn.runtime.cli.doctor;

import dev.cairn.kernels.cuda.load.CudnnLibrary;
import dev.cairn.kernels.cuda.load.FoundCudnn;
import dev.cairn.kernels.cuda.load.RefusedLibrary;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Looks for cuDNN. Convolutions may be faster with it, and run without it, too. */
final class CudnnCheck implements Check {
  private static final String CHECK = "cuDNN";
  private static final String WITHOUT = "convolutions run on Cairn's own kernels";

  @Override
  public Finding look(Host host) {
    if (host.cuda().loaded().isEmpty()) {
      return Finding.skipped(CHECK, "not checked without a driver");
    }
    FoundCudnn found = host.cuda().cudnn();
    Optional<CudnnLibrary> library = found.library();
    if (library.isPresent()) {
      return Finding.fine(CHECK, "%s, of CUDA %d; convolutions run on it where it is faster".formatted(library.get()
        .versionText(), library.get().cudaMajor()), "file=%s place=%s".formatted(library.get().file(),
          library.get()
            .place()));
    }
    String seen = Stream.concat(found.refused().stream().map(RefusedLibrary::toString), found.notes().stream()).collect(
      Collectors.joining("; "));
    int major = host.cuda().loaded().get().cublas().map(it -> it.major()).orElse(12);
    String install = ("optional: some convolutions may be faster with it (pip install nvidia-cudnn-cu%d; where the "
      + "driver's file is named, so must be its folder, with --cuda-libraries or CAIRN_CUDA_LIBRARIES)")
      .formatted(major);
    return seen.isEmpty()
      ? new Finding(Severity.NOTE, CHECK, "is missing: " + WITHOUT, "no libcudnn.so.9 in the places that docs/gpu.md "
        + "lists", install)
      : new Finding(Severity.NOTE, CHECK, "cannot be used: " + WITHOUT, seen, install);
  }
}
