package dev.cairn.runtime.cli.doctor;

/** What a finding costs, from nothing to everything. */
public enum Severity {
  /** The check found nothing wrong. */
  FINE("ok"),
  /** The check did not run, since it needs something that is missing. */
  SKIPPED("-"),
  /** Good to know; all works. */
  NOTE("note"),
  /** Something is slower, or missing, or will be said at every start. */
  LOSS("loss"),
  /** No GPU can be used; the processor can. */
  NO_GPU("no GPU"),
  /** Nothing runs. */
  NOTHING_RUNS("broken");

  private final String word;

  Severity(String word) {
    this.word = word;
  }

  /** For the first column of a table. */
  public String word() {
    return word;
  }
}
