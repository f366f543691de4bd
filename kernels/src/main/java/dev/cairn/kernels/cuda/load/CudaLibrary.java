package dev.cairn.kernels.cuda.load;

import java.nio.file.Path;

/**
 * A library that was loaded.
 *
 * @param file where it lies
 * @param major the CUDA version that its name gives: 12 or 13
 * @param place how it was found, for people: an option, a variable, a folder
 */
public record CudaLibrary(Path file, int major, String place) {
  public CudaLibrary {
    if (major < 1) {
      throw new IllegalArgumentException("a major version is at least 1: major=" + major);
    }
  }

  /** Whether JCuda's native is linked for this CUDA version; it was rewritten for it otherwise. */
  public boolean servesNativeAsItIs() {
    return major == JcudaNative.LINKED_MAJOR;
  }
}
