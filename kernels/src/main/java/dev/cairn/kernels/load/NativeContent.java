package dev.cairn.kernels.load;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The content of a native library's file.
 *
 * @param fileName the name under which the library is loaded
 * @param bytes the file's length
 * @param checksum the file's SHA-256, in hexadecimal digits
 * @param source the file's bytes, read only if the cache does not have the file yet
 */
public record NativeContent(String fileName, long bytes, String checksum, Source source) {
  /** Opens a stream of the bytes. */
  @FunctionalInterface
  public interface Source {
    InputStream open() throws IOException;
  }

  /** Content that is in memory. */
  public static NativeContent of(String fileName, byte[] content) {
    return new NativeContent(fileName, content.length, HexFormat.of().formatHex(sha256().digest(content)),
      () -> new ByteArrayInputStream(content));
  }

  static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java has SHA-256", e);
    }
  }
}
