package dev.cairn.kernels.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Writes native libraries to a folder from which the dynamic loader can load them: the cache, or otherwise a temporary
 * folder of this process, which is deleted as soon as the library is loaded. If the user named a folder, no other
 * folder is used.
 */
public final class NativeFiles {
  private final Optional<Path> wanted;
  private final Optional<Path> usual;
  private final DynamicLoader loader;
  private final Consumer<String> notes;

  /**
   * Creates the loader of native libraries.
   *
   * @param wanted the folder that the user named, if any
   * @param usual the default folder; empty if none is known
   * @param notes receives the reason why the cache was not used
   */
  public NativeFiles(Optional<Path> wanted, Optional<Path> usual, DynamicLoader loader, Consumer<String> notes) {
    this.wanted = wanted;
    this.usual = usual;
    this.loader = loader;
    this.notes = notes;
  }

  /**
   * Loads a native library.
   *
   * @param then called with the file while it is certain to exist
   * @throws CacheUnusable if no folder is usable
   * @throws CannotOpen if the dynamic loader refuses the library
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
    try {
      return open(NativeCache.in(folder).put(content), then);
    } finally {
      remove(folder);
    }
  }

  /** Removes a folder. A file that cannot be removed stays: the reason why loading failed, if it did, counts more. */
  private void remove(Path folder) {
    try (Stream<Path> paths = Files.walk(folder)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    } catch (IOException | UncheckedIOException e) {
      notes.accept("a folder cannot be removed: folder=%s reason=%s".formatted(folder, e));
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
