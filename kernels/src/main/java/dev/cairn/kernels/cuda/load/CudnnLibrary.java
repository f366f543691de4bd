package dev.cairn.kernels.cuda.load;

import java.nio.file.Path;

/**
 * cuDNN, loaded into this process.
 *
 * @param file where its {@code libcudnn.so.9} lies
 * @param version as cuDNN counts: {@code 10000 * major + 100 * minor + patch}
 * @param cudaMajor the CUDA version that it was made for: 12 or 13
 * @param place how it was found, for people: an option, a variable, a folder
 */
public record CudnnLibrary(Path file, int version, int cudaMajor, String place) {
  /** As people write it: {@code 9.10.2}. */
  public String versionText() {
    return "%d.%d.%d".formatted(version / 10000, version / 100 % 100, version % 100);
  }
}
