package dev.cairn.runtime.cli.option;

import dev.cairn.kernels.row.ProcessorKernels;
import dev.cairn.runtime.backend.DeviceOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Where a model runs. */
@HelpSection.In(HelpSection.DEVICE)
public final class DeviceOption {
  /** Names the folder with the simulated CUDA's libraries. */
  public static final String SIMULATOR = "CAIRN_SIMULATOR";

  @HelpSection.Common
  @Option(names = "--device", paramLabel = "cpu|cuda:0|auto",
    description = "Device: cpu; cuda:N for this GPU, or fail; auto for a GPU if one can be used, else the processor; "
      + "sim for simulated CUDA on the processor. Default: cpu; auto with --require-gpu.")
  private @Nullable String named;

  @Option(names = "--require-gpu", description = "Run on a GPU, or fail.")
  private boolean requireGpu;

  @Option(names = "--math", paramLabel = "fp32|tf32", defaultValue = "fp32",
    description = "Precision of float32 products on a GPU: full, or 10 bits of fraction on tensor cores. "
      + "Default: ${DEFAULT-VALUE}.")
  private DeviceOptions.FloatMath math = DeviceOptions.FloatMath.FP32;

  @Option(names = "--convolutions", paramLabel = "measured|own|cudnn", defaultValue = "measured",
    description = "Convolution kernels on a GPU with cuDNN: measured: the fastest in a trial; own: Cairn's and "
      + "cuBLAS; cudnn: cuDNN's. Default: ${DEFAULT-VALUE}.")
  private DeviceOptions.Convolutions convolutions = DeviceOptions.Convolutions.MEASURED;

  @Option(names = "--kernels", paramLabel = "portable|vector|onednn|winograd", defaultValue = "winograd",
    description = "Kernels on the processor: portable: the slow reference kernels; vector: also those with the Vector "
      + "API; onednn: also oneDNN's, if it can be loaded; winograd: also Winograd's algorithm for convolutions 3x3, "
      + "which stores more weights and serves no session with a memory limit. "
      + "Default: ${DEFAULT-VALUE}.")
  private ProcessorKernels.Wanted kernels = ProcessorKernels.Wanted.WINOGRAD;

  @Mixin
  private CudaOption cuda = new CudaOption();

  /**
   * The options of a session.
   *
   * @param environment variables of the process: where CUDA and the simulator are
   * @throws IllegalArgumentException when there is no such device, or a GPU is required and the processor asked for
   * @throws MissingSimulator when the simulator is not where the environment says
   */
  public DeviceOptions options(Map<String, String> environment) {
    String device = device();
    if (requireGpu && device.equals("cpu")) {
      throw new IllegalArgumentException("--require-gpu excludes the processor: --device=" + device);
    }
    DeviceOptions options = device.equals("sim")
      ? DeviceOptions.simulated(simulator(environment), cuda.search(environment))
      : DeviceOptions.of(device).withRequired(requireGpu).withSearch(cuda.search(environment));
    return options.withMath(math).withConvolutions(convolutions).withKernels(kernels);
  }

  private String device() {
    return named != null ? named : requireGpu ? "auto" : "cpu";
  }

  private static Path simulator(Map<String, String> environment) {
    String folder = environment.get(SIMULATOR);
    if (folder == null) {
      throw new MissingSimulator("its path is unknown: variable=" + SIMULATOR,
        "start Cairn with ./cairn, which sets it, or set %s to native-tests/simulator/target/lib".formatted(SIMULATOR));
    }
    Path libraries = Path.of(folder);
    if (!Files.exists(libraries.resolve("libcuda.so.1"))) {
      throw new MissingSimulator("no libcuda.so.1 there: %s=%s".formatted(SIMULATOR, folder),
        "run native-tests/simulator/build.sh in Cairn's source folder; it needs g++ (Debian: apt-get install g++)");
    }
    return libraries;
  }
}
