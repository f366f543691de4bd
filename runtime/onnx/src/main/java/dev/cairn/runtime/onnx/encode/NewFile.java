package dev.cairn.runtime.onnx.encode;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * Writes a file under another name and gives it its own when it is complete: a failure leaves the old file as it was,
 * and whoever has the old one mapped keeps reading it.
 */
final class NewFile {
  private static final int BUFFER_BYTES = 1 << 16;

  /** What is written. */
  @FunctionalInterface
  interface Content {
    void writeTo(OutputStream out) throws IOException;
  }

  private NewFile() {}

  static void write(Path file, Content content) throws IOException {
    Path part = file.resolveSibling(file.getFileName() + ".part");
    try {
      try (var out = new BufferedOutputStream(Files.newOutputStream(part), BUFFER_BYTES)) {
        content.writeTo(out);
      }
      Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(part);
    }
  }
}
