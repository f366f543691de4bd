package dev.cairn.kernels.cuda.load;

import dev.cairn.kernels.load.DynamicLoader;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.kernels.cuda.load.RefusedLibrary.Why;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** cuDNN looked for and loaded, over libraries made for the case. */
@EnabledOnOs(value = OS.LINUX, architectures = "amd64")
class CudnnLibrariesTest {
  @TempDir
  private Path work;

  private static Path cudnn(Path folder, int version, int cuda) throws IOException {
    return new TinyLibrary("libcudnn.so.9", false).returning("cudnnGetVersion", version).returning(
      "cudnnGetCudartVersion", cuda).writeInto(folder);
  }

  private static LoadedCuda cuda(int driverVersion, int... cublasMajor) {
    Optional<CudaLibrary> cublas = cublasMajor.length == 0
      ? Optional.empty()
      : Optional.of(new CudaLibrary(Path.of(
        "/usr/lib/libcublas.so"), cublasMajor[0], "option"));
    return new LoadedCuda(Path.of("/usr/lib/libcuda.so.1"), driverVersion, 1, Optional.empty(), cublas, List.of(), List
      .of());
  }

  /** A driver that was named, so that nothing of this machine is found. */
  private FoundCudnn load(LoadedCuda cuda, Path... folders) {
    return CudnnLibraries.load(CudaSearch.of(Map.of()).withDriver(work.resolve("libcuda.so.1")).withLibraryFolders(List
      .of(folders)), cuda);
  }

  private static void assertRefused(FoundCudnn found, Why why, String evidence) {
    assertTrue(found.library().isEmpty(), found::toString);
    assertEquals(List.of(why), found.refused().stream().map(RefusedLibrary::why).toList());
    assertTrue(found.refused().getFirst().evidence().contains(evidence), found::toString);
  }

  @Test
  void whatServesIsLoadedWithWhatLiesBehindItByPath() throws IOException {
    Path file = cudnn(work, 91002, 12060);
    Path graph = new TinyLibrary("libcudnn_graph.so.9", false).returning("cudnnGraph", 1).writeInto(work);
    Files.writeString(work.resolve("libcudnn_cnn.so.9"), "damaged");
    FoundCudnn found = load(cuda(12060, 12), work);
    assertEquals(Optional.of(new CudnnLibrary(file, 91002, 12, "option")), found.library());
    assertEquals("9.10.2", found.library().orElseThrow().versionText());
    assertTrue(new DynamicLoader().holds(graph));
    assertEquals(1, found.notes().size());
    assertTrue(found.notes().getFirst().contains("libcudnn_cnn.so.9 cannot be loaded"), found::toString);
  }

  @Test
  void itMustBeForTheCudaOfCublas() throws IOException {
    cudnn(work, 91301, 13000);
    FoundCudnn found = load(cuda(13000, 12), work);
    assertRefused(found, Why.OTHER_CUDA, "it calls cuBLAS of CUDA 13, loaded is that of CUDA 12");
    assertEquals(13, found.refused().getFirst().major());
    assertEquals(13, load(cuda(13000, 13), work).library().orElseThrow().cudaMajor());
    assertEquals(13, load(cuda(13000), work).library().orElseThrow().cudaMajor(), "where there is no cuBLAS");
  }

  @Test
  void aLaterCudaThanTheDriverServesIsLeftAlone() throws IOException {
    cudnn(work, 91301, 13000);
    assertRefused(load(cuda(12060), work), Why.NEWER_THAN_DRIVER, "it needs a driver for CUDA 13, this one serves 12");
  }

  @Test
  void whatIsNoCudnn9OrNoLibraryIsRefused() throws IOException {
    cudnn(work.resolve("eight"), 8907, 12060);
    assertRefused(load(cuda(12060, 12), work.resolve("eight")), Why.NOT_LOADABLE, "it is no cuDNN 9: version=8907");
    new TinyLibrary("libcudnn.so.9", false).returning("other", 1).writeInto(work.resolve("other"));
    assertRefused(load(cuda(12060, 12), work.resolve("other")), Why.NOT_LOADABLE, "version=0 cuda=0");
    Path garbage = Files.createDirectories(work.resolve("garbage"));
    Files.writeString(garbage.resolve("libcudnn.so.9"), "garbage");
    assertRefused(load(cuda(12060, 12), garbage), Why.NOT_LOADABLE, "");
  }

  @Test
  void theNextFolderIsTakenAndWhatWasRefusedIsClosedWithAllBehindIt() throws IOException {
    Path other = work.resolve("other");
    Path wrong = cudnn(other, 91002, 13000);
    Path behindWrong = new TinyLibrary("libcudnn_ops.so.9", false).returning("ops", 1).writeInto(other);
    Path right = cudnn(work.resolve("right"), 91002, 12080);
    FoundCudnn found = load(cuda(13000, 12), work.resolve("empty"), other, work.resolve("right"));
    assertEquals(right, found.library().orElseThrow().file());
    assertEquals(1, found.refused().size());
    var loader = new DynamicLoader();
    assertFalse(loader.holds(wrong));
    assertFalse(loader.holds(behindWrong));
    assertTrue(loader.holds(right));
  }

  @Test
  void whereADriverWasNamedOnlyTheFoldersAskedForAreSearched() throws IOException {
    Path home = work.resolve("home");
    cudnn(home.resolve("lib64"), 91002, 12060);
    CudaSearch search = CudaSearch.of(Map.of("CUDA_HOME", home.toString())).withRoot(work);
    assertEquals("CUDA_HOME", CudnnLibraries.load(search, cuda(12060, 12)).library().orElseThrow().place());
    assertTrue(CudnnLibraries.load(search.withDriver(work.resolve("libcuda.so.1")), cuda(12060, 12)).library()
      .isEmpty());
  }

  @Test
  void itIsLookedForInTheSamePlacesInTheSameOrder() throws IOException {
    Path python = work.resolve("venv/lib/python3.11/site-packages/nvidia/cudnn/lib");
    for (Path folder : List.of(work.resolve("asked"), work.resolve("usr/local/cuda/lib64"), python)) {
      Files.createDirectories(folder);
      Files.writeString(folder.resolve("libcudnn.so.9"), "");
    }
    CudaSearch search = CudaSearch.of(Map.of("VIRTUAL_ENV", work.resolve("venv").toString())).withRoot(work)
      .withLibraryFolders(List.of(work.resolve("asked")));
    assertEquals(List.of("asked/libcudnn.so.9", "usr/local/cuda/lib64/libcudnn.so.9", "libcudnn.so.9", work.relativize(
      python) + "/libcudnn.so.9"), new LibraryPlaces(search).candidates("libcudnn.so.9").stream().map(
        it -> it.isName()
          ? it.file().toString()
          : work.relativize(it.file()).toString())
        .toList());
  }
}
