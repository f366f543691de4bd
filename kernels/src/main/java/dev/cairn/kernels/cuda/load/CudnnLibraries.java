package dev.cairn.kernels.cuda.load;

import dev.cairn.kernels.load.OpenLibrary;
import dev.cairn.kernels.load.CannotOpen;
import dev.cairn.kernels.load.DynamicLoader;
import dev.cairn.kernels.cuda.load.elf.ElfMachine;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.cairn.kernels.cuda.load.LibraryPlaces.Candidate;
import dev.cairn.kernels.cuda.load.RefusedLibrary.Why;
import java.lang.foreign.FunctionDescriptor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Loads cuDNN 9 from the first place that has one for the CUDA version of this process. Its libraries have half a
 * gigabyte, so they are loaded on demand. Repeated calls return the same result. Thread-safe.
 *
 * <p>{@code libcudnn.so.9} is a thin front: it opens other libraries by name when it first needs them. They are in the
 * same folder, which the dynamic loader may not search. So this class opens each of them by its path beforehand, in the
 * order of their dependencies; after that, the name suffices. The cuBLAS and NVRTC that they need are already loaded.
 */
public final class CudnnLibraries {
  /** The name of the front library. */
  private static final String FILE = "libcudnn.so.9";
  private static final int MAJOR = 9;
  /** The libraries that convolutions need behind it. */
  private static final List<String> BEHIND = List.of("libcudnn_graph.so.9", "libcudnn_ops.so.9",
    "libcudnn_heuristic.so.9", "libcudnn_engines_precompiled.so.9", "libcudnn_engines_runtime_compiled.so.9",
    "libcudnn_cnn.so.9");
  private static final FunctionDescriptor ANSWERS_SIZE = FunctionDescriptor.of(JAVA_LONG);

  private final DynamicLoader loader = new DynamicLoader();
  private final LoadedCuda cuda;
  private final List<RefusedLibrary> refused = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();

  private CudnnLibraries(LoadedCuda cuda) {
    this.cuda = cuda;
  }

  /**
   * Searches the places of {@link CudaSearch}. If the search names a driver, which may replace the machine's own, only
   * the named folders are searched.
   *
   * @param cuda the loaded CUDA. A cuDNN for a later CUDA version than the driver supports, or for another version than
   *   cuBLAS, which it calls, is skipped
   */
  public static synchronized FoundCudnn load(CudaSearch search, LoadedCuda cuda) {
    var loading = new CudnnLibraries(cuda);
    Optional<CudnnLibrary> library = loading.first(new LibraryPlaces(search).candidates(FILE).stream().filter(
      it -> search.driver().isEmpty() || it.place().equals(LibraryPlaces.ASKED)).toList());
    return new FoundCudnn(library, loading.refused, loading.notes);
  }

  private Optional<CudnnLibrary> first(List<Candidate> candidates) {
    for (Candidate candidate : candidates) {
      if (candidate.isName() && !DynamicLoader.has(candidate.file().toString())) {
        continue;
      }
      Optional<String> other = ElfMachine.otherThanOurs(candidate.file());
      if (other.isPresent()) {
        refuse(candidate, 0, Why.WRONG_ARCHITECTURE, "it is for %s, not for x86-64".formatted(other.get()));
        continue;
      }
      Optional<CudnnLibrary> library = load(candidate);
      if (library.isPresent()) {
        return library;
      }
    }
    return Optional.empty();
  }

  /** Loads a candidate. Closes a refused one again, because the names of its files would hide those of other places. */
  private Optional<CudnnLibrary> load(Candidate candidate) {
    List<OpenLibrary> opened = new ArrayList<>();
    if (!candidate.isName()) {
      openBehind(candidate.file(), opened);
    }
    Optional<CudnnLibrary> library = Optional.empty();
    try {
      OpenLibrary door = loader.open(candidate.file().toString());
      opened.add(door);
      library = judged(candidate, door);
    } catch (CannotOpen e) {
      refuse(candidate, 0, Why.NOT_LOADABLE, String.valueOf(e.getMessage()));
    }
    if (library.isEmpty()) {
      opened.reversed().forEach(loader::close);
    }
    return library;
  }

  private void openBehind(Path file, List<OpenLibrary> opened) {
    for (String name : BEHIND) {
      Path behind = file.resolveSibling(name);
      if (Files.exists(behind)) {
        try {
          opened.add(loader.open(behind.toString()));
        } catch (CannotOpen e) {
          notes.add("%s cannot be loaded: %s".formatted(behind, e.getMessage()));
        }
      }
    }
  }

  private Optional<CudnnLibrary> judged(Candidate candidate, OpenLibrary door) {
    long version = number(door, "cudnnGetVersion");
    int cudaMajor = (int) (number(door, "cudnnGetCudartVersion") / 1000);
    if (version / 10000 != MAJOR || cudaMajor < 1) {
      refuse(candidate, 0, Why.NOT_LOADABLE, "it is no cuDNN %d: version=%d cuda=%d".formatted(MAJOR, version,
        cudaMajor));
    } else if (cudaMajor > cuda.driverMajor()) {
      refuse(candidate, cudaMajor, Why.NEWER_THAN_DRIVER, "it needs a driver for CUDA %d, this one serves %d"
        .formatted(cudaMajor, cuda.driverMajor()));
    } else if (cuda.cublas().isPresent() && cuda.cublas().get().major() != cudaMajor) {
      refuse(candidate, cudaMajor, Why.OTHER_CUDA, "it calls cuBLAS of CUDA %d, loaded is that of CUDA %d".formatted(
        cudaMajor, cuda.cublas().get().major()));
    } else {
      return Optional.of(new CudnnLibrary(door.file(), (int) version, cudaMajor, candidate.place()));
    }
    return Optional.empty();
  }

  /** Calls a function without arguments; 0 if the library does not have it. */
  private long number(OpenLibrary library, String function) {
    return loader.function(library, function, ANSWERS_SIZE).map(it -> (long) DynamicLoader.call(it)).orElse(0L);
  }

  private void refuse(Candidate candidate, int cudaMajor, Why why, String evidence) {
    refused.add(new RefusedLibrary(candidate.file(), cudaMajor, candidate.place(), why, evidence));
  }
}
