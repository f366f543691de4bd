package dev.cairn.kernels.cuda.load;

import dev.cairn.kernels.load.DynamicLoader;
import dev.cairn.kernels.cuda.load.CudaUnavailable.Reason;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Finds {@code libcuda.so.1}: the file that the user named, or on the dynamic loader's path, or in usual folders. */
final class DriverFile {
  /** Folders of WSL, Debian, Fedora and NixOS, which are not always on the loader's path. */
  private static final List<String> USUAL_FOLDERS = List.of("usr/lib/wsl/lib", "usr/lib/x86_64-linux-gnu", "usr/lib64",
    "usr/lib64/nvidia", "usr/lib/x86_64-linux-gnu/nvidia/current", "run/opengl-driver/lib");

  private DriverFile() {}

  /**
   * Returns a path, or a name that the dynamic loader can open.
   *
   * @throws CudaUnavailable if there is no driver
   */
  static String find(CudaSearch search) {
    if (search.driver().isPresent()) {
      return asked(search.driver().get());
    }
    String name = JcudaNative.DRIVER.libraryName(1);
    if (DynamicLoader.has(name)) {
      return name;
    }
    List<String> seen = new ArrayList<>();
    for (String folder : USUAL_FOLDERS) {
      Path file = search.root().resolve(folder).resolve(name);
      if (Files.exists(file)) {
        return file.toString();
      }
      seen.add(String.valueOf(file.getParent()));
    }
    throw new CudaUnavailable(Reason.NO_DRIVER, Map.of("name", name, "looked", "dynamic loader, " + String.join(", ",
      seen)));
  }

  private static String asked(Path file) {
    if (!Files.exists(file)) {
      throw new CudaUnavailable(Reason.NO_DRIVER, Map.of("asked", file.toString(), "evidence", "no such file"));
    }
    return file.toString();
  }
}
