package dev.cairn.runtime.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Faults that are really there: in files, in variables, in how Java was started. */
@EnabledOnOs(value = OS.LINUX, architectures = "amd64", disabledReason = "skipped: natives are for Linux on x86-64")
class DoctorCommandTest {
  @TempDir
  private Path work;

  /** What one check says of a machine whose driver is the file given, whether or not that is there. */
  private JsonNode check(String name, Map<String, String> environment, Object... options) {
    List<Object> words = new ArrayList<>(List.of("doctor", "--format", "json"));
    words.addAll(List.of(options));
    if (words.stream().noneMatch("--cuda-driver"::equals)) {
      words.addAll(List.of("--cuda-driver", work.resolve("nowhere/libcuda.so.1")));
    }
    Outcome outcome = Outcome.in(environment, words.toArray());
    assertThat(outcome.code()).as(outcome.err()).isZero();
    for (JsonNode check : Outcome.parse(outcome.out()).get("checks")) {
      if (check.get("check").asString().equals(name)) {
        return check;
      }
    }
    throw new AssertionError("no such check: name=%s in=%s".formatted(name, outcome.out()));
  }

  private static void assertTells(JsonNode check, String severity, String cause, String evidence) {
    assertThat(check.get("severity").asString()).as(check.toString()).isEqualTo(severity);
    assertThat(check.get("cause").asString()).contains(cause);
    assertThat(check.get("evidence").asString()).contains(evidence);
    assertThat(check.get("remedy").asString()).isNotBlank();
  }

  @Test
  void aMachineWithoutADriverIsFineUnlessAGpuIsRequired() {
    Path driver = work.resolve("nowhere/libcuda.so.1");
    assertThat(Outcome.ok("doctor", "--cuda-driver", driver)).contains("Cairn runs on the processor here");
    Outcome.of("doctor", "--require-gpu", "--cuda-driver", driver).failedWith(ExitCode.MACHINE_LACKS,
      "no NVIDIA driver", "asked=" + driver, "install NVIDIA's driver");
    assertTells(check("driver", Map.of()), "NO_GPU", "no NVIDIA driver", "no such file");
  }

  @Test
  void theEnvironmentNamesADriverAsAnOptionDoes() {
    Outcome outcome = Outcome.in(Map.of("CAIRN_CUDA_DRIVER", "/no/such/libcuda.so.1"), "doctor");
    assertThat(outcome.out()).contains("asked=/no/such/libcuda.so.1");
  }

  @Test
  void aDriverThatIsDamaged() throws IOException {
    Path driver = Files.writeString(work.resolve("libcuda.so.1"), "x".repeat(5000));
    assertTells(check("driver", Map.of(), "--cuda-driver", driver), "NO_GPU", "does not work", "invalid ELF header");
  }

  @Test
  void aDriverForAnotherProcessor() throws IOException {
    byte[] header = new byte[64];
    System.arraycopy(new byte[] {0x7f, 'E', 'L', 'F', 2, 1, 1}, 0, header, 0, 7);
    header[16] = 3;
    header[18] = (byte) 183;
    Path driver = Files.write(work.resolve("libcuda.so.1"), header);
    assertTells(check("driver", Map.of(), "--cuda-driver", driver), "NO_GPU", "does not work", "aarch64");
  }

  @Test
  void aDamagedNativeInTheCache() throws IOException {
    Path entry = Files.createDirectories(work.resolve("cache/0123456789abcdef0123456789abcdef"));
    Path file = Files.writeString(entry.resolve("libJNvrtc.so"), "damaged");
    assertTells(check("cached natives", Map.of(), "--cuda-cache", work.resolve("cache")), "NOTE", "damaged", file
      .toString());
    assertTells(check("cached natives", Map.of("CAIRN_CUDA_CACHE", work.resolve("cache").toString())), "NOTE",
      "damaged", file.toString());
  }

  @Test
  void aCacheThatCannotBeUsed() throws IOException {
    Files.writeString(work.resolve("file"), "");
    assertTells(check("native cache", Map.of(), "--cuda-cache", work.resolve("file")), "NO_GPU", "something else",
      "folder=" + work.resolve("file"));
    assertTells(check("native cache", Map.of("XDG_CACHE_HOME", "/proc/self")), "LOSS", "nothing can be written",
      "/proc/self/cairn/natives");
    assertTells(check("native cache", Map.of()), "NOTE", "no folder", "HOME");
  }

  @Test
  void aCudaHomeThatLeadsNowhere() throws IOException {
    assertTells(check("CUDA_HOME", Map.of("CUDA_HOME", work.resolve("gone").toString())), "LOSS", "CUDA_HOME leads",
      "no such folder");
    assertTells(check("CUDA_HOME", Map.of("CUDA_PATH", "cuda")), "LOSS", "CUDA_PATH leads", "no absolute path");
    Files.createDirectories(work.resolve("empty"));
    assertTells(check("CUDA_HOME", Map.of("CUDA_HOME", work.resolve("empty").toString(), "CUDA_PATH", "/")), "LOSS",
      "CUDA_HOME leads", "neither lib64 nor lib");
  }

  @Test
  void javaThatMayNotLoadNativeCode() throws IOException, InterruptedException {
    var child = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
      "--illegal-native-access=deny", "-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"),
      Main.class.getName(), "doctor", "--require-gpu").redirectErrorStream(true).start();
    String text;
    try (var out = child.inputReader(StandardCharsets.UTF_8)) {
      text = out.readAllAsString();
    }
    assertThat(child.waitFor()).as(text).isEqualTo(ExitCode.MACHINE_LACKS.number());
    assertThat(text).contains("Java may not load native code", "--enable-native-access=ALL-UNNAMED");
  }

  @Test
  void devicesListsTheProcessorAndSaysWhyThereIsNoGpu() {
    Path driver = work.resolve("nowhere/libcuda.so.1");
    assertThat(Outcome.ok("devices", "--cuda-driver", driver)).contains("cpu ", "threads, vectors of ",
      "no GPU: there is no NVIDIA driver");
    JsonNode document = Outcome.json("devices", "--cuda-driver", driver);
    assertThat(document.get("devices")).hasSize(1);
    assertThat(document.get("devices").get(0).get("threads").asInt()).isPositive();
    assertThat(document.get("noGpu").asString()).contains(driver.toString());
  }

  @Test
  void aVariableThatHoldsNoPathIsAMistake() {
    Outcome.in(Map.of("CAIRN_CUDA_DRIVER", "a\0b"), "devices").failedWith(ExitCode.USAGE, "CAIRN_CUDA_DRIVER");
  }
}
