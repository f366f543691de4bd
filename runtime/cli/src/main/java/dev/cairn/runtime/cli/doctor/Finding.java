package dev.cairn.runtime.cli.doctor;

/**
 * What one check found.
 *
 * @param check what was looked at, in a word or two
 * @param cause what is so; where something is wrong, what is wrong
 * @param evidence the facts that show it
 * @param remedy what to do; empty where nothing is to be done
 */
public record Finding(Severity severity, String check, String cause, String evidence, String remedy) {
  public Finding {
    if (severity.compareTo(Severity.LOSS) >= 0 && (evidence.isBlank() || remedy.isBlank())) {
      throw new AssertionError("a fault needs evidence and a remedy: check=%s cause=%s".formatted(check, cause));
    }
  }

  static Finding fine(String check, String cause, String evidence) {
    return new Finding(Severity.FINE, check, cause, evidence, "");
  }

  static Finding skipped(String check, String cause) {
    return new Finding(Severity.SKIPPED, check, cause, "", "");
  }
}
