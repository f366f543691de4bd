package dev.cairn.runtime.cli.doctor;

/** Java is new enough. */
final class JavaVersionCheck implements Check {
  private static final Runtime.Version LEAST = Runtime.Version.parse("25.0.3");

  @Override
  public Finding look(Host host) {
    JavaFacts java = host.java();
    String evidence = "version=%s vendor=%s".formatted(java.version(), java.vendor());
    if (java.version().compareToIgnoreOptional(LEAST) >= 0) {
      return Finding.fine("Java", "Java %s".formatted(java.version()), evidence);
    }
    return new Finding(Severity.NOTHING_RUNS, "Java", "this Java is older than %s".formatted(LEAST), evidence,
      "install JDK 25 (for example Eclipse Temurin), or set CAIRN_JAVA_HOME to one");
  }
}
