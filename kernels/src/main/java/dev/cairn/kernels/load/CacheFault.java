package dev.cairn.kernels.load;

/** A reason why a folder cannot hold native libraries. */
public enum CacheFault {
  NOT_WRITABLE("nothing can be written there"),
  NOT_A_FOLDER("there is something else in its place"),
  SYMBOLIC_LINK("it is a symbolic link, which another user could redirect"),
  FOREIGN_OWNER("it belongs to another user"),
  OPEN_TO_OTHERS("other users could replace it"),
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
