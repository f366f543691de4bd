package dev.cairn.kernels.cuda.load;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What of CUDA this process holds, until it ends. JCuda's driver class is ready; JNvrtc and JCublas2 are where the
 * library is present, and must not be touched where it is not.
 *
 * @param driver where {@code libcuda.so.1} lies
 * @param driverVersion the CUDA version it serves, as {@code 1000 * major + 10 * minor}
 * @param devices GPUs that it knows of, at least one
 * @param nvrtc compiles kernels while the program runs; without it those compiled at build time serve
 * @param cublas matrix products; without it kernels of our own serve
 * @param refused libraries that were found and not used
 * @param notes what was odd, and what does without as a result, a sentence each
 */
public record LoadedCuda(Path driver, int driverVersion, int devices, Optional<CudaLibrary> nvrtc,
  Optional<CudaLibrary> cublas, List<RefusedLibrary> refused, List<String> notes) {
  public LoadedCuda {
    refused = List.copyOf(refused);
    notes = List.copyOf(notes);
  }

  /** The CUDA version that the driver serves, {@code 12} or {@code 13}. */
  public int driverMajor() {
    return driverVersion / 1000;
  }

  /** As people write it: {@code 12.6}. */
  public String driverVersionText() {
    return "%d.%d".formatted(driverVersion / 1000, driverVersion % 1000 / 10);
  }
}
