package dev.cairn.runtime.report;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file that appears when it is complete. Bytes go to a temporary file beside it, which {@link #commit} writes to the
 * disk and renames: a failure, a full disk or a killed process leaves what was there before. A new file has the
 * permissions that the umask leaves, a replaced one keeps its own. A pipe or a device is written to, never replaced; a
 * link stays one. A killed process leaves its temporary file behind, which a later file of the folder removes when it
 * has not been written to for a day. Not thread-safe.
 */
public final class WholeFile implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(WholeFile.class);
  private static final int MOST_LINKS = 40;
  private static final int BUFFER_BYTES = 1 << 16;
  private static final String PREFIX = ".cairn-";
  private static final String ENDING = ".part";
  private static final Duration LEFT_BEHIND = Duration.ofDays(1);

  private final Path target;
  /** Null where bytes go to the target itself, which is a pipe or a device. */
  private final @Nullable Path part;
  private final FileChannel channel;
  private final OutputStream stream;

  private WholeFile(Path target, @Nullable Path part) throws IOException {
    this.target = target;
    this.part = part;
    channel = part == null
      ? FileChannel.open(target, StandardOpenOption.WRITE)
      : FileChannel.open(part, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), permissions(target));
    stream = new BufferedOutputStream(new Named(target, Channels.newOutputStream(channel)), BUFFER_BYTES);
  }

  /** The stream of a file, whose failures name the file: those of a full disk say no more than that it is full. */
  private static final class Named extends OutputStream {
    private final Path file;
    private final OutputStream stream;

    Named(Path file, OutputStream stream) {
      this.file = file;
      this.stream = stream;
    }

    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      try {
        stream.write(bytes, offset, length);
      } catch (IOException e) {
        throw named(file, e);
      }
    }

    @Override
    public void close() throws IOException {
      stream.close();
    }
  }

  private static IOException named(Path file, IOException cause) {
    if (cause instanceof FileSystemException) {
      return cause;
    }
    var named = new FileSystemException(file.toString(), null, cause.getMessage());
    named.initCause(cause);
    return named;
  }

  /** The content of a file. */
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
    try (WholeFile writing = begin(file)) {
      content.writeTo(writing.stream());
      writing.commit();
    }
  }

  /**
   * Begins a file, which is not there before {@link #commit}.
   *
   * @throws NoSuchFileException naming the folder, when there is none to write into
   */
  public static WholeFile begin(Path file) throws IOException {
    Path target = target(file);
    if (Files.exists(target) && !Files.isRegularFile(target)) {
      return new WholeFile(target, null);
    }
    Path folder = target.getParent();
    if (folder != null && !Files.isDirectory(folder)) {
      throw new NoSuchFileException(folder.toString());
    }
    if (folder != null) {
      removeLeftBehind(folder);
    }
    // The new name does not contain the file's own name, which may already have the greatest length of a name.
    String number = Long.toString(ThreadLocalRandom.current().nextLong(Long.MAX_VALUE), Character.MAX_RADIX);
    return new WholeFile(target, target.resolveSibling(PREFIX + number + ENDING));
  }

  /**
   * The file that is created or replaced when this path is written. Symbolic links are followed, also one whose target
   * does not exist yet.
   */
  public static Path target(Path file) throws IOException {
    Path target = file.toAbsolutePath();
    for (int links = 0; Files.isSymbolicLink(target) && !Files.exists(target); links++) {
      if (links == MOST_LINKS) {
        throw new FileSystemLoopException(file.toString());
      }
      target = target.resolveSibling(Files.readSymbolicLink(target));
    }
    Path folder = target.getParent();
    if (Files.exists(target) || folder == null) {
      return Files.exists(target) ? target.toRealPath() : target;
    }
    // Parts that do not exist are no links.
    return target(folder).resolve(target.getFileName()).normalize();
  }

  /** Removes what killed processes left in a folder. A file that cannot be inspected stays. */
  private static void removeLeftBehind(Path folder) {
    Instant latest = Instant.now().minus(LEFT_BEHIND);
    try (DirectoryStream<Path> parts = Files.newDirectoryStream(folder, PREFIX + "*" + ENDING)) {
      for (Path part : parts) {
        if (Files.isRegularFile(part, LinkOption.NOFOLLOW_LINKS)
          && Files.getLastModifiedTime(part).toInstant().isBefore(latest)) {
          Files.deleteIfExists(part);
        }
      }
    } catch (IOException | DirectoryIteratorException e) {
      LOG.debug("temporary files stay: folder={} reason={}", folder, e.toString());
    }
  }

  /** The stream that takes the file's bytes; {@link #commit} closes it if it is still open. */
  public OutputStream stream() {
    return stream;
  }

  /** Puts the file in its place; all of its bytes must have been written. */
  public void commit() throws IOException {
    stream.close();
    if (part == null) {
      return;
    }
    try (FileChannel written = FileChannel.open(part, StandardOpenOption.WRITE)) {
      written.force(true);
    } catch (IOException e) {
      throw named(target, e);
    }
    if (hasPermissions(target)) {
      Files.setPosixFilePermissions(part, Files.getPosixFilePermissions(target));
    }
    Files.move(part, target, StandardCopyOption.ATOMIC_MOVE);
    forceFolder(target.getParent());
  }

  private static boolean hasPermissions(Path file) {
    return Files.exists(file) && Files.getFileAttributeView(file, PosixFileAttributeView.class) != null;
  }

  /** The permissions of the file that will be replaced, so that the new bytes are as private while they are written. */
  private static FileAttribute<?>[] permissions(Path target) throws IOException {
    return hasPermissions(target)
      ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(Files.getPosixFilePermissions(target))}
      : new FileAttribute<?>[0];
  }

  /** Writes the new name to the disk. Without this, a power failure may bring the old file back. */
  private static void forceFolder(@Nullable Path folder) {
    if (folder == null) {
      return;
    }
    try (FileChannel names = FileChannel.open(folder, StandardOpenOption.READ)) {
      names.force(true);
    } catch (IOException e) {
      LOG.debug("folders of this file system cannot be forced: folder={} reason={}", folder, e.toString());
    }
  }

  /** Drops what was not committed. */
  @Override
  public void close() throws IOException {
    channel.close();
    if (part != null) {
      Files.deleteIfExists(part);
    }
  }
}
