package dev.cairn.runtime.cli.option;

import dev.cairn.kernels.catalog.family.ProcessorKernels;
import dev.cairn.runtime.backend.DeviceOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Where a model runs. */
public final class DeviceOption {
  /** Names the folder with the simulated CUDA's libraries. */
  public static final String SIMULATOR = "CAIRN_SIMULATOR";

  @Option(names = "--device", paramLabel = "cpu|cuda:0|auto",
    description = "Where to run: cpu; cuda:N, which fails where there is no such GPU; auto for a GPU where one can be "
      + "used and the processor elsewhere; or sim for a CUDA that runs on the processor. Default: cpu; auto with "
      + "--require-gpu.")
  private @Nullable String named;

  @Option(names = "--require-gpu", description = "Run on a GPU, or fail.")
  private boolean requireGpu;

  @Option(names = "--math", paramLabel = "fp32|tf32", defaultValue = "fp32",
    description = "How exactly a GPU multiplies float32: every bit, or 10 bits of fraction on tensor cores. "
      + "Default: ${DEFAULT-VALUE}.")
  private DeviceOptions.FloatMath math = DeviceOptions.FloatMath.FP32;

  @Option(names = "--convolutions", paramLabel = "measured|own|cudnn", defaultValue = "measured",
    description = "Which kernels a GPU takes for convolutions where cuDNN is installed: whichever is fastest when "
      + "tried, Cairn's own and cuBLAS, or cuDNN. Default: ${DEFAULT-VALUE}.")
  private DeviceOptions.Convolutions convolutions = DeviceOptions.Convolutions.MEASURED;

  @Option(names = "--kernels", paramLabel = "portable|vector|onednn", defaultValue = "onednn",
    description = "Up to which kernels the processor may take: portable for the slow ones that all others are compared "
      + "with; vector for those over the Vector API, too; onednn for oneDNN's, too, where it can be loaded. "
      + "Default: ${DEFAULT-VALUE}.")
  private ProcessorKernels.Wanted kernels = ProcessorKernels.Wanted.ONEDNN;

  @Mixin
  private CudaOption cuda = new CudaOption();

  /**
   * What a session is told.
   *
   * @param environment variables of the process: where CUDA and the simulator are
   * @throws IllegalArgumentException when there is no such device, or a GPU is required and the processor asked for
   * @throws MissingSimulator when the simulator is not where the environment says
   */
  public DeviceOptions options(Map<String, String> environment) {
    String device = device();
    if (requireGpu && device.equals("cpu")) {
      throw new IllegalArgumentException("--require-gpu, and the processor asked for: --device=" + device);
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
      throw new MissingSimulator("nothing says where it is: variable=" + SIMULATOR,
        "start Cairn with ./cairn, which knows, or set %s to native-tests/simulator/target/lib".formatted(SIMULATOR));
    }
    Path libraries = Path.of(folder);
    if (!Files.exists(libraries.resolve("libcuda.so.1"))) {
      throw new MissingSimulator("no libcuda.so.1 there: %s=%s".formatted(SIMULATOR, folder),
        "run native-tests/simulator/build.sh in Cairn's source folder; it needs g++ (Debian: apt-get install g++)");
    }
    return libraries;
  }
}
