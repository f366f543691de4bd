package dev.cairn.runtime.custom;

/** A kernel did not do what its operator promises; {@link OperatorRegistry#checked} found it. */
public final class BrokenPromise extends RuntimeException {
  private static final long serialVersionUID = 1;

  BrokenPromise(String message) {
    super(message);
  }
}
