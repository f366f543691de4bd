package dev.cairn.kernels.load;

import java.io.IOException;
import java.nio.file.Path;

/** A folder cannot hold native libraries. The exception says why. */
public final class CacheUnusable extends IOException {
  private static final long serialVersionUID = 1;
  private final CacheFault fault;
  private final transient Path folder;

  CacheUnusable(CacheFault fault, Path folder, String evidence) {
    super("%s: folder=%s %s".formatted(fault.words(), folder, evidence));
    this.fault = fault;
    this.folder = folder;
  }

  public CacheFault fault() {
    return fault;
  }

  public Path folder() {
    return folder;
  }
}
