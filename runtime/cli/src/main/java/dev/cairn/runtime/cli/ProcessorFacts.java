package dev.cairn.runtime.cli;

import dev.cairn.kernels.cpu.vector.VectorWidth;
import java.io.IOException;
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
 * @param totalBytes of memory, or what a container may take of it
 * @param freeBytes what programs can have without swapping
 * @param vectorBits 0 when Java was started without its vector module
 */
record ProcessorFacts(String name, int cores, int threads, long totalBytes, long freeBytes, int vectorBits) {

  /** This machine's. */
  static ProcessorFacts ofMachine() {
    List<String> lines = lines(Path.of("/proc/cpuinfo"));
    List<String> memory = lines(Path.of("/proc/meminfo"));
    int threads = Runtime.getRuntime().availableProcessors();
    long limitBytes = limit(lines(Path.of("/sys/fs/cgroup/memory.max")));
    return new ProcessorFacts(name(lines), Math.min(threads, cores(lines, threads)), threads, Math.min(limitBytes,
      bytes(memory, "MemTotal")), Math.min(limitBytes, bytes(memory, "MemAvailable")), VectorWidth.bits().orElse(0));
  }

  /** A row of {@code /proc/meminfo}, whose unit, called kB, is 1024 bytes; 0 when there is no such row. */
  static long bytes(List<String> lines, String row) {
    return lines.stream().map(it -> it.split("[: ]+", -1)).filter(it -> it.length >= 2 && it[0].equals(row)
      && it[1].matches("\\d{1,15}")).findFirst().map(it -> Long.parseLong(it[1]) << 10).orElse(0L);
  }

  /** A container's limit; none where there is no number. */
  static long limit(List<String> lines) {
    return lines.stream().filter(it -> it.matches("\\d{1,18}")).findFirst().map(Long::parseLong).orElse(
      Long.MAX_VALUE);
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
