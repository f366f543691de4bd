package dev.cairn.kernels.cuda.load;

import dev.cairn.kernels.load.CacheFault;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The state of the cache of natives, as a look at it shows.
 *
 * @param folder where it is; empty when neither a cache folder nor a home is set
 * @param fault why it can't be used
 * @param evidence what shows that; empty without a fault
 * @param entries natives in it
 * @param damaged those whose content is not what their folder's name says; they are replaced when next needed
 */
public record CacheReport(Optional<Path> folder, Optional<CacheFault> fault, String evidence, int entries,
  List<Path> damaged) {
  public CacheReport {
    damaged = List.copyOf(damaged);
  }

  /** Looks at the cache. It is made where it is missing, which shows whether it can be; nothing else is changed. */
  public static CacheReport of(CudaSearch search) {
    Optional<Path> folder = search.nativesFolder();
    return folder.isEmpty()
      ? new CacheReport(folder, Optional.empty(), "", 0, List.of())
      : new CacheInspection(search, folder.get()).report();
  }
}
