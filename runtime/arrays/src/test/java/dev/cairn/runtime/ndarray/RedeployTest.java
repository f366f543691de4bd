package dev.cairn.runtime.ndarray;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A web application that brought Cairn with it is given up, while the container's threads live on. */
class RedeployTest {
  @TempDir
  private Path folder;

  /** In a process, since the JVM itself keeps the classes by soft references, which this option lets go at once. */
  @Test
  void theClassLoaderIsCollected() throws IOException, InterruptedException {
    Path said = folder.resolve("said");
    Process container = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
      "-XX:SoftRefLRUPolicyMSPerMB=0", "-XX:+UseSerialGC", "--add-modules=jdk.incubator.vector",
      "--enable-native-access=ALL-UNNAMED", "-cp", System.getProperty("java.class.path"), RedeployingContainer.class
        .getName())
      .redirectErrorStream(true).redirectOutput(said.toFile()).start();
    try {
      int code = container.waitFor();
      assertThat(code).as(() -> text(said)).isZero();
      assertThat(text(said)).endsWith("collected\n");
    } finally {
      container.destroyForcibly();
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
