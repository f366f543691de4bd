package dev.cairn.kernels.load;

/** The dynamic loader refused a library; the message is its own. */
public final class CannotOpen extends Exception {
  private static final long serialVersionUID = 1;

  CannotOpen(String message) {
    super(message);
  }
}
