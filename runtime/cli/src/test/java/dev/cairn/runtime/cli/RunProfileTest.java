package dev.cairn.runtime.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code cairn run --export-profile}. */
class RunProfileTest {
  @TempDir
  private Path folder = Path.of("");

  private static long count(JsonNode profile, String category) {
    long count = 0;
    for (JsonNode event : profile.get("traceEvents")) {
      count += event.path("cat").asString("").equals(category) ? 1 : 0;
    }
    return count;
  }

  @Test
  void theSlowestStepsAreToldAndEveryTimedRunIsInTheFile() throws IOException {
    Path file = folder.resolve("profile.json");
    String text = Outcome.ok("run", "mlp", "--warmup", 2, "--iterations", 4, "--export-profile", file);
    assertThat(text).contains("profile  4 runs in " + file + ", for ui.perfetto.dev; the slowest steps:")
      .containsPattern("operator +node +median +share").containsPattern("Gemm +\\S+ +[\\d.]+ [um]s +[\\d.]+ %");
    JsonNode profile = JsonMapper.shared().readTree(Files.readAllBytes(file));
    assertThat(count(profile, "run")).isEqualTo(4);
    assertThat(count(profile, "step")).isEqualTo(4 * Outcome.json("plan", "mlp").get("plan").get("steps").asLong());
    assertThat(count(profile, "copy")).as("kernels write into results").isZero();
    assertThat(profile.get("otherData").get("forgottenRuns").asLong()).isZero();
  }

  @Test
  void asADocumentTheSlowestStepsAreThereToo() throws IOException {
    Path file = folder.resolve("profile.json");
    JsonNode profile = Outcome.json("run", SmallModels.fixed(folder, 1, 2, 3), "--iterations", 40, "--export-profile",
      file).get("profile");
    assertThat(profile.get("runs").asInt()).as("the last ones").isEqualTo(32);
    double share = 0;
    for (JsonNode step : profile.get("slowest")) {
      assertThat(step.propertyNames()).containsExactly("operator", "node", "types", "kernel", "medianNanos",
        "totalNanos", "share");
      share += step.get("share").asDouble();
    }
    assertThat(share).isBetween(0.999, 1.001);
    assertThat(JsonMapper.shared().readTree(Files.readAllBytes(file)).get("otherData").get("forgottenRuns").asInt())
      .isEqualTo(8);
  }

  @Test
  void withoutTheOptionNothingIsSaidOfIt() throws IOException {
    Path model = SmallModels.fixed(folder, 1, 2, 3);
    assertThat(Outcome.ok("run", model)).doesNotContain("profile");
    assertThat(Outcome.json("run", model).has("profile")).isFalse();
  }

  @Test
  void aFolderThatIsNotThereIsToldBeforeAnyWork() {
    Outcome outcome = Outcome.of("run", "mlp", "--export-profile", folder.resolve("no/such/p.json")).failedWith(
      ExitCode.OTHER, "no/such");
    assertThat(outcome.out()).isEmpty();
    Outcome.of("run", "mlp", "--export-profile").failedWith(ExitCode.USAGE, "--export-profile");
  }
}
