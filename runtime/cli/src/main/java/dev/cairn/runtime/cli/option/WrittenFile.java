package dev.cairn.runtime.cli.option;

import dev.cairn.runtime.report.WholeFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** What is written when all work is done, looked at before the work, which would be in vain. Stateless. */
public final class WrittenFile {
  private static final int MOST_NAME_BYTES = 255;

  private WrittenFile() {}

  /**
   * A file, which may be there already, in a folder that must be.
   *
   * @throws IOException when it could not be written, as far as can be seen without writing
   */
  public static void require(Path file) throws IOException {
    requireNoFolder(file);
    requireShortName(file);
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      // A pipe or a device is written to where it is.
      requireAllowed(file);
      return;
    }
    Path folder = WholeFile.target(file).getParent();
    if (folder != null) {
      if (!Files.exists(folder)) {
        throw new NoSuchFileException(folder.toString());
      }
      requireWritableFolder(folder);
    }
  }

  private static void requireShortName(Path file) throws FileSystemException {
    if (String.valueOf(file.getFileName()).getBytes(StandardCharsets.UTF_8).length > MOST_NAME_BYTES) {
      throw new FileSystemException(file.toString(), null, "File name too long");
    }
  }

  /** @throws FileSystemException when a folder stands where a file should, to be read or written */
  public static void requireNoFolder(Path file) throws FileSystemException {
    if (file.toString().isEmpty() || Files.isDirectory(file)) {
      throw new FileSystemException(file.toString(), null, "a folder instead of a file");
    }
  }

  /**
   * A folder, which is made with those above it where there is none.
   *
   * @throws IOException when it could not be made or written to, as far as can be seen
   */
  static void requireFolder(Path wanted) throws IOException {
    Path folder = wanted.toAbsolutePath();
    while (!Files.exists(folder) && folder.getParent() != null) {
      folder = folder.getParent();
    }
    requireWritableFolder(folder);
  }

  private static void requireWritableFolder(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      throw new FileAlreadyExistsException(folder.toString());
    }
    requireAllowed(folder);
  }

  private static void requireAllowed(Path path) throws AccessDeniedException {
    if (!Files.isWritable(path)) {
      throw new AccessDeniedException(path.toString());
    }
  }
}
