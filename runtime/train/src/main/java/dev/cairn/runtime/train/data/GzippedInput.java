package dev.cairn.runtime.train.data;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;

/** Opens files that may be gzipped, by their first bytes. */
final class GzippedInput {
  private static final int MAGIC_LOW = 0x1F;
  private static final int MAGIC_HIGH = 0x8B;
  private static final int BUFFER = 1 << 16;

  /** Deflate's largest ratio of unpacked to packed bytes. */
  private static final long MOST_EXPANSION = 1032;

  private GzippedInput() {}

  /**
   * The most bytes that {@link #open} gives of a file.
   *
   * @return no limit for a pipe or a device
   */
  static long mostBytes(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      return Long.MAX_VALUE;
    }
    long bytes = Files.size(file);
    return isGzipped(file) ? Math.multiplyExact(bytes, MOST_EXPANSION) : bytes;
  }

  private static boolean isGzipped(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return in.read() == MAGIC_LOW && in.read() == MAGIC_HIGH;
    }
  }

  static InputStream open(Path file) throws IOException {
    InputStream raw = new BufferedInputStream(Files.newInputStream(file), BUFFER);
    try {
      raw.mark(2);
      int low = raw.read();
      int high = raw.read();
      raw.reset();
      return low == MAGIC_LOW && high == MAGIC_HIGH ? new GZIPInputStream(raw, BUFFER) : raw;
    } catch (IOException | RuntimeException e) {
      raw.close();
      throw e;
    }
  }
}
