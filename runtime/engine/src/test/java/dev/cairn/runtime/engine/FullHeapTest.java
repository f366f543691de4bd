package dev.cairn.runtime.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** What a full Java heap does to a bulk; in a small JVM of its own, since no other test could go on there. */
class FullHeapTest {
  @Test
  void whatFillsTheHeapTakesNobodyElseWithIt() throws IOException, InterruptedException {
    Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx10m",
      "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"),
      BulkInAFullHeap.class.getName()).redirectErrorStream(true).start();
    String said;
    try {
      said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      process.waitFor();
    } finally {
      process.destroyForcibly();
    }
    assertThat(said).contains("last ran=true", "before: fine", "fills: failed", "skipped: failed",
      "behind: fine ran=true");
    assertThat(process.exitValue()).as(said).isZero();
  }
}
