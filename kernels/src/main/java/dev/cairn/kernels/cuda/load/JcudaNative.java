package dev.cairn.kernels.cuda.load;

import dev.cairn.kernels.load.CannotOpen;
import dev.cairn.kernels.load.NativeContent;
import dev.cairn.kernels.load.NativeFiles;
import dev.cairn.kernels.cuda.load.elf.ElfPatch;
import java.io.IOException;
import java.io.InputStream;

/** One of JCuda's native libraries: the class that loads it, its file, and the CUDA library that the file needs. */
enum JcudaNative {
  DRIVER("jcuda.driver.JCudaDriver", "JCudaDriver", "libcuda"),
  NVRTC("jcuda.nvrtc.JNvrtc", "JNvrtc", "libnvrtc"),
  CUBLAS("jcuda.jcublas.JCublas2", "JCublas2", "libcublas");

  /** The CUDA version that the natives are linked for. */
  static final int LINKED_MAJOR = 12;

  private static final String VERSION = "12.6.0";

  private final String className;
  private final String name;
  private final String library;

  JcudaNative(String className, String name, String library) {
    this.className = className;
    this.name = name;
    this.library = library;
  }

  /** The class that loads this native when it is initialised. */
  String className() {
    return className;
  }

  /** The file name under which JCuda looks for its native. */
  String fileName() {
    return "lib%s-%s-linux-x86_64.so".formatted(name, VERSION);
  }

  /** The file name of the library that this native needs, for a CUDA version. */
  String libraryName(int major) {
    return "%s.so.%d".formatted(library, major);
  }

  /**
   * Loads this native and initialises its class.
   *
   * @param major the CUDA version of the library that this native needs, which is already loaded
   * @throws dev.cairn.kernels.load.CacheUnusable if no folder is usable
   * @throws CannotOpen if the native cannot be loaded over the library
   */
  void load(NativeFiles natives, int major) throws IOException, CannotOpen {
    natives.load(NativeContent.of(fileName(), content(major)), file -> JcudaClasses.initialise(this, file));
  }

  /**
   * Reads the native from JCuda's jar, and rewrites it if it must need another CUDA version.
   *
   * @throws IOException if the jar with the natives is damaged or not on the class path
   */
  byte[] content(int major) throws IOException {
    byte[] original = original();
    return major == LINKED_MAJOR
      ? original
      : ElfPatch.withNeededLibrary(original, libraryName(LINKED_MAJOR), libraryName(major));
  }

  private byte[] original() throws IOException {
    try (InputStream in = JcudaNative.class.getResourceAsStream("/lib/" + fileName())) {
      if (in == null) {
        throw new IOException("a resource is missing: name=/lib/%s, is jcuda-natives on the class path?".formatted(
          fileName()));
      }
      return in.readAllBytes();
    }
  }
}
