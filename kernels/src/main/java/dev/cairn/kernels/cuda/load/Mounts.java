package dev.cairn.kernels.cuda.load;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The mounted file systems, from {@code /proc/self/mounts}: see proc(5) and fstab(5). */
final class Mounts {
  /**
   * One line.
   *
   * @param options separated by commas
   */
  private record Mount(Path point, String options) {}

  private final List<Mount> mounts;

  private Mounts(List<Mount> mounts) {
    this.mounts = mounts;
  }

  /** @param root the root of the file system. If it has no such file, the list is empty */
  static Mounts of(Path root) {
    List<Mount> mounts = new ArrayList<>();
    try {
      for (String line : Files.readAllLines(root.resolve("proc/self/mounts"), StandardCharsets.UTF_8)) {
        String[] fields = line.split(" ", -1);
        if (fields.length >= 4) {
          mounts.add(new Mount(Path.of(unescaped(fields[1])), fields[3]));
        }
      }
    } catch (IOException | InvalidPathException e) {
      return new Mounts(List.of());
    }
    return new Mounts(mounts);
  }

  /** The mount point of a folder, if it forbids the execution of programs. */
  Optional<String> noExecution(Path folder) {
    Mount inner = new Mount(Path.of("/"), "");
    for (Mount mount : mounts) {
      // A later line hides an earlier one with the same mount point.
      if (folder.startsWith(mount.point()) && mount.point().getNameCount() >= inner.point().getNameCount()) {
        inner = mount;
      }
    }
    return List.of(inner.options().split(",", -1)).contains("noexec")
      ? Optional.of(inner.point().toString())
      : Optional.empty();
  }

  private static String unescaped(String field) {
    return field.replace("\\040", " ").replace("\\011", "\t").replace("\\134", "\\");
  }
}
