package dev.cairn.benchmarks.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A folder for files of a run, made when created, and gone when closed. It has files only, no folders. */
public final class TemporaryFolder implements AutoCloseable {
  private final Path path;

  /** A new folder among the system's temporary files. */
  public TemporaryFolder() throws IOException {
    this.path = Files.createTempDirectory("cairn-benchmarks");
  }

  public Path path() {
    return path;
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
