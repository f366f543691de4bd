package dev.cairn.runtime.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.tensorfile.NpyFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** All commands on models whose shapes depend on values, and which can't be planned therefore. */
class UnplannedModelTest {
  @TempDir
  private Path folder = Path.of("");
  private Path counted = Path.of("");

  @BeforeEach
  void write() throws IOException {
    counted = SmallModels.counted(folder);
  }

  @Test
  void runTellsWhyThereIsNoPlanAndAllElse() throws IOException {
    Path n = folder.resolve("n.npy");
    long[] values = new long[SmallModels.COUNTED];
    values[7] = 2;
    NpyFile.write(TensorView.ofLongs(values), n);
    Path out = folder.resolve("out");
    String text = Outcome.ok("run", counted, "--load-inputs", "n:" + n, "--export-output", out, "--streams", 2);
    assertThat(text).contains("plan     none for the whole model, it runs in parts: ", "Range", "latency", "int64[5]")
      .doesNotContain("2 streams");
    assertThat(NpyFile.read(out.resolve("y.npy")).toLongArray()).containsExactly(0, -1, -2, -3, -4);
    JsonNode document = Outcome.json("run", counted, "--load-ref-outputs", "y:" + out.resolve("y.npy"),
      "--load-inputs", "n:" + n);
    assertThat(document.has("plan")).isFalse();
    assertThat(document.get("unplanned").asString()).contains("Range");
    assertThat(document.get("weightBytes").asLong()).isEqualTo(24);
  }

  @Test
  void valuesThatDecideShapesArePlannedFor() throws IOException {
    Path model = SmallModels.reshaped(folder);
    String n = "n:" + pair(3, 4);
    assertThat(Outcome.ok("run", model, "--load-inputs", n)).contains("weights  64 B", "float32[3x4]", "peak")
      .doesNotContain("it runs in parts");
    assertThat(Outcome.ok("plan", model, "--load-inputs", n)).contains("needs", "best-fit");
    assertThat(Outcome.ok("compare", model, "--load-inputs", n)).contains("agree");
    Outcome.of("plan", model).failedWith(ExitCode.UNSUPPORTED, "cannot be planned", "Reshape",
      "--load-inputs n:FILE.npy");
  }

  /** A part of a plan that there is for the values at hand. */
  @Test
  void aLimitInPercentIsOfThePlanForTheseValues() throws IOException {
    Path model = SmallModels.reshaped(folder);
    String n = "n:" + pair(3, 4);
    for (String command : new String[] {"run", "bench"}) {
      assertThat(Outcome.ok(command, model, "--load-inputs", n, "--memory-limit", "100%")).contains("latency");
    }
    assertThat(Outcome.ok("run", model, "--memory-limit", "100%")).as("generated values").contains("latency");
    Outcome.of("run", counted, "--memory-limit", "60%").failedWith(ExitCode.USAGE,
      "--memory-limit in percent is a part of a plan, and this model has none");
  }

  private Path pair(long first, long second) throws IOException {
    Path file = folder.resolve("n%d.npy".formatted(first));
    NpyFile.write(TensorView.ofLongs(first, second), file);
    return file;
  }

  @Test
  void aProfileHasEveryStepWithItsTypes() throws IOException {
    Path file = folder.resolve("profile.json");
    assertThat(Outcome.ok("run", counted, "--warmup", 1, "--iterations", 3, "--export-profile", file)).contains(
      "3 runs in " + file).containsPattern("Range +\\S+ +[\\d.]+ [num]s +[\\d.]+ %");
    JsonNode profile = JsonMapper.shared().readTree(Files.readAllBytes(file));
    int steps = 0;
    for (JsonNode event : profile.get("traceEvents")) {
      if (event.path("cat").asString("").equals("step")) {
        steps++;
        assertThat(event.get("args").get("types").asString()).contains(" -> int64[");
        assertThat(event.get("args").get("writtenBytes").asLong()).isPositive();
      }
    }
    assertThat(steps).isEqualTo(12);
  }

  @Test
  void benchTimesIt() throws IOException {
    Path save = folder.resolve("b.json");
    assertThat(Outcome.ok("bench", counted, "--iterations", 20, "--concurrency", 3, "--save", save)).contains("latency",
      "20 runs, 3 concurrent");
    Outcome.ok("bench", counted, "--iterations", 20, "--concurrency", 3, "--baseline", save, "--tolerance", 1e9);
  }

  @Test
  void planTellsTheParts() throws IOException {
    assertThat(Outcome.ok("plan", counted)).contains("in parts", "part     2 steps, planned: ", "open     Range ",
      "rest     Neg ").doesNotContain("at most").doesNotContain("share ");
    Path selected = SmallModels.selected(folder);
    assertThat(Outcome.ok("plan", selected)).contains("open     NonZero ",
      ", planned for the largest counts, at most: ").doesNotContain("rest ");
    assertThat(Outcome.ok("plan", selected)).containsPattern("share    [1-9][0-9.]+ % of the bytes");
    JsonNode document = Outcome.json("plan", selected);
    assertThat(document.get("plannedShare").asDouble()).isBetween(0.1, 0.99);
    JsonNode parts = document.get("parts");
    assertThat(parts).extracting(it -> it.get("kind").asString()).containsExactly("planned", "open", "planned");
    assertThat(parts.get(2).get("resultBytes").asLong()).isEqualTo(2000 * 4);
    assertThat(parts.get(2).get("isAtMost").asBoolean()).isTrue();
    Path picture = folder.resolve("part.svg");
    Outcome.ok("plan", selected, "--svg", picture);
    assertThat(picture).isNotEmptyFile();
  }

  @Test
  void compareSaysThatThereIsNothing() {
    Outcome.of("compare", counted).failedWith(ExitCode.UNSUPPORTED, "only a model with a plan can be compared",
      "Range");
  }

  @Test
  void inspectAndOpsShowIt() {
    assertThat(Outcome.ok("inspect", counted, "-v")).contains("int64", "Range");
    assertThat(Outcome.ok("ops", counted)).contains("shapes depend on values", "Range");
    assertThat(Outcome.json("ops", counted).get("typesChecked").asBoolean()).isFalse();
  }

  @Test
  void valuesThatDoNotFitAreTheInputsFault() throws IOException {
    Outcome.of("run", SmallModels.reshaped(folder), "--load-inputs", "n:" + pair(5, 7)).failedWith(
      ExitCode.INVALID_MODEL, "Reshape", "--load-inputs");
    Outcome.of("run", counted, "--memory-limit", 1).failedWith(ExitCode.OUT_OF_MEMORY);
  }
}
