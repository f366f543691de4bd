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
 * A folder that only this user can change, so all of its content comes from this user. The owners of its parent folders
 * are trusted. A parent folder that all users may write to, or a group that this process does not run as, must be
 * sticky, like {@code /tmp}.
 */
public final class PrivateFolder {
  private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY = PosixFilePermissions
    .asFileAttribute(PosixFilePermissions.fromString("rwx------"));
  private static final int STICKY = 01000;
  private static final int WRITABLE_BY_ALL = 02;
  private static final int WRITABLE_BY_GROUP = 020;
  private static final int OPEN = 077;
  private static final Path SELF = Path.of("/proc/self");

  private PrivateFolder() {}

  /**
   * Creates a folder and its parents if they are missing. Removes other users' permissions from the folder.
   *
   * @return the folder's real path
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
   * Requires that a folder is private already. Does not change the permissions of one that is not, because others may
   * have put files there.
   *
   * @throws IOException if the folder is not private, or does not exist
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
      // Another process was faster. The check below decides whether its folder is usable.
      return;
    }
  }

  private static void checkAbove(Path folder) throws IOException {
    for (Path above = folder.getParent(); above != null; above = above.getParent()) {
      int mode = mode(above);
      boolean isOpen = (mode & WRITABLE_BY_ALL) != 0 || ((mode & WRITABLE_BY_GROUP) != 0 && group(above) != ownGroup());
      if (isOpen && (mode & STICKY) == 0) {
        throw new CacheUnusable(OPEN_TO_OTHERS, folder, "above=%s mode=%o".formatted(above, mode & 07777));
      }
    }
  }

  static int owner(Path file) throws IOException {
    return (int) Files.getAttribute(file, "unix:uid", LinkOption.NOFOLLOW_LINKS);
  }

  private static int group(Path file) throws IOException {
    return (int) Files.getAttribute(file, "unix:gid", LinkOption.NOFOLLOW_LINKS);
  }

  /** The numeric id of the group that this process runs as; {@code /proc/self} is a link, which has another one. */
  private static int ownGroup() throws IOException {
    return (int) Files.getAttribute(SELF, "unix:gid");
  }

  private static int mode(Path file) throws IOException {
    return (int) Files.getAttribute(file, "unix:mode", LinkOption.NOFOLLOW_LINKS);
  }

  /** The numeric id of the user that runs this process. */
  static int self() throws IOException {
    return (int) Files.getAttribute(SELF, "unix:uid");
  }
}
