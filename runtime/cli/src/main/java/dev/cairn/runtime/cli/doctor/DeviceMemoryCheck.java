package dev.cairn.runtime.cli.doctor;

import dev.cairn.allocator.report.StatsText;
import java.util.List;
import java.util.stream.Collectors;

/** The GPUs can be used: at least one has memory left. */
final class DeviceMemoryCheck implements Check {
  private static final String CHECK = "device memory";
  /** A context and a small model take about this much. */
  private static final long LEAST_BYTES = 512L << 20;

  @Override
  public Finding look(Host host) {
    List<GpuFacts> devices = host.cuda().devices();
    if (devices.isEmpty()) {
      return Finding.skipped(CHECK, "not checked without a GPU");
    }
    List<GpuFacts> usable = devices.stream().filter(it -> it.failure().isEmpty()).toList();
    if (usable.isEmpty()) {
      return new Finding(Severity.NO_GPU, CHECK, "no GPU can be used", words(devices),
        "end the process that holds the GPU (see nvidia-smi), or choose another GPU with CUDA_VISIBLE_DEVICES");
    }
    if (usable.stream().noneMatch(it -> it.freeBytes() >= Math.min(LEAST_BYTES, it.totalBytes() / 2))) {
      return new Finding(Severity.NO_GPU, CHECK, "no GPU has memory left", words(devices),
        "end the process that holds it (see nvidia-smi), or choose another GPU with CUDA_VISIBLE_DEVICES");
    }
    return usable.size() < devices.size()
      ? new Finding(Severity.LOSS, CHECK, "not every GPU can be used", words(devices),
        "see nvidia-smi for what is wrong with the others")
      : Finding.fine(CHECK, "available", words(devices));
  }

  private static String words(List<GpuFacts> devices) {
    return devices.stream().map(it -> it.failure().isEmpty()
      ? "cuda:%d %s of %s free".formatted(it.index(), StatsText.bytes(it.freeBytes()), StatsText.bytes(it
        .totalBytes()))
      : "cuda:%d %s".formatted(it.index(), it.failure())).collect(Collectors.joining(", "));
  }
}
