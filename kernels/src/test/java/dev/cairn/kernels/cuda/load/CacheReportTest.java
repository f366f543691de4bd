package dev.cairn.kernels.cuda.load;

import dev.cairn.kernels.load.CacheFault;
import dev.cairn.kernels.load.NativeCache;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.kernels.load.NativeContent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CacheReportTest {
  @TempDir
  private Path work;

  private CudaSearch search() {
    return CudaSearch.of(Map.of("HOME", work.toString()));
  }

  private Path folder() {
    return work.resolve(".cache/cairn/natives");
  }

  private void mounts(String... lines) throws IOException {
    Files.createDirectories(work.resolve("root/proc/self"));
    Files.write(work.resolve("root/proc/self/mounts"), List.of(lines));
  }

  @Test
  void anEmptyCacheIsMadeAndSound() {
    var report = CacheReport.of(search());
    assertEquals(new CacheReport(Optional.of(folder()), Optional.empty(), "", 0, List.of()), report);
  }

  @Test
  void damagedNativesAreNamedAndLeftAlone() throws IOException {
    var cache = NativeCache.in(folder());
    cache.put(NativeContent.of("libOne.so", new byte[] {1}));
    Path two = cache.put(NativeContent.of("libTwo.so", new byte[] {2}));
    Files.delete(two);
    Files.write(two, new byte[] {3});
    var report = CacheReport.of(search());
    assertEquals(2, report.entries());
    assertEquals(List.of(two), report.damaged());
    assertEquals(3, Files.readAllBytes(two)[0]);
  }

  @Test
  void withoutAHomeThereIsNoCache() {
    assertEquals(Optional.empty(), CacheReport.of(CudaSearch.of(Map.of("HOME", "not/absolute"))).folder());
  }

  @Test
  void aFolderThatCannotBeUsedIsReported() {
    var report = CacheReport.of(search().withCacheFolder(Path.of("/proc/self/cairn")));
    assertEquals(Optional.of(CacheFault.NOT_WRITABLE), report.fault());
  }

  @Test
  void theInnermostMountDecidesWhetherFilesMayBeExecuted() throws IOException {
    CudaSearch search = search().withRoot(work.resolve("root"));
    mounts("dev / ext4 rw 0 0", "tmpfs %s tmpfs rw,nosuid,noexec 0 0".formatted(work));
    assertEquals(Optional.of(CacheFault.NO_EXECUTION), CacheReport.of(search).fault());
    assertEquals("mount=" + work, CacheReport.of(search).evidence());
    mounts("tmpfs %s tmpfs rw,noexec 0 0".formatted(work), "dev %s/.cache ext4 rw 0 0".formatted(work), "odd line");
    assertEquals(Optional.empty(), CacheReport.of(search).fault());
    mounts("tmpfs %s tmpfs rw,noexec 0 0".formatted(work), "dev %s ext4 rw 0 0".formatted(work));
    assertEquals(Optional.empty(), CacheReport.of(search).fault(), "the later one lies on top");
  }
}
