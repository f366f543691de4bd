package dev.cairn.runtime.cli.doctor;

import com.sun.management.OperatingSystemMXBean;
import dev.cairn.kernels.cpu.vector.VectorWidth;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The processor, as far as this process may use it.
 *
 * @param cores without those that share one; as many as threads where the system does not say
 * @param threads processors that Java may use
 * @param vectorBits 0 when Java was started without its vector module
 */
public record ProcessorFacts(String name, int cores, int threads, long totalBytes, long freeBytes, int vectorBits) {

  /** This machine's. */
  public static ProcessorFacts ofMachine() {
    List<String> lines = lines(Path.of("/proc/cpuinfo"));
    int threads = Runtime.getRuntime().availableProcessors();
    var system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    return new ProcessorFacts(name(lines), Math.min(threads, cores(lines, threads)), threads, system
      .getTotalMemorySize(), system.getFreeMemorySize(), VectorWidth.bits().orElse(0));
  }

  static String name(List<String> lines) {
    return lines.stream().filter(it -> it.startsWith("model name")).map(ProcessorFacts::value).findFirst().orElseGet(
      () -> "unnamed " + System.getProperty("os.arch"));
  }

  /** Counts pairs of package and core; a machine whose listing has none gets {@code otherwise}. */
  static int cores(List<String> lines, int otherwise) {
    Set<String> cores = new HashSet<>();
    String socket = "";
    for (String line : lines) {
      if (line.startsWith("physical id")) {
        socket = value(line);
      } else if (line.startsWith("core id")) {
        cores.add(socket + "/" + value(line));
      }
    }
    return cores.isEmpty() ? otherwise : cores.size();
  }

  private static String value(String line) {
    return line.substring(line.indexOf(':') + 1).strip();
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file, StandardCharsets.UTF_8);
    } catch (IOException e) {
      return List.of();
    }
  }
}
