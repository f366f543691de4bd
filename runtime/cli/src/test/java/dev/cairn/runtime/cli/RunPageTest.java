package dev.cairn.runtime.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** {@code cairn run --html}: the plan, and over it what a run held. */
class RunPageTest {
  @TempDir
  private Path folder = Path.of("");

  @Test
  void thePageShowsPlanAndRun() throws IOException {
    Path file = folder.resolve("run.html");
    String text = Outcome.ok("run", SmallModels.attention(folder), "--html", file);
    assertThat(text)
      .containsPattern("held +at most \\S+ [KM]iB at step \\d+, of \\S+ [KM]iB planned; nothing outside of "
        + "the plan; drawn in " + file);
    assertThat(Files.readString(file)).contains("<h2>What the run held</h2>", ">0 values<", " h e\"", "class=\"held\"");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--streams 1", "--streams 2", "--planner naive", "--planner nnvm", "--no-fusion"})
  void asADocumentItHasTheFigures(String options) throws IOException {
    Path file = folder.resolve("run.html");
    String[] words = options.split(" ", -1);
    for (Object model : List.of(SmallModels.attention(folder), "lenet")) {
      List<Object> all = new ArrayList<>(List.of("run", model, "--iterations", 1, "--warmup", 0, "--html", file));
      all.addAll(List.of(words));
      JsonNode held = Outcome.json(all.toArray()).get("held");
      assertThat(held.get("file").asString()).isEqualTo(file.toString());
      assertThat(held.get("peakBytes").asLong()).isPositive().isLessThanOrEqualTo(held.get("planBytes").asLong());
      long granted = 0;
      for (JsonNode pool : held.get("poolBytes")) {
        granted += pool.asLong();
      }
      assertThat(granted).isGreaterThanOrEqualTo(held.get("planBytes").asLong());
      assertThat(held.get("unplannedValues").asInt()).as("%s", model).isZero();
      assertThat(held.get("heldShare").asDouble()).isBetween(0.5, 1.0);
    }
  }

  @Test
  void withoutTheOptionNothingIsSaidOfIt() throws IOException {
    assertThat(Outcome.ok("run", SmallModels.attention(folder))).doesNotContain("held ");
  }

  @Test
  void whatCannotBeDrawnIsRefused() throws IOException {
    Path file = folder.resolve("run.html");
    Outcome.of("run", SmallModels.selected(folder), "--html", file).failedWith(ExitCode.USAGE, "runs in parts");
    Outcome.of("run", SmallModels.attention(folder), "--html", file, "--memory-guard", 64).failedWith(ExitCode.USAGE,
      "--memory-guard");
    Outcome.of("run", "mlp", "--html", folder.resolve("no/such.html")).failedWith(ExitCode.OTHER,
      "no such file or folder");
  }
}
