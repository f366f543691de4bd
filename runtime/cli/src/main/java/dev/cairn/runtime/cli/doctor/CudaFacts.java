package dev.cairn.runtime.cli.doctor;

import dev.cairn.kernels.cuda.load.CudaUnavailable;
import dev.cairn.kernels.cuda.load.FoundCudnn;
import dev.cairn.kernels.cuda.load.LoadedCuda;
import java.util.List;
import java.util.Optional;

/**
 * What came of loading CUDA: exactly one of the first two is there.
 *
 * @param kernelModule what the operating system says of NVIDIA's kernel module; empty when it is not there
 * @param devices each that the driver knows of
 * @param precompiled what serves where there is no NVRTC
 * @param cudnn what looking for it came to; nothing was found where CUDA was not loaded
 */
public record CudaFacts(Optional<LoadedCuda> loaded, Optional<CudaUnavailable> unavailable,
  Optional<String> kernelModule, List<GpuFacts> devices, PrecompiledFacts precompiled, FoundCudnn cudnn) {
  /** cuDNN was not found, or not looked for. */
  static final FoundCudnn NO_CUDNN = new FoundCudnn(Optional.empty(), List.of(), List.of());

  public CudaFacts {
    devices = List.copyOf(devices);
    if (loaded.isPresent() == unavailable.isPresent()) {
      throw new AssertionError("either loaded or not: loaded=%s unavailable=%s".formatted(loaded, unavailable));
    }
  }
}
