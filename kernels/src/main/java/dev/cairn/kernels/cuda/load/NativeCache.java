package dev.cairn.kernels.cuda.load;

import static dev.cairn.kernels.cuda.load.CacheFault.NOT_WRITABLE;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;

/**
 * Natives on disk, each in a folder named for its SHA-256:
 *
 * <pre>
 *   ~/.cache/cairn/natives/5b1f…/libJCudaDriver-12.6.0-linux-x86_64.so
 * </pre>
 *
 * A file that is there already is only used when its content has that checksum and it is this user's; anything else
 * is replaced. A file appears under its name complete or not at all, so processes that start at a time agree.
 */
final class NativeCache {
  private static final int NAME_DIGITS = 32;
  private static final String PART = ".part";
  private static final Duration ABANDONED = Duration.ofHours(1);

  private final Path folder;

  private NativeCache(Path folder) {
    this.folder = folder;
  }

  /** @throws CacheUnusable when the folder is not, and can't be made, one that only this user can change */
  static NativeCache in(Path folder) throws CacheUnusable {
    return new NativeCache(PrivateFolder.make(folder));
  }

  Path folder() {
    return folder;
  }

  /**
   * Sees to it that a file with this content is there.
   *
   * @return the file; its folder holds nothing else
   */
  Path put(String fileName, byte[] content) throws CacheUnusable {
    String checksum = checksum(content);
    Path entry = PrivateFolder.make(folder.resolve(checksum.substring(0, NAME_DIGITS)));
    Path file = entry.resolve(fileName);
    try {
      if (!holds(file, content.length, checksum)) {
        write(entry, file, content);
      }
      return file;
    } catch (IOException e) {
      throw new CacheUnusable(NOT_WRITABLE, entry, "file=%s reason=%s".formatted(fileName, e));
    }
  }

  private static boolean holds(Path file, long bytes, String checksum) throws IOException {
    if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      return false;
    }
    BasicFileAttributes kind = Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    return kind.isRegularFile() && kind.size() == bytes && PrivateFolder.owner(file) == PrivateFolder.self()
      && Files.isReadable(file) && checksum(Files.readAllBytes(file)).equals(checksum);
  }

  private static void write(Path entry, Path file, byte[] content) throws IOException {
    sweep(entry);
    Path part = Files.createTempFile(entry, "native", PART);
    try {
      Files.write(part, content);
      Files.setPosixFilePermissions(part, PosixFilePermissions.fromString("r-x------"));
      Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(part);
    }
  }

  /** Removes what processes left behind that ended while they wrote. */
  private static void sweep(Path entry) throws IOException {
    Instant old = Instant.now().minus(ABANDONED);
    for (Path part : LibraryPlaces.matching(entry, "*" + PART)) {
      if (wasLastWrittenBefore(old, part)) {
        Files.deleteIfExists(part);
      }
    }
  }

  private static boolean wasLastWrittenBefore(Instant moment, Path part) throws IOException {
    try {
      return Files.getLastModifiedTime(part, LinkOption.NOFOLLOW_LINKS).toInstant().isBefore(moment);
    } catch (NoSuchFileException e) {
      // Its writer is through with it since the folder was read.
      return false;
    }
  }

  static String checksum(byte[] content) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java has SHA-256", e);
    }
  }
}
