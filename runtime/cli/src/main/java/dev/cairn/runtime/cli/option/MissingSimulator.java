package dev.cairn.runtime.cli.option;

/** {@code --device sim} was asked for, and there is no simulator. The message says where it was looked for. */
public final class MissingSimulator extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final String remedy;

  MissingSimulator(String evidence, String remedy) {
    super(evidence);
    this.remedy = remedy;
  }

  /** What to do, for people. */
  public String remedy() {
    return remedy;
  }
}
