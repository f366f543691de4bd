package dev.cairn.kernels.cuda.load;

import java.io.IOException;
import java.nio.file.Path;

/** A folder can't hold natives, and why not. */
final class CacheUnusable extends IOException {
  private static final long serialVersionUID = 1;

  /** What is wrong with it. */
  enum Fault {
    NOT_WRITABLE("nothing can be written there"),
    NOT_A_FOLDER("there is something else in its place"),
    SYMBOLIC_LINK("it is a symbolic link, which somebody else could turn"),
    FOREIGN_OWNER("it belongs to somebody else"),
    OPEN_TO_OTHERS("others could put files in its place"),
    NO_EXECUTION("nothing may be executed from there (mounted noexec?)");

    private final String words;

    Fault(String words) {
      this.words = words;
    }

    String words() {
      return words;
    }
  }

  private final Fault fault;
  private final transient Path folder;

  CacheUnusable(Fault fault, Path folder, String evidence) {
    super("%s: folder=%s %s".formatted(fault.words(), folder, evidence));
    this.fault = fault;
    this.folder = folder;
  }

  Fault fault() {
    return fault;
  }

  Path folder() {
    return folder;
  }
}
