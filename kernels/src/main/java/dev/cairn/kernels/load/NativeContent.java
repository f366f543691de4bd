package dev.cairn.kernels.load;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * What a native's file should hold.
 *
 * @param fileName by which the library is loaded
 * @param bytes its length
 * @param checksum its SHA-256, in hexadecimal digits
 * @param source read only where the cache does not have the file yet
 */
public record NativeContent(String fileName, long bytes, String checksum, Source source) {
  /** Where the bytes come from. */
  @FunctionalInterface
  public interface Source {
    InputStream open() throws IOException;
  }

  /** Bytes in memory. */
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
