package dev.cairn.runtime.onnx.encode;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Writes a file under another name and gives it its own when it is complete: a failure leaves the old file as it was,
 * and a program that has the old one mapped keeps reading it.
 */
final class NewFile {
  private static final int BUFFER_BYTES = 1 << 16;

  /** The content. */
  @FunctionalInterface
  interface Content {
    void writeTo(OutputStream out) throws IOException;
  }

  private NewFile() {}

  static void write(Path file, Content content) throws IOException {
    Path target = Files.exists(file) ? file.toRealPath() : file.toAbsolutePath();
    if (Files.exists(target) && !Files.isRegularFile(target)) {
      // A pipe or a device is written to, never replaced.
      writeTo(target, content, StandardOpenOption.WRITE);
      return;
    }
    String number = Long.toString(ThreadLocalRandom.current().nextLong(Long.MAX_VALUE), Character.MAX_RADIX);
    Path part = target.resolveSibling(".cairn-" + number + ".part");
    try {
      // The file is created with the usual permissions of a new file, which the umask limits.
      writeTo(part, content, StandardOpenOption.CREATE_NEW);
      try (FileChannel written = FileChannel.open(part, StandardOpenOption.WRITE)) {
        written.force(true);
      }
      if (Files.exists(target)) {
        Files.setPosixFilePermissions(part, Files.getPosixFilePermissions(target));
      }
      Files.move(part, target, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(part);
    }
  }

  private static void writeTo(Path path, Content content, OpenOption option) throws IOException {
    try (
      var out = new BufferedOutputStream(Files.newOutputStream(path, option, StandardOpenOption.WRITE), BUFFER_BYTES)) {
      content.writeTo(out);
    }
  }
}
