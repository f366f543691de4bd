package dev.cairn.kernels.cuda.load;

import java.nio.file.Path;

/**
 * The cuDNN that this process has loaded.
 *
 * @param file the path of its {@code libcudnn.so.9}
 * @param version cuDNN's version number: {@code 10000 * major + 100 * minor + patch}
 * @param cudaMajor the CUDA version that it was built for: 12 or 13
 * @param place the place where it was found, as text for users: an option, a variable, a folder
 */
public record CudnnLibrary(Path file, int version, int cudaMajor, String place) {
  /** The version as text: {@code 9.10.2}. */
  public String versionText() {
    return "%d.%d.%d".formatted(version / 10000, version / 100 % 100, version % 100);
  }
}
