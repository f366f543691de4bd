package dev.cairn.runtime.cli.option;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A value of the command line that names files. */
public interface FileArgument {
  /** The files, as far as they are known before the work; empty when the value names none. */
  List<Path> files();

  /**
   * Looks before the work whether the files could be written.
   *
   * @throws IOException when one of them could not be
   */
  default void requireWritable() throws IOException {
    for (Path file : files()) {
      WrittenFile.require(file);
    }
  }
}
