package dev.cairn.runtime.cli.doctor;

import java.util.Comparator;
import java.util.List;

/**
 * Every check's finding, in the order in which things depend on each other.
 *
 * @param findings one for each check
 */
public record Diagnosis(List<Finding> findings) {
  private static final List<Check> CHECKS = List.of(new JavaVersionCheck(), new CompactHeadersCheck(),
    new PlatformCheck(), new NativeAccessCheck(), new CacheCheck(), new CacheContentCheck(), new KernelsCheck(),
    new ToolkitVariableCheck(),
    new DriverCheck(),
    LibraryCheck.NVRTC, LibraryCheck.CUBLAS, new CudnnCheck(), new DeviceMemoryCheck());

  public Diagnosis {
    findings = List.copyOf(findings);
  }

  public static Diagnosis of(Host host) {
    return new Diagnosis(CHECKS.stream().map(it -> it.look(host)).toList());
  }

  /** The gravest finding; the first of those that are equally grave. */
  public Finding worst() {
    return findings.stream().max(Comparator.comparing(Finding::severity).thenComparing((a, b) -> findings.indexOf(b)
      - findings.indexOf(a))).orElseThrow();
  }

  /** Whether a GPU can be used. */
  public boolean hasGpu() {
    return worst().severity().compareTo(Severity.NO_GPU) < 0;
  }

  /** Whether anything can be run at all, on the processor if nowhere else. */
  public boolean runs() {
    return worst().severity() != Severity.NOTHING_RUNS;
  }
}
