package dev.cairn.kernels.cuda.load;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The places where NVRTC, cuBLAS and cuDNN may be, in the order of the search:
 *
 * <pre>
 *   1 folders that the user named
 *   2 CUDA_HOME, CUDA_PATH
 *   3 /usr/local/cuda, then /usr/local/cuda-* from the newest
 *   4 the dynamic loader's path
 *   5 nvidia/.../lib among Python's packages: of VIRTUAL_ENV, CONDA_PREFIX, python3 on PATH, ~/.local, /usr
 * </pre>
 */
final class LibraryPlaces {
  /** CUDA versions whose libraries JCuda's natives support, the preferred one first. */
  private static final List<Integer> MAJORS = List.of(JcudaNative.LINKED_MAJOR, 13);
  private static final Pattern NUMBER = Pattern.compile("\\d+");
  /** The place of folders that the user named. */
  static final String ASKED = "option";

  private final CudaSearch search;

  LibraryPlaces(CudaSearch search) {
    this.search = search;
  }

  /**
   * A file that may be the library, or a name for the dynamic loader to look up.
   *
   * @param file a path, or a bare name
   * @param major the CUDA version in its name; 0 if there is none
   */
  record Candidate(Path file, int major, String place) {
    /** Whether the dynamic loader must find the file. */
    boolean isName() {
      return file.getParent() == null;
    }
  }

  /** All candidates for this library, best first, without duplicates. */
  List<Candidate> candidates(JcudaNative wanted) {
    return candidates(MAJORS.stream().map(it -> named(wanted.libraryName(it), it)).toList());
  }

  /** All candidates for a library without a CUDA version in its name. */
  List<Candidate> candidates(String fileName) {
    return candidates(List.of(named(fileName, 0)));
  }

  private static Candidate named(String fileName, int major) {
    return new Candidate(Path.of(fileName), major, "dynamic loader");
  }

  private List<Candidate> candidates(List<Candidate> names) {
    Set<Path> seen = new HashSet<>();
    return all(names).stream().filter(it -> seen.add(it.file())).toList();
  }

  private List<Candidate> all(List<Candidate> names) {
    List<Candidate> found = new ArrayList<>();
    search.libraryFolders().forEach(it -> add(found, names, it, ASKED));
    for (String variable : CudaSearch.TOOLKIT_VARIABLES) {
      search.folder(variable).ifPresent(it -> addBelow(found, names, it, variable));
    }
    toolkits().forEach(it -> addBelow(found, names, it, it.toString()));
    found.addAll(names);
    for (Path packages : new PythonPackages(search).folders()) {
      for (Path library : matching(packages.resolve("nvidia"), "*")) {
        add(found, names, library.resolve("lib"), "Python packages");
      }
    }
    return found;
  }

  /** Toolkits in their usual place: the default one, then others from the newest. */
  List<Path> toolkits() {
    List<Path> found = new ArrayList<>(matching(search.root().resolve("usr/local"), "cuda-*"));
    found.sort(Comparator.comparingLong(LibraryPlaces::version).reversed().thenComparing(Comparator.naturalOrder()));
    Path fallback = search.root().resolve("usr/local/cuda");
    if (Files.isDirectory(fallback)) {
      found.addFirst(fallback);
    }
    return found;
  }

  /** {@code cuda-12.6} as 12006, so that 12.10 is later than 12.9. */
  private static long version(Path toolkit) {
    long version = 0;
    int parts = 0;
    var numbers = NUMBER.matcher(String.valueOf(toolkit.getFileName()));
    while (numbers.find() && parts < 2 && numbers.group().length() < 6) {
      version = version * 1000 + Long.parseLong(numbers.group());
      parts++;
    }
    return parts == 1 ? version * 1000 : version;
  }

  private static void addBelow(List<Candidate> found, List<Candidate> names, Path toolkit, String place) {
    CudaSearch.TOOLKIT_LIBRARY_FOLDERS.forEach(it -> add(found, names, toolkit.resolve(it), place));
  }

  private static void add(List<Candidate> found, List<Candidate> names, Path folder, String place) {
    for (Candidate name : names) {
      file(folder, name.file()).ifPresent(it -> found.add(new Candidate(it, name.major(), place)));
    }
  }

  private static Optional<Path> file(Path folder, Path name) {
    return Optional.of(folder.resolve(name)).filter(Files::exists);
  }

  /** The files of a folder whose names match a pattern, sorted; none if the folder cannot be read. */
  static List<Path> matching(Path folder, String pattern) {
    List<Path> found = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, pattern)) {
      files.forEach(found::add);
    } catch (IOException | DirectoryIteratorException e) {
      return List.of();
    }
    found.sort(Comparator.naturalOrder());
    return found;
  }
}
