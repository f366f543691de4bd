package dev.cairn.conformance;

import dev.cairn.kernels.cuda.load.CudaSearch;
import dev.cairn.runtime.backend.DeviceOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;

/** CUDA on the processor, where the build has made it. */
final class SimulatedGpu {
  private SimulatedGpu() {}

  /** The device for sessions; skips the calling test where there is no simulator. */
  static DeviceOptions device() {
    Path folder = Path.of(System.getProperty("cairn.simulator", System.getProperty("cairn.root", "../..")
      + "/native-tests/simulator/target/lib"));
    Assumptions.assumeTrue(Files.exists(folder.resolve("libcuda.so.1")),
      "skipped: no g++, so there is no simulator");
    CudaSearch search = CudaSearch.of(System.getenv()).withCacheFolder(Path.of("target/natives"));
    return DeviceOptions.simulated(folder, search).withRequired(true);
  }
}
