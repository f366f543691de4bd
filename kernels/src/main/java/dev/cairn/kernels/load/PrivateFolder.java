package dev.cairn.kernels.load;

import static dev.cairn.kernels.load.CacheFault.FOREIGN_OWNER;
import static dev.cairn.kernels.load.CacheFault.NOT_A_FOLDER;
import static dev.cairn.kernels.load.CacheFault.NOT_WRITABLE;
import static dev.cairn.kernels.load.CacheFault.OPEN_TO_OTHERS;
import static dev.cairn.kernels.load.CacheFault.SYMBOLIC_LINK;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * A folder that only this user can change: what it holds is what this user put there. Whoever owns a folder above it is
 * trusted; one that everybody may write to must be sticky, as {@code /tmp} is.
 */
public final class PrivateFolder {
  private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY = PosixFilePermissions
    .asFileAttribute(PosixFilePermissions.fromString("rwx------"));
  private static final int STICKY = 01000;
  private static final int WRITABLE_BY_ALL = 02;
  private static final int OPEN = 077;

  private PrivateFolder() {}

  /**
   * Makes a folder, and those above it, where they are missing; closes it to others where it is open.
   *
   * @return the folder by its real path
   */
  public static Path make(Path folder) throws CacheUnusable {
    try {
      create(folder);
      requireOwn(folder);
      if ((mode(folder) & OPEN) != 0) {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
      }
      Path real = folder.toRealPath();
      checkAbove(real);
      return real;
    } catch (CacheUnusable e) {
      throw e;
    } catch (IOException | UnsupportedOperationException e) {
      throw new CacheUnusable(NOT_WRITABLE, folder, "reason=" + e);
    }
  }

  /**
   * That a folder is private already. One that is open is refused and not closed: others may have put something there.
   *
   * @throws IOException when it is not, or is not there
   */
  public static void require(Path folder) throws IOException {
    requireOwn(folder);
    int mode = mode(folder);
    if ((mode & OPEN) != 0) {
      throw new CacheUnusable(OPEN_TO_OTHERS, folder, "mode=%o".formatted(mode & 07777));
    }
    checkAbove(folder.toRealPath());
  }

  private static void requireOwn(Path folder) throws IOException {
    BasicFileAttributes kind = Files.readAttributes(folder, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    if (kind.isSymbolicLink()) {
      throw new CacheUnusable(SYMBOLIC_LINK, folder, "target=" + Files.readSymbolicLink(folder));
    }
    if (!kind.isDirectory()) {
      throw new CacheUnusable(NOT_A_FOLDER, folder, "kind=" + (kind.isRegularFile() ? "file" : "special file"));
    }
    int owner = owner(folder);
    if (owner != self()) {
      throw new CacheUnusable(FOREIGN_OWNER, folder, "owner=%d self=%d".formatted(owner, self()));
    }
  }

  private static void create(Path folder) throws IOException {
    if (Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    Path parent = folder.getParent();
    if (parent != null && !Files.isDirectory(parent)) {
      create(parent);
    }
    try {
      Files.createDirectory(folder, OWNER_ONLY);
    } catch (FileAlreadyExistsException e) {
      // Another process was faster; whether it made what is wanted here is looked at next.
      return;
    }
  }

  private static void checkAbove(Path folder) throws IOException {
    for (Path above = folder.getParent(); above != null; above = above.getParent()) {
      int mode = mode(above);
      if ((mode & WRITABLE_BY_ALL) != 0 && (mode & STICKY) == 0) {
        throw new CacheUnusable(OPEN_TO_OTHERS, folder, "above=%s mode=%o".formatted(above, mode & 07777));
      }
    }
  }

  static int owner(Path file) throws IOException {
    return (int) Files.getAttribute(file, "unix:uid", LinkOption.NOFOLLOW_LINKS);
  }

  private static int mode(Path file) throws IOException {
    return (int) Files.getAttribute(file, "unix:mode", LinkOption.NOFOLLOW_LINKS);
  }

  /** The user that this process runs as. */
  static int self() throws IOException {
    return (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
  }
}
