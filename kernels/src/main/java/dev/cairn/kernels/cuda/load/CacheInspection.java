package dev.cairn.kernels.cuda.load;

import dev.cairn.kernels.load.CacheFault;
import dev.cairn.kernels.load.CacheUnusable;
import dev.cairn.kernels.load.NativeCache;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Inspects a cache folder: whether it is usable, and whether its files are intact. */
final class CacheInspection {
  private final CudaSearch search;
  private final Path folder;

  CacheInspection(CudaSearch search, Path folder) {
    this.search = search;
    this.folder = folder;
  }

  CacheReport report() {
    try {
      Path real = NativeCache.in(folder).folder();
      Path probe = Files.createTempFile(real, "probe", ".part");
      Files.delete(probe);
      Optional<String> mount = Mounts.of(search.root()).noExecution(real);
      return new CacheReport(Optional.of(folder), mount.map(it -> CacheFault.NO_EXECUTION), mount.map("mount="::concat)
        .orElse(""), files(real).size(), files(real).stream().filter(CacheInspection::isDamaged).toList());
    } catch (CacheUnusable e) {
      return unusable(e.fault(), String.valueOf(e.getMessage()));
    } catch (IOException e) {
      return unusable(CacheFault.NOT_WRITABLE, e.toString());
    }
  }

  private CacheReport unusable(CacheFault fault, String evidence) {
    return new CacheReport(Optional.of(folder), Optional.of(fault), evidence, 0, List.of());
  }

  private static List<Path> files(Path folder) {
    List<Path> files = new ArrayList<>();
    LibraryPlaces.matching(folder, "*").forEach(entry -> files.addAll(LibraryPlaces.matching(entry, "*.so")));
    return files;
  }

  private static boolean isDamaged(Path file) {
    try {
      return !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) || !NativeCache.checksum(file)
        .startsWith(String.valueOf(file.getName(file.getNameCount() - 2)));
    } catch (IOException e) {
      return true;
    }
  }
}
