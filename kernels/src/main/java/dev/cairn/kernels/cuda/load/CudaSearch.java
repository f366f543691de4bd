package dev.cairn.kernels.cuda.load;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The places to search for CUDA: the user's options, and the environment. This record searches nothing itself.
 *
 * @param driver the only {@code libcuda.so.1} to load
 * @param libraryFolders folders to search for NVRTC, cuBLAS and cuDNN before all other places
 * @param cacheFolder the only folder for native libraries; the default is {@code $XDG_CACHE_HOME/cairn/natives}
 * @param environment variables of the process, by name
 * @param root the file system's root; tests use another one
 */
public record CudaSearch(Optional<Path> driver, List<Path> libraryFolders, Optional<Path> cacheFolder,
  Map<String, String> environment, Path root) {
  /** The variable with the driver's file. */
  public static final String DRIVER = "CAIRN_CUDA_DRIVER";
  /** The variable with folders of NVRTC, cuBLAS and cuDNN, separated by colons. */
  public static final String LIBRARIES = "CAIRN_CUDA_LIBRARIES";
  /** The variable with the folder for native libraries. */
  public static final String CACHE = "CAIRN_CUDA_CACHE";
  /** The variables with the folder of a CUDA toolkit, by NVIDIA's convention. The first one has precedence. */
  public static final List<String> TOOLKIT_VARIABLES = List.of("CUDA_HOME", "CUDA_PATH");
  /** Folders of a toolkit that may hold its libraries. */
  public static final List<String> TOOLKIT_LIBRARY_FOLDERS = List.of("lib64", "lib", "targets/x86_64-linux/lib");

  public CudaSearch {
    libraryFolders = List.copyOf(libraryFolders);
    environment = new TreeMap<>(environment);
  }

  /**
   * Reads an environment.
   *
   * @param environment usually {@code System.getenv()}
   * @throws IllegalArgumentException if the value of a variable is not a path
   */
  public static CudaSearch of(Map<String, String> environment) {
    List<Path> folders = new ArrayList<>();
    for (String folder : environment.getOrDefault(LIBRARIES, "").split(":", -1)) {
      path(LIBRARIES, folder).ifPresent(folders::add);
    }
    return new CudaSearch(path(DRIVER, environment.getOrDefault(DRIVER, "")), folders,
      path(CACHE, environment.getOrDefault(CACHE, "")), environment, Path.of("/"));
  }

  public CudaSearch withDriver(Path file) {
    return new CudaSearch(Optional.of(file.toAbsolutePath()), libraryFolders, cacheFolder, environment, root);
  }

  public CudaSearch withLibraryFolders(List<Path> folders) {
    return new CudaSearch(driver, folders.stream().map(Path::toAbsolutePath).toList(), cacheFolder, environment, root);
  }

  public CudaSearch withCacheFolder(Path folder) {
    return new CudaSearch(driver, libraryFolders, Optional.of(folder.toAbsolutePath()), environment, root);
  }

  CudaSearch withRoot(Path folder) {
    return new CudaSearch(driver, libraryFolders, cacheFolder, environment, folder);
  }

  /** A variable's value. A variable with an empty value counts as not set. */
  Optional<String> variable(String name) {
    return Optional.ofNullable(environment.get(name)).filter(it -> !it.isBlank());
  }

  /** A variable's value as an absolute path. A variable with any other value counts as not set. */
  Optional<Path> folder(String name) {
    try {
      return variable(name).map(Path::of).filter(Path::isAbsolute);
    } catch (InvalidPathException e) {
      return Optional.empty();
    }
  }

  /** The user's folder for files that can be created again; empty if neither a cache nor a home folder is set. */
  public Optional<Path> userCache(String kind) {
    return folder("XDG_CACHE_HOME").or(() -> folder("HOME").map(it -> it.resolve(".cache"))).map(it -> it.resolve(
      "cairn").resolve(kind));
  }

  /** The folder for native libraries; empty if neither a cache folder nor a home folder is set. */
  public Optional<Path> nativesFolder() {
    return cacheFolder.or(() -> userCache("natives"));
  }

  private static Optional<Path> path(String name, String value) {
    try {
      return value.isBlank() ? Optional.empty() : Optional.of(Path.of(value).toAbsolutePath());
    } catch (InvalidPathException e) {
      throw new IllegalArgumentException("a variable holds no path: %s=%s".formatted(name, value), e);
    }
  }
}
