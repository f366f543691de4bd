package dev.cairn.benchmarks.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The machine on which figures were measured. Linux only: it is read from {@code /proc}.
 *
 * @param processor the processor's model
 * @param processors how many of them the JVM may use
 * @param memoryBytes of the machine
 * @param system kernel and its version
 * @param jdk version and vendor
 * @param load how many threads wanted a processor on average over the last minute
 */
public record Machine(String processor, int processors, long memoryBytes, String system, String jdk, double load) {

  /** This machine, now. */
  public static Machine here() throws IOException {
    return new Machine(processor(Files.readAllLines(Path.of("/proc/cpuinfo"))),
      Runtime.getRuntime().availableProcessors(), kibibytes(Path.of("/proc/meminfo"), "MemTotal") << 10,
      System.getProperty("os.name") + " " + System.getProperty("os.version"),
      Runtime.version() + ", " + System.getProperty("java.vendor"),
      Double.parseDouble(Files.readString(Path.of("/proc/loadavg")).split(" ", 2)[0]));
  }

  /** The most memory that this process has had resident at any time, in bytes. */
  public static long peakResidentBytes() throws IOException {
    return kibibytes(Path.of("/proc/self/status"), "VmHWM") << 10;
  }

  /** The model that {@code /proc/cpuinfo} names; some processors have no name there, only an architecture. */
  static String processor(List<String> lines) {
    return field(lines, "model name").orElseGet(() -> "unnamed " + System.getProperty("os.arch"));
  }

  /** A field like {@code VmHWM:   1234 kB}. */
  static long kibibytes(List<String> lines, String name) {
    String text = field(lines, name).orElse("");
    if (!text.endsWith(" kB")) {
      throw new IllegalStateException("not a number of kB: field=%s text=%s".formatted(name, text));
    }
    return Long.parseLong(text.substring(0, text.length() - " kB".length()).strip());
  }

  private static long kibibytes(Path file, String name) throws IOException {
    return kibibytes(Files.readAllLines(file), name);
  }

  private static Optional<String> field(List<String> lines, String name) {
    return lines.stream()
      .map(line -> line.split(":", 2))
      .filter(parts -> parts.length == 2 && parts[0].strip().equals(name))
      .map(parts -> parts[1].strip())
      .findFirst();
  }

  @Override
  public String toString() {
    return String.format(Locale.ROOT, "%s, %d processor%s, %.1f GiB of memory; %s; JDK %s; load %.2f at the start",
      processor, processors, processors == 1 ? "" : "s", memoryBytes / 0x1p30, system, jdk, load);
  }
}
