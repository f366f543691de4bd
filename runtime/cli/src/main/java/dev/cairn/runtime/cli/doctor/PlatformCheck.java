package dev.cairn.runtime.cli.doctor;

/** There are natives for this platform: JCuda has some for Linux on x86-64 only. */
final class PlatformCheck implements Check {
  @Override
  public Finding look(Host host) {
    JavaFacts java = host.java();
    String evidence = "system=%s architecture=%s".formatted(java.system(), java.architecture());
    if (java.system().equals("Linux") && java.architecture().equals("amd64")) {
      return Finding.fine("platform", "Linux on x86-64", evidence);
    }
    return new Finding(Severity.NO_GPU, "platform", "Cairn has no GPU support for this platform", evidence,
      "to use a GPU, run Linux on x86-64 with an x86-64 JDK; the processor works here");
  }
}
