package dev.cairn.benchmarks.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A folder for files of a run, gone when closed.
 *
 * @param path it has files only, no folders
 */
public record TemporaryFolder(Path path) implements AutoCloseable {
  /** A new one, where the system has such. */
  public static TemporaryFolder create() throws IOException {
    return new TemporaryFolder(Files.createTempDirectory("cairn-benchmarks"));
  }

  /** Deletes the files. */
  public void clear() throws IOException {
    List<Path> files;
    try (var listed = Files.list(path)) {
      files = listed.toList();
    }
    for (Path file : files) {
      Files.delete(file);
    }
  }

  @Override
  public void close() throws IOException {
    clear();
    Files.delete(path);
  }
}
