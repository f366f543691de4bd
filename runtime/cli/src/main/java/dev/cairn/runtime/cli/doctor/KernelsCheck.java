package dev.cairn.runtime.cli.doctor;

/** All of the processor's kernels can be used. */
final class KernelsCheck implements Check {
  private static final String CHECK = "kernels";

  @Override
  public Finding look(Host host) {
    KernelFacts kernels = host.kernels();
    return kernels.lack().map(lack -> new Finding(Severity.LOSS, CHECK, "slower kernels serve on the processor: "
      + kernels.serving(), lack, remedy(lack))).orElseGet(() -> Finding.fine(CHECK, kernels.serving(), ""));
  }

  private static String remedy(String lack) {
    return lack.contains("--add-modules")
      ? "start Java with --add-modules=jdk.incubator.vector"
      : "oneDNN needs Linux on x86-64, glibc 2.34 and a folder that code may be loaded from";
  }
}
