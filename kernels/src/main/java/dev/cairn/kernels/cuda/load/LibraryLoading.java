package dev.cairn.kernels.cuda.load;

import dev.cairn.kernels.load.NativeFiles;
import dev.cairn.kernels.load.OpenLibrary;
import dev.cairn.kernels.load.CannotOpen;
import dev.cairn.kernels.load.DynamicLoader;
import dev.cairn.kernels.cuda.load.elf.ElfMachine;
import dev.cairn.kernels.cuda.load.LibraryPlaces.Candidate;
import dev.cairn.kernels.cuda.load.RefusedLibrary.Why;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Loads NVRTC or cuBLAS, and JCuda's native over it, from the first place where both load. */
final class LibraryLoading {
  private final LibraryPlaces places;
  private final DynamicLoader loader;
  private final NativeFiles natives;
  private final int driverMajor;
  private final Consumer<String> notes;
  private final List<RefusedLibrary> refused = new ArrayList<>();

  /** @param driverMajor the driver's CUDA version. Libraries of later versions are skipped */
  LibraryLoading(CudaSearch search, DynamicLoader loader, NativeFiles natives, int driverMajor,
    Consumer<String> notes) {
    this.places = new LibraryPlaces(search);
    this.loader = loader;
    this.natives = natives;
    this.driverMajor = driverMajor;
    this.notes = notes;
  }

  /** @return the library; empty if no place has one that loads */
  Optional<CudaLibrary> load(JcudaNative wanted) {
    for (Candidate candidate : places.candidates(wanted)) {
      if (candidate.isName() && !DynamicLoader.has(candidate.file().toString())) {
        continue;
      }
      Optional<RefusedLibrary> unfit = unfit(candidate);
      if (unfit.isPresent()) {
        refused.add(unfit.get());
        continue;
      }
      try {
        return Optional.of(load(wanted, candidate));
      } catch (CannotOpen | IOException | CudaUnavailable e) {
        refused.add(refused(candidate, Why.NOT_LOADABLE, String.valueOf(e.getMessage())));
      }
    }
    return Optional.empty();
  }

  /** The libraries that were found but not used, so far. */
  List<RefusedLibrary> refused() {
    return refused;
  }

  private Optional<RefusedLibrary> unfit(Candidate candidate) {
    if (candidate.major() > driverMajor) {
      return Optional.of(refused(candidate, Why.NEWER_THAN_DRIVER, "it needs a driver for CUDA %d, this one serves %d"
        .formatted(candidate.major(), driverMajor)));
    }
    return ElfMachine.otherThanOurs(candidate.file()).map(it -> refused(candidate, Why.WRONG_ARCHITECTURE,
      "it is for %s, not for x86-64".formatted(it)));
  }

  private static RefusedLibrary refused(Candidate candidate, Why why, String evidence) {
    return new RefusedLibrary(candidate.file(), candidate.major(), candidate.place(), why, evidence);
  }

  private CudaLibrary load(JcudaNative wanted, Candidate candidate) throws CannotOpen, IOException {
    if (!candidate.isName()) {
      companions(wanted, candidate);
    }
    OpenLibrary library = loader.open(candidate.file().toString());
    try {
      wanted.load(natives, candidate.major());
    } catch (CannotOpen | IOException | CudaUnavailable e) {
      loader.close(library);
      throw e;
    }
    return new CudaLibrary(library.file(), candidate.major(), candidate.place());
  }

  /**
   * Loads the files that a library needs or opens later by name. They are in the library's folder, which the dynamic
   * loader may not search. Once they are loaded, their names suffice.
   */
  private void companions(JcudaNative wanted, Candidate candidate) {
    Path folder = candidate.file().resolveSibling(".").normalize();
    String pattern = switch (wanted) {
      case CUBLAS -> "libcublasLt.so.%d".formatted(candidate.major());
      case NVRTC -> "libnvrtc-builtins.so.%d.*".formatted(candidate.major());
      case DRIVER -> "";
    };
    for (Path companion : LibraryPlaces.matching(folder, pattern)) {
      try {
        loader.open(companion.toString());
      } catch (CannotOpen e) {
        notes.accept("%s cannot be loaded: %s".formatted(companion, e.getMessage()));
      }
    }
  }
}
