package dev.cairn.runtime.cli.doctor;

/** Java does not corrupt arrays: JDK-8380060, fixed in JDK 27 and in no update of an older one. */
final class CompactHeadersCheck implements Check {
  private static final String CHECK = "object headers";
  private static final int FIXED_IN = 27;

  @Override
  public Finding look(Host host) {
    JavaFacts java = host.java();
    String evidence = "-XX:%sUseCompactObjectHeaders version=%s".formatted(java.compactHeaders() ? "+" : "-", java
      .version());
    if (!java.compactHeaders() || java.version().feature() >= FIXED_IN) {
      return Finding.fine(CHECK, java.compactHeaders() ? "compact, in a JDK that copies arrays correctly" : "plain",
        evidence);
    }
    return new Finding(Severity.LOSS, CHECK, "this Java corrupts copies of arrays silently (JDK-8380060)", evidence,
      "start Java with -XX:-UseCompactObjectHeaders; see CAIRN_JVM_OPTIONS and JAVA_TOOL_OPTIONS");
  }
}
