package dev.cairn.kernels.cuda.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Folders of Python packages, found by the layout of Python's installation. Running Python would be slower, and would
 * run any program that is named {@code python3} on the path.
 */
final class PythonPackages {
  private static final List<String> BELOW_PREFIX = List.of("lib/python3*/site-packages", "lib/python3*/dist-packages",
    "lib/python3/dist-packages", "lib64/python3*/site-packages");

  private final CudaSearch search;

  PythonPackages(CudaSearch search) {
    this.search = search;
  }

  /** The existing folders: first those of the active environment, then those of each Python in {@code PATH}. */
  List<Path> folders() {
    Set<Path> prefixes = new LinkedHashSet<>();
    search.folder("VIRTUAL_ENV").ifPresent(prefixes::add);
    search.folder("CONDA_PREFIX").ifPresent(prefixes::add);
    for (String entry : search.environment().getOrDefault("PATH", "").split(":", -1)) {
      prefixes.addAll(prefixes(entry));
    }
    search.folder("HOME").ifPresent(it -> prefixes.add(it.resolve(".local")));
    prefixes.add(search.root().resolve("usr/local"));
    prefixes.add(search.root().resolve("usr"));
    Set<Path> found = new LinkedHashSet<>();
    for (Path prefix : prefixes) {
      BELOW_PREFIX.forEach(it -> found.addAll(below(prefix, it)));
    }
    return List.copyOf(found);
  }

  /** The prefixes of the Python in one entry of {@code PATH}: by its name, and by the target of its links. */
  private static List<Path> prefixes(String entry) {
    List<Path> found = new ArrayList<>();
    try {
      Path program = Path.of(entry).resolve("python3");
      if (!entry.startsWith("/") || !Files.isExecutable(program)) {
        return found;
      }
      addPrefix(found, program);
      addPrefix(found, program.toRealPath());
      // pyenv puts scripts on the path that select one of its Pythons.
      if (Path.of(entry).endsWith("shims")) {
        found.addAll(LibraryPlaces.matching(Path.of(entry).resolveSibling("versions"), "*").reversed());
      }
    } catch (IOException | InvalidPathException e) {
      return found;
    }
    return found;
  }

  private static void addPrefix(List<Path> found, Path program) {
    Path folder = program.getParent();
    if (folder != null && folder.getParent() != null) {
      found.add(folder.getParent());
    }
  }

  private static List<Path> below(Path prefix, String pattern) {
    List<Path> found = List.of(prefix);
    for (String part : pattern.split("/", -1)) {
      found = found.stream().flatMap(it -> part.contains("*")
        ? LibraryPlaces.matching(it, part).stream()
        : Stream.of(it.resolve(part))).filter(Files::isDirectory).toList();
    }
    return found;
  }
}
