package dev.cairn.runtime.cli.doctor;

import dev.cairn.kernels.cuda.load.CacheReport;
import dev.cairn.kernels.load.CacheFault;
import java.nio.file.Path;
import java.util.Optional;

/** Natives can be kept in a folder that is this user's alone. */
final class CacheCheck implements Check {
  private static final String CHECK = "native cache";

  @Override
  public Finding look(Host host) {
    CacheReport cache = host.cache();
    Optional<Path> folder = cache.folder();
    if (folder.isEmpty()) {
      return new Finding(Severity.NOTE, CHECK, "there is no folder for native libraries",
        "neither XDG_CACHE_HOME nor HOME is an absolute path", "set HOME; until then each start unpacks them again");
    }
    if (cache.fault().isEmpty()) {
      return Finding.fine(CHECK, "usable", "folder=%s natives=%d".formatted(folder.get(), cache.entries()));
    }
    CacheFault fault = cache.fault().get();
    String cause = "the folder for native libraries cannot be used: " + fault.words();
    String evidence = "folder=%s %s".formatted(folder.get(), cache.evidence());
    return host.cacheAskedFor()
      ? new Finding(Severity.NO_GPU, CHECK, cause, evidence, remedy(fault) + ", or set no folder")
      : new Finding(Severity.LOSS, CHECK, cause, evidence, remedy(fault)
        + "; until then each start unpacks them again");
  }

  private static String remedy(CacheFault fault) {
    return switch (fault) {
      case NOT_WRITABLE -> "make it writable for this user, or choose another with --cuda-cache or CAIRN_CUDA_CACHE";
      case NOT_A_FOLDER -> "remove the file there, or choose another with --cuda-cache or CAIRN_CUDA_CACHE";
      case SYMBOLIC_LINK -> "choose the folder that the link points to with --cuda-cache or CAIRN_CUDA_CACHE";
      case FOREIGN_OWNER -> "choose a folder that this user owns with --cuda-cache or CAIRN_CUDA_CACHE";
      case OPEN_TO_OTHERS -> "forbid others to write to its parent folder (chmod o-w), or set CAIRN_CUDA_CACHE";
      case NO_EXECUTION -> "choose one on a file system without noexec with --cuda-cache or CAIRN_CUDA_CACHE";
    };
  }
}
