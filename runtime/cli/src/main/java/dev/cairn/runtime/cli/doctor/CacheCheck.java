package dev.cairn.runtime.cli.doctor;

import dev.cairn.kernels.load.CacheFault;
import dev.cairn.kernels.cuda.load.CacheReport;
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
      return new Finding(Severity.NOTE, CHECK, "there is no folder to keep natives in",
        "neither XDG_CACHE_HOME nor HOME is an absolute path", "set HOME; until then each start unpacks them anew");
    }
    if (cache.fault().isEmpty()) {
      return Finding.fine(CHECK, "usable", "folder=%s natives=%d".formatted(folder.get(), cache.entries()));
    }
    CacheFault fault = cache.fault().get();
    String cause = "the folder for natives cannot be used: " + fault.words();
    String evidence = "folder=%s %s".formatted(folder.get(), cache.evidence());
    return host.cacheAskedFor()
      ? new Finding(Severity.NO_GPU, CHECK, cause, evidence, remedy(fault) + ", or name no folder")
      : new Finding(Severity.LOSS, CHECK, cause, evidence, remedy(fault) + "; until then each start unpacks them anew");
  }

  private static String remedy(CacheFault fault) {
    return switch (fault) {
      case NOT_WRITABLE -> "make it writable for this user, or name another with --cuda-cache or CAIRN_CUDA_CACHE";
      case NOT_A_FOLDER -> "remove what lies there, or name another with --cuda-cache or CAIRN_CUDA_CACHE";
      case SYMBOLIC_LINK -> "name the folder that the link leads to with --cuda-cache or CAIRN_CUDA_CACHE";
      case FOREIGN_OWNER -> "name one of this user's own with --cuda-cache or CAIRN_CUDA_CACHE";
      case OPEN_TO_OTHERS -> "close the folder above it to others (chmod o-w), or name another with CAIRN_CUDA_CACHE";
      case NO_EXECUTION -> "name one on a file system without noexec with --cuda-cache or CAIRN_CUDA_CACHE";
    };
  }
}
