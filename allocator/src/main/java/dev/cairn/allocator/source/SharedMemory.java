package dev.cairn.allocator.source;

import dev.cairn.allocator.MemorySpace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Memory of the host that other processes of the same user map by name: each region is a file in {@code /dev/shm}, or
 * where there is none in the folder for temporary files. Only the user can open it, and its name cannot be guessed.
 * Releasing a region deletes the file; other processes keep what they have mapped until they unmap it. The next source
 * that is made deletes the files of processes that died. Thread-safe.
 */
public final class SharedMemory implements SubAllocator {
  private static final Logger LOG = LoggerFactory.getLogger(SharedMemory.class);
  private static final Path FOLDER = Files.isDirectory(Path.of("/dev/shm"))
    ? Path.of("/dev/shm")
    : Path.of(System.getProperty("java.io.tmpdir"));
  private static final Pattern NAME = Pattern.compile("cairn-[0-9a-f]{32}");
  private static final Set<PosixFilePermission> OWNER_ALONE = PosixFilePermissions.fromString("rw-------");
  private static final int STEP_BYTES = 1 << 20;
  private static final SecureRandom RANDOM = new SecureRandom();
  /** The files that this process has made, open: closing another channel of one would end its lock. */
  private static final Map<String, FileChannel> MADE = new ConcurrentHashMap<>();

  private final HeldRegions held = new HeldRegions();
  private final Map<Long, String> names = new ConcurrentHashMap<>();

  public SharedMemory() {
    deleteLeftOver();
  }

  /** Memory of another process, or of this one, that stays mapped until closed. */
  public record Mapping(MemorySegment segment, Arena arena) implements AutoCloseable {
    @Override
    public void close() {
      arena.close();
    }
  }

  /**
   * Maps memory that a process of this user shares.
   *
   * @param bytes how many, from the beginning
   * @throws IllegalArgumentException when there is no such memory, when it is another user's, or shorter
   */
  public static Mapping open(String name, long bytes) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException("no name of shared memory: name=" + name);
    }
    FileChannel own = MADE.get(name);
    try {
      if (own != null) {
        return map(own, name, bytes);
      }
      Path file = FOLDER.resolve(name);
      requireOwn(file);
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE,
        LinkOption.NOFOLLOW_LINKS)) {
        return map(channel, name, bytes);
      }
    } catch (IOException e) {
      throw new IllegalArgumentException("no such shared memory: name=%s; its process may have closed it".formatted(
        name), e);
    }
  }

  private static void requireOwn(Path file) throws IOException {
    PosixFileAttributes found = Files.readAttributes(file, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    String user = System.getProperty("user.name");
    if (!found.isRegularFile() || !found.permissions().equals(OWNER_ALONE) || !found.owner().getName().equals(user)) {
      throw new IllegalArgumentException("not shared memory of this user alone: file=%s owner=%s permissions=%s user=%s"
        .formatted(file, found.owner().getName(), PosixFilePermissions.toString(found.permissions()), user));
    }
  }

  private static Mapping map(FileChannel channel, String name, long bytes) throws IOException {
    long length = channel.size();
    if (bytes > length) {
      throw new IllegalArgumentException("shared memory is shorter: name=%s bytes=%d wantedBytes=%d".formatted(name,
        length, bytes));
    }
    return mapped(channel, bytes);
  }

  private static Mapping mapped(FileChannel channel, long bytes) throws IOException {
    Arena arena = Arena.ofShared();
    boolean isMapped = false;
    try {
      var mapping = new Mapping(channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes, arena), arena);
      isMapped = true;
      return mapping;
    } finally {
      if (!isMapped) {
        arena.close();
      }
    }
  }

  @Override
  public MemorySpace space() {
    return MemorySpace.HOST;
  }

  @Override
  public long maximumRegionBytes() {
    return NettySubAllocator.MAXIMUM_BYTES;
  }

  @Override
  public boolean supportsCoalescing() {
    return false;
  }

  /** The name of a region that is held, by its address. */
  public String nameOf(long address) {
    String name = names.get(address);
    if (name == null) {
      throw new IllegalArgumentException("no shared memory at this address: address=0x%x".formatted(address));
    }
    return name;
  }

  @Override
  public @Nullable Region allocate(long bytes) {
    SubAllocator.requireMultiple(bytes, granularityBytes());
    if (bytes > maximumRegionBytes()) {
      return null;
    }
    byte[] random = new byte[16];
    RANDOM.nextBytes(random);
    String name = "cairn-" + HexFormat.of().formatHex(random);
    Path file = FOLDER.resolve(name);
    // A file is locked before it has its name: a file without a lock has lost its process.
    Path unnamed = FOLDER.resolve("." + name);
    boolean isHeld = false;
    FileChannel channel = null;
    try {
      channel = FileChannel.open(unnamed, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.READ,
        StandardOpenOption.WRITE), PosixFilePermissions.asFileAttribute(OWNER_ALONE));
      if (channel.tryLock() == null) {
        throw new IOException("cannot lock a new file: file=" + unnamed);
      }
      reserve(channel, bytes);
      Mapping mapping = mapped(channel, bytes);
      Files.move(unnamed, file, StandardCopyOption.ATOMIC_MOVE);
      Region region = hold(name, channel, mapping, bytes);
      isHeld = true;
      return region;
    } catch (IOException e) {
      LOG.warn("no shared memory: bytes={} folder={} ({})", bytes, FOLDER, e.toString());
      return null;
    } finally {
      if (!isHeld) {
        delete(unnamed);
        delete(file);
        close(channel);
      }
    }
  }

  private Region hold(String name, FileChannel channel, Mapping mapping, long bytes) {
    boolean isHeld = false;
    try {
      long address = mapping.segment().address();
      MADE.put(name, channel);
      names.put(address, name);
      Region region = held.hold(new Region(address, bytes, mapping.segment()), () -> {
        if (mapping.arena().scope().isAlive()) {
          mapping.close();
        }
        forget(name, address);
        delete(FOLDER.resolve(name));
        close(channel);
      });
      isHeld = true;
      return region;
    } finally {
      if (!isHeld) {
        MADE.remove(name);
        mapping.close();
      }
    }
  }

  private void forget(String name, long address) {
    MADE.remove(name);
    names.remove(address);
  }

  /** Writes the file, so that the memory is there: a write to a mapping that has none would end the process. */
  private static void reserve(FileChannel channel, long bytes) throws IOException {
    ByteBuffer zeros = ByteBuffer.allocate((int) Math.min(STEP_BYTES, bytes));
    for (long at = 0; at < bytes;) {
      zeros.limit((int) Math.min(zeros.capacity(), bytes - at)).position(0);
      at += channel.write(zeros, at);
    }
  }

  @Override
  public void release(Region region) {
    held.release(region);
  }

  /** Deletes the files of this user whose processes have ended: those that no process has locked. */
  private static void deleteLeftOver() {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(FOLDER, "cairn-*")) {
      for (Path file : files) {
        String name = file.getFileName().toString();
        if (NAME.matcher(name).matches() && !MADE.containsKey(name)) {
          deleteIfLeftOver(file);
        }
      }
    } catch (IOException e) {
      LOG.debug("left-over shared memory was not looked for: folder={}", FOLDER, e);
    }
  }

  private static void deleteIfLeftOver(Path file) {
    try {
      requireOwn(file);
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE,
        LinkOption.NOFOLLOW_LINKS); FileLock lock = channel.tryLock()) {
        if (lock != null) {
          Files.deleteIfExists(file);
          LOG.info("deleted shared memory of a process that has ended: file={}", file);
        }
      }
    } catch (IOException | IllegalArgumentException | OverlappingFileLockException e) {
      // Another process deleted it, it is not ours, or this process is making it now.
      LOG.debug("kept: file={}", file, e);
    }
  }

  private static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot delete shared memory: file=" + file, e);
    }
  }

  private static void close(@Nullable FileChannel channel) {
    try {
      if (channel != null) {
        channel.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot close shared memory", e);
    }
  }
}
