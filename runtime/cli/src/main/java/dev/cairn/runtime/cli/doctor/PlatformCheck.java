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
    return new Finding(Severity.NO_GPU, "platform", "there are no GPU natives for this platform", evidence,
      "use Linux on x86-64 with a JDK for x86-64 where a GPU is wanted; the processor can be used here");
  }
}
