package dev.cairn.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Cairn needs no flag of Java: without the module of the Vector API other kernels serve. */
class WithoutFlagsTest {
  @Test
  void aProgramRunsWithoutTheVectorApi() throws IOException, InterruptedException {
    Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
      "-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"), ProgramWithoutFlags.class.getName())
      .redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
    assertThat(said).containsPattern("kernels=(oneDNN.*, )?portable\\R").contains("y=[0.5, 0.5, 0.5, 0.5]")
      .doesNotContain("NoClassDefFoundError");
    assertThat(process.exitValue()).as(said).isZero();
  }
}
