package dev.cairn.kernels.cuda.load;

import dev.cairn.kernels.load.CacheFault;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The state of the cache of native libraries.
 *
 * @param folder the cache's folder; empty if neither a cache folder nor a home folder is set
 * @param fault the reason why it is not usable
 * @param evidence the facts that show the fault; empty without a fault
 * @param entries the number of native libraries in it
 * @param damaged libraries whose checksum differs from the name of their folder; they are replaced when next needed
 */
public record CacheReport(Optional<Path> folder, Optional<CacheFault> fault, String evidence, int entries,
  List<Path> damaged) {
  public CacheReport {
    damaged = List.copyOf(damaged);
  }

  /** Inspects the cache. Creates it if it is missing, to find out whether that works. Changes nothing else. */
  public static CacheReport of(CudaSearch search) {
    Optional<Path> folder = search.nativesFolder();
    return folder.isEmpty()
      ? new CacheReport(folder, Optional.empty(), "", 0, List.of())
      : new CacheInspection(search, folder.get()).report();
  }
}
