package dev.cairn.runtime.cli.option;

/** An output of a command would replace one of its inputs or another output. The message has the facts. */
public final class FileConflict extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final String reason;
  private final String remedy;

  FileConflict(String reason, String evidence, String remedy) {
    super(evidence);
    this.reason = reason;
    this.remedy = remedy;
  }

  /** What is wrong, for people. */
  public String reason() {
    return reason;
  }

  /** What to do, for people. */
  public String remedy() {
    return remedy;
  }
}
