package dev.cairn.kernels.load;

import static dev.cairn.kernels.load.CacheFault.NOT_WRITABLE;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;

/**
 * A cache of native libraries on disk. Each is in a folder named after its SHA-256:
 *
 * <pre>
 *   ~/.cache/cairn/natives/5b1f…/libJCudaDriver-12.6.0-linux-x86_64.so
 * </pre>
 *
 * The cache uses a file only if it belongs to this user and has the expected length and checksum. It replaces any other
 * file. For a file above {@value #MOST_CHECKED_BYTES} bytes it computes the checksum only while writing, because
 * reading the file at each start would take up to a second. A file appears under its name only when it is complete, and
 * on the disk: so processes that start at the same time agree, and a power cut leaves no damaged file.
 */
public final class NativeCache {
  static final long MOST_CHECKED_BYTES = 16 << 20;

  private static final int NAME_DIGITS = 32;
  private static final int PIECE_BYTES = 1 << 16;
  private static final String PART = ".part";
  private static final Duration ABANDONED = Duration.ofHours(1);

  private final Path folder;

  private NativeCache(Path folder) {
    this.folder = folder;
  }

  /** @throws CacheUnusable if other users can change the folder, and this cannot be corrected */
  public static NativeCache in(Path folder) throws CacheUnusable {
    return new NativeCache(PrivateFolder.make(folder));
  }

  public Path folder() {
    return folder;
  }

  /**
   * Writes a file with this content, unless the cache has one.
   *
   * @return the file, which is alone in its folder
   */
  public Path put(NativeContent content) throws CacheUnusable {
    Path entry = PrivateFolder.make(folder.resolve(content.checksum().substring(0, NAME_DIGITS)));
    Path file = entry.resolve(content.fileName());
    try {
      if (!holds(file, content)) {
        write(entry, file, content);
      }
      return file;
    } catch (IOException e) {
      throw new CacheUnusable(NOT_WRITABLE, entry, "file=%s reason=%s".formatted(content.fileName(), e));
    }
  }

  private static boolean holds(Path file, NativeContent content) throws IOException {
    if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      return false;
    }
    BasicFileAttributes kind = Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    return kind.isRegularFile() && kind.size() == content.bytes() && PrivateFolder.owner(file) == PrivateFolder.self()
      && Files.isReadable(file) && (kind.size() > MOST_CHECKED_BYTES || checksum(file).equals(content.checksum()));
  }

  private static void write(Path entry, Path file, NativeContent content) throws IOException {
    sweep(entry);
    Path part = Files.createTempFile(entry, "native", PART);
    try {
      copy(content, part);
      Files.setPosixFilePermissions(part, PosixFilePermissions.fromString("r-x------"));
      Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
      try (FileChannel folder = FileChannel.open(entry, StandardOpenOption.READ)) {
        folder.force(true);
      }
    } finally {
      Files.deleteIfExists(part);
    }
  }

  private static void copy(NativeContent content, Path to) throws IOException {
    MessageDigest digest = NativeContent.sha256();
    try (var in = new DigestInputStream(content.source().open(), digest);
      FileChannel out = FileChannel.open(to,
        StandardOpenOption.WRITE)) {
      in.transferTo(Channels.newOutputStream(out));
      // Otherwise a power cut after the rename could leave a file of the right length with other content.
      out.force(true);
    }
    String found = HexFormat.of().formatHex(digest.digest());
    if (!found.equals(content.checksum())) {
      throw new IOException("not the content that was expected: sha256=%s expected=%s".formatted(found, content
        .checksum()));
    }
  }

  /** Removes unfinished files of processes that ended while they were writing. */
  private static void sweep(Path entry) throws IOException {
    Instant old = Instant.now().minus(ABANDONED);
    try (DirectoryStream<Path> parts = Files.newDirectoryStream(entry, "*" + PART)) {
      for (Path part : parts) {
        if (wasLastWrittenBefore(old, part)) {
          Files.deleteIfExists(part);
        }
      }
    }
  }

  private static boolean wasLastWrittenBefore(Instant moment, Path part) throws IOException {
    try {
      return Files.getLastModifiedTime(part, LinkOption.NOFOLLOW_LINKS).toInstant().isBefore(moment);
    } catch (NoSuchFileException e) {
      // Its writer has finished since the folder was listed.
      return false;
    }
  }

  /** The SHA-256 of a file, in hexadecimal digits. */
  public static String checksum(Path file) throws IOException {
    MessageDigest digest = NativeContent.sha256();
    byte[] piece = new byte[PIECE_BYTES];
    try (InputStream in = Files.newInputStream(file)) {
      for (int read = in.read(piece); read >= 0; read = in.read(piece)) {
        digest.update(piece, 0, read);
      }
    }
    return HexFormat.of().formatHex(digest.digest());
  }
}
