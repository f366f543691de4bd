package dev.cairn.kernels.cuda.load;

import java.nio.file.Path;

/**
 * A library that was found but not used.
 *
 * @param file its path, or its name if the dynamic loader found it
 * @param major the CUDA version that it is for; 0 if unknown
 * @param place the place where it was found, as text for users
 * @param evidence the message of the loader or check that refused it
 */
public record RefusedLibrary(Path file, int major, String place, Why why, String evidence) {
  /** The reason for the refusal. */
  public enum Why {
    /** It needs a driver of a later CUDA version. */
    NEWER_THAN_DRIVER,
    /** It is for another CUDA version than the cuBLAS that is loaded. */
    OTHER_CUDA,
    /** It is for another processor. */
    WRONG_ARCHITECTURE,
    /** The dynamic loader cannot load it, or cannot load JCuda's native over it. */
    NOT_LOADABLE
  }

  @Override
  public String toString() {
    return "%s (%s): %s".formatted(file, place, evidence);
  }
}
