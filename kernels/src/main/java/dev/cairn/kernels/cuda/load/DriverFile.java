package dev.cairn.kernels.cuda.load;

import dev.cairn.kernels.load.DynamicLoader;
import dev.cairn.kernels.cuda.load.CudaUnavailable.Reason;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Finds {@code libcuda.so.1}: the file asked for, or where the dynamic loader looks, or where it tends to lie. */
final class DriverFile {
  /** WSL, Debian, Fedora, NixOS: folders that some installations leave out of the loader's path. */
  private static final List<String> USUAL_FOLDERS = List.of("usr/lib/wsl/lib", "usr/lib/x86_64-linux-gnu", "usr/lib64",
    "usr/lib64/nvidia", "usr/lib/x86_64-linux-gnu/nvidia/current", "run/opengl-driver/lib");

  private DriverFile() {}

  /**
   * A path, or a name that the dynamic loader can open.
   *
   * @throws CudaUnavailable when there is none
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
