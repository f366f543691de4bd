package dev.cairn.kernels.cuda.load;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * JCuda loaded in processes of their own, over libraries made for the case. A process takes a second, so each build has
 * one case of each kind, and a long one has all.
 */
class CudaLoadingTest {
  private static final int CUDA_12 = 12060;
  private static final int CUDA_13 = 13000;

  @TempDir
  private Path work;

  private Map<String, String> environment(TinyLibrary driver) throws IOException {
    return new HashMap<>(Map.of("CAIRN_CUDA_DRIVER", driver.writeInto(work.resolve("driver")).toString(),
      "XDG_CACHE_HOME", work.resolve("cache").toString()));
  }

  private List<Path> natives() throws IOException {
    Path cache = work.resolve("cache/cairn/natives");
    try (Stream<Path> files = Files.walk(cache)) {
      return files.filter(Files::isRegularFile).sorted().toList();
    }
  }

  private static void assertSays(String output, String... parts) {
    for (String part : parts) {
      assertTrue(output.contains(part), () -> "expected '%s' in:%n%s".formatted(part, output));
    }
  }

  @Test
  void loadsDriverAndLibrariesOfCuda12FromTheFolderAskedFor() throws Exception {
    Map<String, String> environment = environment(TinyLibrary.driver(CUDA_12, 0, 2));
    Path folder = work.resolve("libraries");
    TinyLibrary.nvrtc(12).writeInto(folder);
    TinyLibrary.cublas(12).writeInto(folder);
    environment.put("CAIRN_CUDA_LIBRARIES", folder.toString());
    assertSays(LoadingProcess.run(work, environment), "serves=12.6 devices=2", "nvrtc=12 place=option",
      "cublas=12 place=option", "called driver=12060", "called nvrtc=12", "same=true", "reason=ALREADY_BOUND",
      "asked=/other/libcuda.so.1", "tmpdir restored=true");
    assertEquals(3, natives().size());
  }

  @Test
  @Tag("long")
  void findsAllOfItWhereTheDynamicLoaderLooks() throws Exception {
    Path folder = work.resolve("loader");
    Path driver = TinyLibrary.driver(CUDA_12, 0, 1).writeInto(folder);
    TinyLibrary.nvrtc(12).writeInto(folder);
    TinyLibrary.cublas(12).writeInto(folder);
    assertSays(LoadingProcess.run(work, Map.of("LD_LIBRARY_PATH", folder.toString(), "HOME", work.toString())),
      "driver=" + driver, "nvrtc=12 place=dynamic loader", "cublas=12 place=dynamic loader", "called nvrtc=12");
  }

  @Test
  @Tag("long")
  void aNativeThatCannotBeLoadedLeavesTheTempFolderAsItWas() throws Exception {
    Path file = Files.writeString(work.resolve(JcudaNative.NVRTC.fileName()), "garbage");
    assertSays(LoadingProcess.run(work, Map.of(), "--enable-native-access=ALL-UNNAMED", file.toString()),
      "reason=BINDING_BROKEN", "class=jcuda.nvrtc.JNvrtc", "tmpdir restored=true");
  }

  @Test
  void loadsCuda13FromPythonsPackagesOverRewrittenNatives() throws Exception {
    Map<String, String> environment = environment(TinyLibrary.driver(CUDA_13, 0, 1));
    Path folder = work.resolve("venv/lib/python3.12/site-packages/nvidia/cu13/lib");
    TinyLibrary.nvrtc(13).writeInto(folder);
    TinyLibrary.cublas(13).writeInto(folder);
    environment.put("VIRTUAL_ENV", work.resolve("venv").toString());
    assertSays(LoadingProcess.run(work, environment), "nvrtc=13 place=Python packages",
      "cublas=13 place=Python packages", "called nvrtc=13");
  }

  @Test
  @Tag("long")
  void leavesLibrariesAloneThatNeedALaterDriver() throws Exception {
    Map<String, String> environment = environment(TinyLibrary.driver(CUDA_12, 0, 1));
    TinyLibrary.nvrtc(13).writeInto(work.resolve("cuda/lib64"));
    environment.put("CUDA_HOME", work.resolve("cuda").toString());
    String output = LoadingProcess.run(work, environment);
    assertSays(output, "refused=NEWER_THAN_DRIVER", "(CUDA_HOME)", "called driver=12060");
    assertFalse(output.contains("nvrtc="), output);
  }

  @Test
  @Tag("long")
  void passesOverABrokenLibraryToTheNext() throws Exception {
    Map<String, String> environment = environment(TinyLibrary.driver(CUDA_12, 0, 1));
    Path broken = Files.createDirectories(work.resolve("broken"));
    Files.writeString(broken.resolve("libnvrtc.so.12"), "no library");
    byte[] foreign = TinyLibrary.cublas(12).bytes();
    foreign[18] = (byte) 183;
    Files.write(broken.resolve("libcublas.so.12"), foreign);
    TinyLibrary.nvrtc(12).writeInto(work.resolve("good"));
    environment.put("CAIRN_CUDA_LIBRARIES", broken + ":" + work.resolve("good"));
    String output = LoadingProcess.run(work, environment);
    assertSays(output, "refused=NOT_LOADABLE", "refused=WRONG_ARCHITECTURE", "aarch64", "called nvrtc=12");
    assertFalse(output.contains("cublas="), output);
  }

  @Test
  void saysThatTheDriverFindsNoGpu() throws Exception {
    assertSays(LoadingProcess.run(work, environment(TinyLibrary.driver(CUDA_12, 100, 0))), "reason=NO_DEVICE",
      "code=100", "tmpdir restored=true");
    assertFalse(Files.exists(work.resolve("cache")), "nothing is written for a driver that serves nothing");
  }

  @Test
  @Tag("long")
  void aHostileFileInTheTempFolderChangesNothing() throws Exception {
    Map<String, String> environment = environment(TinyLibrary.driver(CUDA_12, 0, 1));
    byte[] garbage = "garbage".getBytes(StandardCharsets.US_ASCII);
    Path planted = LoadingProcess.temporary(work).resolve(JcudaNative.DRIVER.fileName());
    Files.write(planted, garbage);
    assertSays(LoadingProcess.run(work, environment), "called driver=12060", "tmpdir restored=true");
    assertArrayEquals(garbage, Files.readAllBytes(planted));
  }

  @Test
  @Tag("long")
  void aDamagedFileInTheCacheIsReplaced() throws Exception {
    Map<String, String> environment = environment(TinyLibrary.driver(CUDA_12, 0, 1));
    LoadingProcess.run(work, environment);
    Path file = natives().getFirst();
    byte[] whole = Files.readAllBytes(file);
    Files.delete(file);
    Files.write(file, TinyLibrary.driver(0, 0, 0).bytes());
    assertSays(LoadingProcess.run(work, environment), "called driver=12060");
    assertArrayEquals(whole, Files.readAllBytes(file));
  }

  @Test
  @Tag("long")
  void processesThatStartAtOnceOnAnEmptyCacheAllWork() throws Exception {
    Map<String, String> environment = environment(TinyLibrary.driver(CUDA_12, 0, 1));
    List<Process> processes = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      processes.add(LoadingProcess.start(work, environment));
    }
    for (Process process : processes) {
      assertSays(LoadingProcess.output(process), "called driver=12060");
    }
    assertEquals(1, natives().size(), "no part is left behind");
  }

  @Test
  @Tag("long")
  void withoutAUsableCacheNativesAreLoadedFromAFolderThatIsGoneAfterwards() throws Exception {
    Map<String, String> environment = environment(TinyLibrary.driver(CUDA_12, 0, 1));
    Files.writeString(work.resolve("cache"), "a file in the cache's place");
    assertSays(LoadingProcess.run(work, environment), "called driver=12060", "note=the cache of natives is not used");
    try (Stream<Path> left = Files.list(LoadingProcess.temporary(work))) {
      assertEquals(List.of(), left.filter(it -> it.toString().contains("cairn")).toList());
    }
  }

  @Test
  @Tag("long")
  void aCacheFromWhichNothingMayBeExecutedIsNotUsed() throws Exception {
    List<String> space = List.of("unshare", "--map-root-user", "--mount");
    assumeTrue(succeeds(space, "mount -t tmpfs -o noexec tmpfs " + work),
      "skipped: no file system may be mounted here");
    Map<String, String> environment = environment(TinyLibrary.driver(CUDA_12, 0, 1));
    environment.put("PATH", System.getenv("PATH"));
    Path cache = Files.createDirectories(work.resolve("cache"));
    List<String> mounted = new ArrayList<>(space);
    mounted.addAll(List.of("sh", "-c", "mount -t tmpfs -o noexec tmpfs \"$0\" && exec \"$@\"", cache.toString()));
    String output = LoadingProcess.output(LoadingProcess.start(mounted, work, environment));
    assertSays(output, "called driver=12060", "note=the cache of natives is not used", "noexec");
  }

  private static boolean succeeds(List<String> before, String script) throws InterruptedException {
    List<String> command = new ArrayList<>(before);
    command.addAll(List.of("sh", "-c", script));
    try {
      return new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(Redirect.DISCARD).start()
        .waitFor() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  @Tag("long")
  void aCacheFolderThatWasAskedForIsNotReplacedByAnother() throws Exception {
    Map<String, String> environment = environment(TinyLibrary.driver(CUDA_12, 0, 1));
    environment.put("CAIRN_CUDA_CACHE", "/proc/self/cairn");
    assertSays(LoadingProcess.run(work, environment), "reason=CACHE_UNUSABLE", "fault=NOT_WRITABLE",
      "tmpdir restored=true");
  }

  @Test
  void saysThatJavaMayNotLoadNativeCode() throws Exception {
    assertSays(LoadingProcess.run(work, environment(TinyLibrary.driver(CUDA_12, 0, 1)),
      "--illegal-native-access=deny"), "reason=NO_NATIVE_ACCESS");
  }
}
