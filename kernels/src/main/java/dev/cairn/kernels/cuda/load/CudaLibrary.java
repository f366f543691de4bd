package dev.cairn.kernels.cuda.load;

import java.nio.file.Path;

/**
 * A loaded library.
 *
 * @param file the library's path
 * @param major the CUDA version in its name: 12 or 13
 * @param place the place where it was found, as text for users: an option, a variable, a folder
 */
public record CudaLibrary(Path file, int major, String place) {
  public CudaLibrary {
    if (major < 1) {
      throw new IllegalArgumentException("a major version is at least 1: major=" + major);
    }
  }

  /** Whether JCuda's native is linked for this CUDA version. Otherwise it was rewritten for this version. */
  public boolean servesNativeAsItIs() {
    return major == JcudaNative.LINKED_MAJOR;
  }
}
