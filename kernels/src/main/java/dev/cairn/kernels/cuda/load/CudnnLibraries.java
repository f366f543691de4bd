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
 * Loads cuDNN 9 from the first place that has one for the CUDA in this process. Some of it is half a gigabyte, so it is
 * looked for only when somebody wants it. Looking again finds the same. Thread-safe.
 *
 * <p>{@code libcudnn.so.9} is little more than a door: it opens the libraries behind it by name, when they are first
 * needed. These lie beside it, in a folder that the dynamic loader may not search; so each is opened by its path
 * beforehand, those that others need first, and its name suffices from then on. What they need of cuBLAS and NVRTC is
 * in the process already.
 */
public final class CudnnLibraries {
  /** The name of the door. */
  private static final String FILE = "libcudnn.so.9";
  private static final int MAJOR = 9;
  /** Behind it, as far as convolutions go. */
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
   * Looks where {@link CudaSearch} says; where a driver was named, which may be a stand-in for the machine's own, in
   * the folders asked for only.
   *
   * @param cuda what the process holds: a cuDNN for a later CUDA than the driver serves, or for another one than that
   *   of cuBLAS, which it calls, is left alone
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

  /** What is refused is closed again: the names of its files would stand in the way of another place's. */
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

  /** What a function without arguments answers; 0 when the library lacks it. */
  private long number(OpenLibrary library, String function) {
    return loader.function(library, function, ANSWERS_SIZE).map(it -> (long) DynamicLoader.call(it)).orElse(0L);
  }

  private void refuse(Candidate candidate, int cudaMajor, Why why, String evidence) {
    refused.add(new RefusedLibrary(candidate.file(), cudaMajor, candidate.place(), why, evidence));
  }
}
