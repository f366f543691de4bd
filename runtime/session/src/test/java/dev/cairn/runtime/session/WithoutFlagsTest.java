package dev.cairn.runtime.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Programs that are started in other ways, each in a process: the same results come out. */
@Tag("long")
class WithoutFlagsTest {
  private static final String RESULTS = "y=[0.5, 0.5, 0.5, 0.5]";
  /** The result of sums that exceed 16 bits. */
  private static final String SUMS = "z=[64770, 510, 381, 3]";

  @Test
  void aProgramRunsWithoutTheVectorApi() throws IOException, InterruptedException {
    String said = said(Map.of());
    assertThat(said).containsPattern("kernels=(oneDNN.*, )?portable\\R").contains(RESULTS, SUMS).doesNotContain(
      "NoClassDefFoundError");
  }

  /** There oneDNN's own sums of bytes saturate. */
  @Test
  void sumsOfBytesAreExactOnOlderProcessors() throws IOException, InterruptedException {
    String said = said(Map.of("ONEDNN_MAX_CPU_ISA", "AVX2"), "--add-modules=jdk.incubator.vector");
    assertThat(said).contains("vector", RESULTS, SUMS);
  }

  private static String said(Map<String, String> environment, String... flags) throws IOException,
    InterruptedException {
    List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
    command.addAll(List.of(flags));
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"),
      ProgramWithoutFlags.class.getName()));
    var builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putAll(environment);
    Process process = builder.start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    return said;
  }
}
