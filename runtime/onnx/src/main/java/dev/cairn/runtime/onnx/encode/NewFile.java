package dev.cairn.runtime.onnx.encode;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

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
    Path target = Files.exists(file) ? file.toRealPath() : file.toAbsolutePath();
    if (Files.exists(target) && !Files.isRegularFile(target)) {
      // A pipe or a device: it is written to, never replaced.
      writeTo(target, content, StandardOpenOption.WRITE);
      return;
    }
    Path part = Files.createTempFile(target.getParent(), target.getFileName() + ".", ".part");
    try {
      writeTo(part, content, StandardOpenOption.WRITE);
      Files.setPosixFilePermissions(part, permissionsOf(target));
      Files.move(part, target, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(part);
    }
  }

  private static void writeTo(Path path, Content content, OpenOption option) throws IOException {
    try (var out = new BufferedOutputStream(Files.newOutputStream(path, option), BUFFER_BYTES)) {
      content.writeTo(out);
    }
  }

  /** Those of the file that is replaced; a new one may be read by all, unlike a temporary file. */
  private static Set<PosixFilePermission> permissionsOf(Path target) throws IOException {
    return Files.exists(target) ? Files.getPosixFilePermissions(target) : PosixFilePermissions.fromString("rw-r--r--");
  }
}
