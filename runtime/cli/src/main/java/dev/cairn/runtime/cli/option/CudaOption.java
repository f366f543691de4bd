package dev.cairn.runtime.cli.option;

import dev.cairn.kernels.cuda.load.CudaSearch;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where CUDA is, for those who know better than the search. */
@HelpSection.In(HelpSection.DEVICE)
public final class CudaOption {
  @FileUse(FileUse.Kind.READ)
  @Option(names = "--cuda-driver", paramLabel = "FILE",
    description = "The driver's libcuda.so.1. Default: CAIRN_CUDA_DRIVER, or the installed driver.")
  private @Nullable Path driver;

  @FileUse(FileUse.Kind.READ)
  @Option(names = "--cuda-libraries", paramLabel = "DIR[:DIR]", split = ":",
    description = "Folders with NVRTC, cuBLAS and cuDNN. Default: CAIRN_CUDA_LIBRARIES; then the usual places.")
  private Path[] libraries = {};

  @FileUse(FileUse.Kind.CACHE)
  @Option(names = "--cuda-cache", paramLabel = "DIR",
    description = "Folder for native libraries and compiled kernels. Default: CAIRN_CUDA_CACHE, or ~/.cache/cairn.")
  private @Nullable Path cache;

  /** What was asked for, by options first, by the environment otherwise. */
  public CudaSearch search(Map<String, String> environment) {
    CudaSearch search = CudaSearch.of(environment);
    if (driver != null) {
      search = search.withDriver(driver);
    }
    if (libraries.length > 0) {
      search = search.withLibraryFolders(Arrays.asList(libraries));
    }
    return cache == null ? search : search.withCacheFolder(cache);
  }
}
