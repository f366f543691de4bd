package dev.cairn.kernels.cuda.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Brings natives to where the dynamic loader takes them from: the cache folder, or else a folder of this process, which
 * is emptied again as soon as its native is loaded. Where a folder was asked for, there is no other.
 */
final class NativeFiles {
  private final CudaSearch search;
  private final DynamicLoader loader;
  private final Consumer<String> notes;

  /** @param notes is told why the cache was not used */
  NativeFiles(CudaSearch search, DynamicLoader loader, Consumer<String> notes) {
    this.search = search;
    this.loader = loader;
    this.notes = notes;
  }

  /**
   * Loads a native, and the class that goes with it.
   *
   * @param major the CUDA version of the library that it is to be loaded over, which is loaded already
   * @throws CacheUnusable when no folder serves
   * @throws CannotOpen when the native can't be loaded over the library
   */
  void load(JcudaNative wanted, int major) throws IOException, CannotOpen {
    byte[] content = wanted.content(major);
    Optional<Path> cache = cacheFolder(search);
    if (cache.isPresent()) {
      try {
        initialise(wanted, NativeCache.in(cache.get()).put(wanted.fileName(), content));
        return;
      } catch (CacheUnusable e) {
        if (search.cacheFolder().isPresent()) {
          throw e;
        }
        notes.accept("the cache of natives is not used, which makes every start a little slower: " + e.getMessage());
      }
    }
    loadFromOwnFolder(wanted, content);
  }

  private void loadFromOwnFolder(JcudaNative wanted, byte[] content) throws IOException, CannotOpen {
    Path folder = Files.createTempDirectory("cairn-natives-");
    Path file = null;
    try {
      file = NativeCache.in(folder).put(wanted.fileName(), content);
      initialise(wanted, file);
    } finally {
      if (file != null) {
        Files.deleteIfExists(file);
        Files.deleteIfExists(file.getParent());
      }
      Files.deleteIfExists(folder);
    }
  }

  private void initialise(JcudaNative wanted, Path file) throws CacheUnusable, CannotOpen {
    try {
      loader.open(file.toString());
    } catch (CannotOpen e) {
      if (String.valueOf(e.getMessage()).contains("failed to map segment")) {
        throw new CacheUnusable(CacheFault.NO_EXECUTION, file, "reason=" + e.getMessage());
      }
      throw e;
    }
    JcudaClasses.initialise(wanted, file);
  }

  /** The folder for natives; empty when there is no telling: neither a cache folder nor a home is set. */
  static Optional<Path> cacheFolder(CudaSearch search) {
    return search.cacheFolder().or(() -> search.userCache("natives"));
  }
}
