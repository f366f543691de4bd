package dev.cairn.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** The real compiler, where it is installed, takes every kernel source for the oldest target and for today's. */
class NvccTest {
  private static final Path SOURCES = Path.of(System.getProperty("cairn.root", "."), "kernels/src/main/cuda");
  private static final List<String> ARCHITECTURES = List.of("sm_75", "sm_80", "sm_90");

  @TempDir
  private Path folder;

  @TestFactory
  List<DynamicTest> everySourceCompiles() throws IOException {
    Assumptions.assumeTrue(isInstalled(), "skipped: no nvcc");
    try (var files = Files.walk(SOURCES)) {
      List<Path> sources = files.filter(file -> file.toString().endsWith(".cu")).sorted().toList();
      assertThat(sources).isNotEmpty();
      return sources.stream().map(source -> DynamicTest.dynamicTest(source.getFileName().toString(), () -> compile(
        source))).toList();
    }
  }

  private void compile(Path source) throws IOException, InterruptedException {
    Path log = folder.resolve("log");
    for (String architecture : ARCHITECTURES) {
      Process nvcc = new ProcessBuilder("nvcc", "-Werror", "all-warnings", "-arch=" + architecture, "-cubin", "-I",
        SOURCES.resolve("include").toString(), "-o", folder.resolve("out").toString(), source.toString())
        .redirectErrorStream(true).redirectOutput(log.toFile()).start();
      assertThat(nvcc.waitFor(120, TimeUnit.SECONDS)).isTrue();
      assertThat(nvcc.exitValue()).as("%s: %s", architecture, Files.readString(log, StandardCharsets.UTF_8)).isZero();
    }
  }

  private static boolean isInstalled() {
    for (String folder : System.getenv().getOrDefault("PATH", "").split(":", -1)) {
      if (Files.isExecutable(Path.of(folder, "nvcc"))) {
        return true;
      }
    }
    return false;
  }
}
