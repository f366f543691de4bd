package dev.cairn.kernels.cuda.load;

import java.nio.file.Path;

/**
 * A library that was found and not used.
 *
 * @param file where it lies, or its name where the dynamic loader found it
 * @param major the CUDA version that it is for; 0 where nothing tells
 * @param place how it was found, for people
 * @param evidence what shows it, in the words of whoever refused it
 */
public record RefusedLibrary(Path file, int major, String place, Why why, String evidence) {
  /** What is wrong with it. */
  public enum Why {
    /** It needs a driver of a later CUDA version. */
    NEWER_THAN_DRIVER,
    /** It is for another CUDA version than the cuBLAS that is loaded. */
    OTHER_CUDA,
    /** It is for another processor. */
    WRONG_ARCHITECTURE,
    /** The dynamic loader can't load it, or JCuda's native not over it. */
    NOT_LOADABLE
  }

  @Override
  public String toString() {
    return "%s (%s): %s".formatted(file, place, evidence);
  }
}
