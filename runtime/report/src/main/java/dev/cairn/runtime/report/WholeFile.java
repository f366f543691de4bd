package dev.cairn.runtime.report;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Writes files that appear when they are complete: a failure leaves what was there before, and nothing else. A pipe or
 * a device is written to, never replaced; a link stays one. Stateless.
 */
public final class WholeFile {
  private static final int BUFFER_BYTES = 1 << 16;

  private WholeFile() {}

  /** What a file will hold. */
  @FunctionalInterface
  public interface Content {
    /** Writes all of it; the stream is closed by the caller. */
    void writeTo(OutputStream out) throws IOException;
  }

  /** Text in UTF-8. */
  public static void write(Path file, String text) throws IOException {
    write(file, out -> out.write(text.getBytes(StandardCharsets.UTF_8)));
  }

  /** @throws NoSuchFileException naming the folder, when there is none to write into */
  public static void write(Path file, Content content) throws IOException {
    Path target = Files.exists(file) ? file.toRealPath() : file.toAbsolutePath();
    if (Files.exists(target) && !Files.isRegularFile(target)) {
      try (OutputStream out = buffered(Files.newOutputStream(target, StandardOpenOption.WRITE))) {
        content.writeTo(out);
      }
      return;
    }
    Path folder = target.getParent();
    if (folder != null && !Files.isDirectory(folder)) {
      throw new NoSuchFileException(folder.toString());
    }
    String suffix = "." + Long.toString(ThreadLocalRandom.current().nextLong(Long.MAX_VALUE), Character.MAX_RADIX);
    Path part = target.resolveSibling(target.getFileName() + suffix + ".part");
    try {
      try (OutputStream out = buffered(Files.newOutputStream(part, StandardOpenOption.CREATE_NEW,
        StandardOpenOption.WRITE))) {
        content.writeTo(out);
      }
      Files.move(part, target, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(part);
    }
  }

  private static OutputStream buffered(OutputStream raw) {
    return new BufferedOutputStream(raw, BUFFER_BYTES);
  }
}
