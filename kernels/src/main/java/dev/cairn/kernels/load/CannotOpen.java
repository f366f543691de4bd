package dev.cairn.kernels.load;

/** The dynamic loader refused a library. The message is the loader's own. */
public final class CannotOpen extends Exception {
  private static final long serialVersionUID = 1;

  CannotOpen(String message) {
    super(message);
  }
}
