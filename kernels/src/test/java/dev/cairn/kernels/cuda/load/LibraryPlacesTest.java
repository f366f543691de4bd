package dev.cairn.kernels.cuda.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LibraryPlacesTest {
  @TempDir
  private Path root;

  private final Map<String, String> environment = new HashMap<>();

  private void file(String path) throws IOException {
    Files.createDirectories(root.resolve(path).getParent());
    Files.writeString(root.resolve(path), "");
  }

  private void python(String path) throws IOException {
    file(path);
    Files.setPosixFilePermissions(root.resolve(path), PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private List<String> found(JcudaNative wanted) {
    return new LibraryPlaces(CudaSearch.of(environment).withRoot(root)).candidates(wanted).stream().map(it -> it
      .isName() ? "name " + it.file() : root.relativize(it.file()).toString()).toList();
  }

  @Test
  void placesAreTriedInTheOrderOfTheDocumentation() throws IOException {
    file("asked/libcublas.so.13");
    file("home/lib64/libcublas.so.12");
    file("path/lib/libcublas.so.12");
    file("usr/local/cuda/lib64/libcublas.so.13");
    file("usr/local/cuda-12.9/lib64/libcublas.so.12");
    file("usr/local/cuda-12.10/lib64/libcublas.so.12");
    file("usr/local/cuda-13/lib64/libcublas.so.13");
    file("venv/lib/python3.11/site-packages/nvidia/cublas/lib/libcublas.so.12");
    file("venv/lib/python3.11/site-packages/nvidia/cu13/lib/libcublas.so.13");
    file("usr/lib/python3/dist-packages/nvidia/cublas/lib/libcublas.so.12");
    environment.putAll(Map.of("CAIRN_CUDA_LIBRARIES", root.resolve("nowhere") + ":" + root.resolve("asked"),
      "CUDA_HOME", root.resolve("home").toString(), "CUDA_PATH", root.resolve("path").toString(), "VIRTUAL_ENV", root
        .resolve("venv").toString()));
    assertEquals(List.of("asked/libcublas.so.13", "home/lib64/libcublas.so.12", "path/lib/libcublas.so.12",
      "usr/local/cuda/lib64/libcublas.so.13", "usr/local/cuda-13/lib64/libcublas.so.13",
      "usr/local/cuda-12.10/lib64/libcublas.so.12", "usr/local/cuda-12.9/lib64/libcublas.so.12",
      "name libcublas.so.12", "name libcublas.so.13",
      "venv/lib/python3.11/site-packages/nvidia/cu13/lib/libcublas.so.13",
      "venv/lib/python3.11/site-packages/nvidia/cublas/lib/libcublas.so.12",
      "usr/lib/python3/dist-packages/nvidia/cublas/lib/libcublas.so.12"), found(JcudaNative.CUBLAS));
    assertEquals(List.of("name libnvrtc.so.12", "name libnvrtc.so.13"), found(JcudaNative.NVRTC));
  }

  @Test
  void inOnePlaceTheVersionThatNativesAreLinkedForComesFirst() throws IOException {
    file("asked/libnvrtc.so.13");
    file("asked/libnvrtc.so.12");
    environment.put("CAIRN_CUDA_LIBRARIES", root.resolve("asked").toString());
    assertEquals(List.of("asked/libnvrtc.so.12", "asked/libnvrtc.so.13", "name libnvrtc.so.12", "name libnvrtc.so.13"),
      found(JcudaNative.NVRTC));
  }

  @Test
  void packagesBelongToThePythonOnThePathWhereverItsLinksLead() throws IOException {
    python("opt/python/bin/python3.12");
    Files.createDirectories(root.resolve("bin"));
    Files.createSymbolicLink(root.resolve("bin/python3"), root.resolve("opt/python/bin/python3.12"));
    python("pyenv/shims/python3");
    file("opt/python/lib/python3.12/site-packages/nvidia/cuda_nvrtc/lib/libnvrtc.so.12");
    file("pyenv/versions/3.9.1/lib/python3.9/site-packages/nvidia/cuda_nvrtc/lib/libnvrtc.so.12");
    environment.put("PATH", "relative::%s:%s".formatted(root.resolve("bin"), root.resolve("pyenv/shims")));
    assertEquals(List.of("name libnvrtc.so.12", "name libnvrtc.so.13",
      "opt/python/lib/python3.12/site-packages/nvidia/cuda_nvrtc/lib/libnvrtc.so.12",
      "pyenv/versions/3.9.1/lib/python3.9/site-packages/nvidia/cuda_nvrtc/lib/libnvrtc.so.12"),
      found(
        JcudaNative.NVRTC));
  }

  @Test
  void aPlaceThatIsNamedTwiceIsTriedOnce() throws IOException {
    file("usr/local/cuda/lib64/libnvrtc.so.12");
    environment.putAll(Map.of("CUDA_HOME", root.resolve("usr/local/cuda").toString(), "CUDA_PATH", root.resolve(
      "usr/local/cuda").toString()));
    assertEquals(List.of("usr/local/cuda/lib64/libnvrtc.so.12", "name libnvrtc.so.12", "name libnvrtc.so.13"), found(
      JcudaNative.NVRTC));
  }

  @Test
  void variablesThatHoldNoFolderAreIgnored() {
    environment.putAll(Map.of("CUDA_HOME", "", "CUDA_PATH", "relative", "VIRTUAL_ENV", "/nowhere/at/all", "PATH",
      "/nowhere:\0", "HOME", "\0"));
    assertEquals(List.of("name libnvrtc.so.12", "name libnvrtc.so.13"), found(JcudaNative.NVRTC));
  }

  @Test
  void anOptionThatIsNoPathIsAMistakeOfTheCaller() {
    assertThrows(IllegalArgumentException.class, () -> CudaSearch.of(Map.of("CAIRN_CUDA_DRIVER", "\0")));
    assertEquals(Optional.empty(), CudaSearch.of(Map.of("CAIRN_CUDA_DRIVER", " ")).driver());
  }
}
