package dev.cairn.kernels.load;

/** A reason why a folder cannot hold native libraries. */
public enum CacheFault {
  NOT_WRITABLE("nothing can be written there"),
  NOT_A_FOLDER("there is something else in its place"),
  SYMBOLIC_LINK("it is a symbolic link, which somebody else could turn"),
  FOREIGN_OWNER("it belongs to somebody else"),
  OPEN_TO_OTHERS("others could put files in its place"),
  NO_EXECUTION("nothing may be executed from there (mounted noexec?)");

  private final String words;

  CacheFault(String words) {
    this.words = words;
  }

  /** The fault as text for users. */
  public String words() {
    return words;
  }
}
