package dev.cairn.kernels.cuda.load;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The parts of CUDA that this process has loaded, until it ends. JCuda's driver class is ready. JNvrtc and JCublas2 are
 * ready if their library is present; otherwise code must not touch them.
 *
 * @param driver the path of {@code libcuda.so.1}
 * @param driverVersion the CUDA version that the driver supports, as {@code 1000 * major + 10 * minor}
 * @param devices the number of GPUs, at least one
 * @param nvrtc compiles kernels at run time; without it, precompiled kernels are used
 * @param cublas computes matrix products; without it, Cairn's own kernels are used
 * @param refused libraries that were found but not used
 * @param notes unusual observations and their consequences, one sentence each
 */
public record LoadedCuda(Path driver, int driverVersion, int devices, Optional<CudaLibrary> nvrtc,
  Optional<CudaLibrary> cublas, List<RefusedLibrary> refused, List<String> notes) {
  public LoadedCuda {
    refused = List.copyOf(refused);
    notes = List.copyOf(notes);
  }

  /** The major CUDA version that the driver supports, {@code 12} or {@code 13}. */
  public int driverMajor() {
    return driverVersion / 1000;
  }

  /** The driver's CUDA version as text: {@code 12.6}. */
  public String driverVersionText() {
    return "%d.%d".formatted(driverVersion / 1000, driverVersion % 1000 / 10);
  }
}
