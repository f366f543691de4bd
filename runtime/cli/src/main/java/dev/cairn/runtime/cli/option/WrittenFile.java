package dev.cairn.runtime.cli.option;

import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** A file that is written when all work is done. Stateless. */
final class WrittenFile {
  private WrittenFile() {}

  /** Called before the work, which would be in vain. */
  static void requireFolder(Path file) throws NoSuchFileException {
    Path folder = file.toAbsolutePath().getParent();
    if (folder != null && !Files.isDirectory(folder)) {
      throw new NoSuchFileException(folder.toString());
    }
  }
}
