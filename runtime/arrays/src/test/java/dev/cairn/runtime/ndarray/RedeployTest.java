package dev.cairn.runtime.ndarray;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** A web application that brought Cairn with it is given up, while the container's threads live on. */
class RedeployTest {
  /** In a process, since the JVM itself keeps the classes by soft references, which this option lets go at once. */
  @Test
  void theClassLoaderIsCollected() throws IOException, InterruptedException {
    Process container = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
      "-XX:SoftRefLRUPolicyMSPerMB=0", "-XX:+UseSerialGC", "--add-modules=jdk.incubator.vector",
      "--enable-native-access=ALL-UNNAMED", "-cp", System.getProperty("java.class.path"), RedeployingContainer.class
        .getName())
      .redirectErrorStream(true).start();
    try {
      String said = new String(container.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(container.waitFor()).as(said).isZero();
      assertThat(said).endsWith("collected\n");
    } finally {
      container.destroyForcibly();
    }
  }
}
