package dev.cairn.gpu;

import dev.cairn.kernels.cuda.CudaDriver;
import dev.cairn.kernels.cuda.compile.CompiledKernelCache;
import dev.cairn.kernels.cuda.compile.CudaCompiler;
import dev.cairn.kernels.cuda.load.CudaLibraries;
import dev.cairn.kernels.cuda.load.CudaSearch;
import dev.cairn.kernels.cuda.load.CudnnLibraries;
import dev.cairn.kernels.cuda.load.CudnnLibrary;
import dev.cairn.kernels.cuda.load.LoadedCuda;
import dev.cairn.runtime.backend.DeviceOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;

/**
 * The CUDA that these tests run on: the simulator, or with {@code -Dcairn.cuda=real} the machine's own. A process can
 * hold only one of them. Tests are skipped where there is none, by name.
 */
public final class CudaUnderTest {
  private static final boolean REAL = System.getProperty("cairn.cuda", "simulated").equals("real");
  private static final Path SIMULATOR = Path.of(System.getProperty("cairn.simulator",
    System.getProperty("cairn.root", ".") + "/native-tests/simulator/target/lib"));

  private CudaUnderTest() {}

  /** Whether there is a GPU under the tests. */
  public static boolean isReal() {
    return REAL;
  }

  /** Whether machine code of GPUs runs under the tests: not where the simulator stands in for the machine's own. */
  public static boolean runsMachineCode() {
    return REAL && !Simulator.is(loaded().driver());
  }

  /** What a session is to run on; the test that asks is skipped where the simulator was not built. */
  public static DeviceOptions device() {
    loaded();
    return DeviceOptions.cuda(0).withRequired(true).withSearch(search());
  }

  /**
   * The value for the command line's {@code --device}. A test that asks for it is skipped where there is no simulator.
   */
  public static String deviceName() {
    loaded();
    return REAL ? "cuda:0" : "sim";
  }

  /** The folder with the simulator's libraries. */
  public static Path simulatorFolder() {
    return SIMULATOR;
  }

  /** The same where cuDNN may be taken; the test that asks is skipped where there is none. */
  public static DeviceOptions deviceWithCudnn() {
    cudnn();
    return device().withSearch(cudnnSearch());
  }

  /** Where cuDNN is found, if it is there. */
  public static CudaSearch cudnnSearch() {
    return REAL ? search() : search().withLibraryFolders(List.of(SIMULATOR, SIMULATOR.resolveSibling("lib-cudnn")));
  }

  /** cuDNN; the test that asks is skipped where there is none. */
  public static CudnnLibrary cudnn() {
    Optional<CudnnLibrary> found = CudnnLibraries.load(cudnnSearch(), loaded()).library();
    Assumptions.assumeTrue(found.isPresent(), "skipped: no cuDNN");
    return found.orElseThrow();
  }

  /** Where CUDA is found; a simulated one has no cuDNN there. */
  public static CudaSearch search() {
    CudaSearch search = CudaSearch.of(System.getenv());
    return REAL
      ? search
      : DeviceOptions.simulated(SIMULATOR, search).search().orElseThrow().withCacheFolder(Path.of("target/natives"));
  }

  /** CUDA, loaded; the test that asks is skipped where the simulator was not built. */
  public static LoadedCuda loaded() {
    Assumptions.assumeTrue(REAL || Files.exists(SIMULATOR.resolve("libcuda.so.1")),
      "skipped: no g++, so there is no simulator");
    return CudaLibraries.load(search());
  }

  public static CudaDriver driver() {
    return CudaDriver.initialize(loaded());
  }

  /** NVRTC without a cache of ours. */
  public static CudaCompiler compiler() {
    return CudaCompiler.open(loaded(), CompiledKernelCache.none());
  }

  /** What the simulator can be told, for tests that have no meaning on a GPU; they are skipped there. */
  public static Simulator simulator() {
    Assumptions.assumeFalse(REAL, "skipped: a GPU can't be told to fail");
    return Simulator.over(loaded().driver());
  }
}
