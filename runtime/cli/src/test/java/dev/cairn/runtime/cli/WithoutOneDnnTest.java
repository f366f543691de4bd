package dev.cairn.runtime.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Tag;
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
  private static final Object[] RUN = {"run", "mlp", "--iterations", "1", "--warmup", "0", "--kernels"};

  @TempDir
  private Path home;

  /** The jar of oneDNN's libraries. */
  private static Path jar() {
    return Arrays.stream(JavaProcess.classPath().split(File.pathSeparator)).map(Path::of).filter(it -> it.getFileName()
      .toString().startsWith("dnnl-")).findFirst().orElseThrow();
  }

  /** The class path with other libraries in the place of oneDNN's, or without any. */
  private static String classPathWith(String replacement) {
    return JavaProcess.classPath().replace(jar().toString(), replacement);
  }

  private Outcome run(String classPath, Map<String, String> environment) throws IOException, InterruptedException {
    Path out = home.resolve("out.txt");
    var builder = JavaProcess.of(classPath, Main.class, Stream.concat(Stream.of(RUN), Stream.of("onednn", "--format",
      "json")).toArray()).redirectOutput(out.toFile());
    builder.environment().putAll(environment);
    Process process = builder.start();
    String err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Outcome(process.waitFor(), Files.readString(out), err);
  }

  /** A folder for native libraries in which nothing is yet. */
  private Map<String, String> cache() {
    return Map.of("CAIRN_CUDA_CACHE", home.resolve("natives").toString());
  }

  private static double mean(JsonNode document) {
    return document.get("outputs").get(0).get("mean").asDouble();
  }

  private static void assertRunsWithout(Outcome outcome, String reason) {
    assertThat(outcome.code()).as(outcome.err()).isZero();
    assertThat(outcome.err().lines()).singleElement().asString().contains("oneDNN", reason);
    assertThat(outcome.out()).contains("vector ").doesNotContain("oneDNN 3");
    double portable = mean(Outcome.json(Stream.concat(Stream.of(RUN), Stream.of("portable")).toArray()));
    assertThat(mean(Outcome.parse(outcome.out()))).isCloseTo(portable, within(1e-5));
  }

  @Test
  void theLibraryIsNotThere() throws Exception {
    String without = classPathWith("");
    assertRunsWithout(run(without, cache()), "cairn-onednn");
    assertRunsWithout(run(without, Map.of()), "cairn-onednn");
  }

  @Test
  @Tag("long")
  void theLibraryIsDamagedAndItsOpenMpIsNot() throws Exception {
    Path damaged = home.resolve("damaged.jar");
    try (JarFile from = new JarFile(jar().toFile());
      var to = new JarOutputStream(Files.newOutputStream(damaged));
      InputStream openMp = from.getInputStream(from.getEntry(OPEN_MP))) {
      to.putNextEntry(new ZipEntry(OPEN_MP));
      openMp.transferTo(to);
      to.putNextEntry(new ZipEntry(LIBRARY));
      to.write("no library".getBytes(StandardCharsets.UTF_8));
    }
    assertRunsWithout(run(classPathWith(damaged.toString()), cache()), "libdnnl");
  }

  @Test
  @Tag("long")
  void theFolderForLibrariesIsRefused() throws Exception {
    Path file = Files.createFile(home.resolve("file"));
    assertRunsWithout(run(JavaProcess.classPath(), Map.of("CAIRN_CUDA_CACHE", file.toString())), "folder=");
  }
}
