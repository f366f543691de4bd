package dev.cairn.runtime.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A program whose oneDNN cannot be loaded runs the same model by other kernels, and says so in one line. */
@EnabledOnOs(value = OS.LINUX, architectures = "amd64", disabledReason = "skipped: no oneDNN for this platform")
class WithoutOneDnnTest {
  private static final String FOLDER = "org/bytedeco/dnnl/linux-x86_64/";
  private static final String OPEN_MP = FOLDER + "libgomp.so.1";
  private static final String LIBRARY = FOLDER + "libdnnl.so.3";

  @TempDir
  private static Path home;

  private static Path jar;
  /** What other kernels compute. */
  private static double expected;

  @TempDir
  private Path folder;

  private Path whole;

  @BeforeAll
  static void install() throws Exception {
    InstalledLauncher.into(home);
    try (var libraries = Files.newDirectoryStream(home.resolve("runtime/cli/target/cairn/lib"), "dnnl-*.jar")) {
      jar = libraries.iterator().next();
    }
    expected = mean(run("portable", Map.of()));
  }

  /** Takes the jar away, for the time of a test. */
  @BeforeEach
  void remove() throws IOException {
    whole = Files.move(jar, folder.resolve("dnnl.jar"));
  }

  @AfterEach
  void putBack() throws IOException {
    Files.deleteIfExists(jar);
    Files.move(whole, jar);
  }

  private static Outcome run(String kernels, Map<String, String> environment) throws IOException, InterruptedException {
    Path out = home.resolve("out.txt");
    var builder = new ProcessBuilder("./cairn", "run", "mlp", "--iterations", "1", "--warmup", "0", "--format", "json",
      "--kernels", kernels)
      .directory(home.toFile()).redirectOutput(out.toFile());
    builder.environment().put("CAIRN_JAVA_HOME", System.getProperty("java.home"));
    builder.environment().putAll(environment);
    Process process = builder.start();
    String err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Outcome(process.waitFor(), Files.readString(out), err);
  }

  /** A folder for native libraries in which nothing is yet. */
  private Map<String, String> cache() {
    return Map.of("CAIRN_CUDA_CACHE", folder.resolve("natives").toString());
  }

  private static double mean(Outcome outcome) {
    JsonNode output = Outcome.parse(outcome.out()).get("outputs").get(0);
    return output.get("mean").asDouble();
  }

  private static void assertRunsWithout(Outcome outcome, String reason) {
    assertThat(outcome.code()).as(outcome.err()).isZero();
    assertThat(outcome.err().lines()).singleElement().asString().contains("oneDNN", reason);
    assertThat(outcome.out()).contains("vector ").doesNotContain("oneDNN 3");
    assertThat(mean(outcome)).isCloseTo(expected, within(1e-5));
  }

  @Test
  void theLibraryIsNotThere() throws Exception {
    assertRunsWithout(run("onednn", cache()), "cairn-onednn");
    assertRunsWithout(run("onednn", Map.of()), "cairn-onednn");
  }

  @Test
  void theLibraryIsDamagedAndItsOpenMpIsNot() throws Exception {
    try (JarFile from = new JarFile(whole.toFile());
      var to = new JarOutputStream(Files.newOutputStream(jar));
      InputStream openMp = from.getInputStream(from.getEntry(OPEN_MP))) {
      to.putNextEntry(new ZipEntry(OPEN_MP));
      openMp.transferTo(to);
      to.putNextEntry(new ZipEntry(LIBRARY));
      to.write("no library".getBytes(StandardCharsets.UTF_8));
    }
    assertRunsWithout(run("onednn", cache()), "libdnnl");
  }

  @Test
  void theFolderForLibrariesIsRefused() throws Exception {
    Files.createSymbolicLink(jar, whole);
    Path file = Files.createFile(folder.resolve("file"));
    assertRunsWithout(run("onednn", Map.of("CAIRN_CUDA_CACHE", file.toString())), "folder=");
  }
}
