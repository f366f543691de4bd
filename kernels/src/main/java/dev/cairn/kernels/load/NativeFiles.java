package dev.cairn.kernels.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Brings natives to where the dynamic loader takes them from: the cache folder, or else a folder of this process, which
 * is emptied again as soon as its native is loaded. Where a folder was asked for, there is no other.
 */
public final class NativeFiles {
  private final Optional<Path> wanted;
  private final Optional<Path> usual;
  private final DynamicLoader loader;
  private final Consumer<String> notes;

  /**
   * @param wanted the folder that was asked for, and no other
   * @param usual the folder where none was asked for; empty where there is no telling
   * @param notes is told why the cache was not used
   */
  public NativeFiles(Optional<Path> wanted, Optional<Path> usual, DynamicLoader loader, Consumer<String> notes) {
    this.wanted = wanted;
    this.usual = usual;
    this.loader = loader;
    this.notes = notes;
  }

  /**
   * Loads a native.
   *
   * @param then what is done with the file while it is certainly there
   * @throws CacheUnusable when no folder serves
   * @throws CannotOpen when the dynamic loader refuses the native
   */
  public OpenLibrary load(NativeContent content, Consumer<Path> then) throws IOException, CannotOpen {
    Optional<Path> cache = wanted.or(() -> usual);
    if (cache.isPresent()) {
      try {
        return open(NativeCache.in(cache.get()).put(content), then);
      } catch (CacheUnusable e) {
        if (wanted.isPresent()) {
          throw e;
        }
        notes.accept("the cache of natives is not used, which makes every start a little slower: " + e.getMessage());
      }
    }
    return loadFromOwnFolder(content, then);
  }

  private OpenLibrary loadFromOwnFolder(NativeContent content, Consumer<Path> then) throws IOException, CannotOpen {
    Path folder = Files.createTempDirectory("cairn-natives-");
    Path file = null;
    try {
      file = NativeCache.in(folder).put(content);
      return open(file, then);
    } finally {
      if (file != null) {
        Files.deleteIfExists(file);
        Files.deleteIfExists(file.getParent());
      }
      Files.deleteIfExists(folder);
    }
  }

  private OpenLibrary open(Path file, Consumer<Path> then) throws CacheUnusable, CannotOpen {
    OpenLibrary opened;
    try {
      opened = loader.open(file.toString());
    } catch (CannotOpen e) {
      if (String.valueOf(e.getMessage()).contains("failed to map segment")) {
        throw new CacheUnusable(CacheFault.NO_EXECUTION, file, "reason=" + e.getMessage());
      }
      throw e;
    }
    then.accept(file);
    return opened;
  }
}
