package dev.cairn.runtime.cli.doctor;

import dev.cairn.kernels.cuda.load.CudaUnavailable;
import dev.cairn.kernels.cuda.load.CudaUnavailable.Reason;
import dev.cairn.kernels.cuda.load.LoadedCuda;
import java.util.Optional;

/** There is an NVIDIA driver, new enough, that finds a GPU, and JCuda can be loaded over it. */
final class DriverCheck implements Check {
  private static final String CHECK = "driver";

  @Override
  public Finding look(Host host) {
    Optional<LoadedCuda> loaded = host.cuda().loaded();
    if (loaded.isPresent()) {
      LoadedCuda cuda = loaded.get();
      return Finding.fine(CHECK, "serves CUDA " + cuda.driverVersionText(), "file=%s devices=%d".formatted(cuda
        .driver(), cuda.devices()));
    }
    CudaUnavailable failure = host.cuda().unavailable().orElseThrow();
    Reason reason = failure.reason();
    if (reason == Reason.WRONG_PLATFORM || reason == Reason.NO_NATIVE_ACCESS) {
      return Finding.skipped(CHECK, "not checked: " + reason.words());
    }
    return new Finding(Severity.NO_GPU, CHECK, reason.words(), evidence(failure, host.cuda()), remedy(reason));
  }

  private static String evidence(CudaUnavailable failure, CudaFacts facts) {
    var text = new StringBuilder();
    failure.facts().forEach((key, value) -> text.append(key).append('=').append(value).append(' '));
    return text + "kernel module=" + facts.kernelModule().orElse("none");
  }

  private static String remedy(Reason reason) {
    return switch (reason) {
      case NO_DRIVER -> "install NVIDIA's driver 525 or later; in a container, start it with the GPU (docker run --gpus"
        + " all); or set its libcuda.so.1 with --cuda-driver or CAIRN_CUDA_DRIVER";
      case DRIVER_TOO_OLD -> "update NVIDIA's driver to 525 or later, which serves CUDA 12";
      case DRIVER_BROKEN -> "check nvidia-smi; after a driver update, restart the machine";
      case NO_DEVICE -> "check nvidia-smi, and that CUDA_VISIBLE_DEVICES does not hide the GPU";
      case CACHE_UNUSABLE -> "fix the native cache, see above";
      case BINDING_BROKEN -> "build Cairn again; if the problem remains, report it with this output";
      case NO_BINDING -> "add the dependency dev.cairn:cairn-cuda";
      case ALREADY_BOUND -> "start another process for another driver";
      case NO_COMPILER -> "install NVRTC, see the check of the libraries";
      case KERNELS_REFUSED -> "install NVRTC, see the check of the libraries, or a newer driver";
      case WRONG_PLATFORM, NO_NATIVE_ACCESS ->
        throw new AssertionError("another check's: reason=" + reason);
    };
  }
}
