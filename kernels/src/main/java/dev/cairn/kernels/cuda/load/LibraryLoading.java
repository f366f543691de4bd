package dev.cairn.kernels.cuda.load;

import dev.cairn.kernels.cuda.load.LibraryPlaces.Candidate;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Loads NVRTC or cuBLAS, and JCuda's native over it, from the first place where both can be loaded. */
final class LibraryLoading {
  private final LibraryPlaces places;
  private final DynamicLoader loader;
  private final NativeFiles natives;
  private final int driverMajor;
  private final Consumer<String> notes;

  /** @param driverMajor libraries of a later CUDA version are left alone: this driver can't serve them */
  LibraryLoading(CudaSearch search, DynamicLoader loader, NativeFiles natives, int driverMajor,
    Consumer<String> notes) {
    this.places = new LibraryPlaces(search);
    this.loader = loader;
    this.natives = natives;
    this.driverMajor = driverMajor;
    this.notes = notes;
  }

  /** @return empty when no place has one that can be loaded; the notes then say what was seen */
  Optional<CudaLibrary> load(JcudaNative wanted) {
    List<String> seen = new ArrayList<>();
    for (Candidate candidate : places.candidates(wanted)) {
      if (candidate.isName() && !DynamicLoader.has(candidate.file().toString())) {
        continue;
      }
      if (candidate.major() > driverMajor) {
        seen.add("%s needs a driver for CUDA %d, this one serves %d".formatted(candidate.file(), candidate.major(),
          driverMajor));
        continue;
      }
      try {
        return Optional.of(load(wanted, candidate));
      } catch (CannotOpen | IOException | CudaUnavailable e) {
        seen.add("%s: %s".formatted(candidate.file(), e.getMessage()));
      }
    }
    notes.accept(seen.isEmpty()
      ? "no %s or %s was found".formatted(wanted.libraryName(12), wanted.libraryName(13))
      : "%s cannot be used: %s".formatted(wanted.libraryName(12), String.join("; ", seen)));
    return Optional.empty();
  }

  private CudaLibrary load(JcudaNative wanted, Candidate candidate) throws CannotOpen, IOException {
    if (!candidate.isName()) {
      companions(wanted, candidate);
    }
    OpenLibrary library = loader.open(candidate.file().toString());
    try {
      natives.load(wanted, candidate.major());
    } catch (CannotOpen | IOException | CudaUnavailable e) {
      loader.close(library);
      throw e;
    }
    return new CudaLibrary(library.file(), candidate.major(), candidate.place());
  }

  /**
   * What a library needs, or opens later by name, lies beside it, in a folder that the dynamic loader may not search:
   * once it is loaded, its name suffices.
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
