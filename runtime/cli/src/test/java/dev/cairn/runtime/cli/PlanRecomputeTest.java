package dev.cairn.runtime.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.runtime.compile.RecomputeMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/** {@code cairn plan --recompute-csv}: which nodes of a graph run again. */
class PlanRecomputeTest {
  private static final String GRAPH = """
    id,name,phase,cost,bytes,reads
    0,big,forward,3,100,
    1,a,forward,5,10,0
    2,b,forward,5,60,1
    3,c,forward,5,10,2
    4,end,backward,2,10,0 3
    """;

  @TempDir
  private Path folder;

  private Path file(String text) throws IOException {
    return Files.writeString(folder.resolve("graph.csv"), text);
  }

  @Test
  void tellsWhatRunsAgainAndWhatItCosts() throws IOException {
    assertThat(Outcome.ok("plan", "--recompute-csv", file(GRAPH), "--capacity", "75%")).contains(
      "graph.csv: 5 nodes, cost 20, peak 170 in the given order",
      "floor    120 (70.6 %): end by itself, with its operands and results",
      "word     fits 127 by recomputation: 1 of 6 steps run again, +15.00 % work (no word costs less), peak 120");
    JsonNode document = Outcome.json("plan", "--recompute-csv", file(GRAPH), "--capacity", 120);
    assertThat(document.get("word").toString()).isEqualTo("[0,1,2,3,0,4]");
    assertThat(document.get("overhead").asDouble()).isEqualTo(0.15);
    assertThat(document.get("optimal").asBoolean()).isTrue();
  }

  @Test
  void namesTheFloorWhenNothingFits() throws IOException {
    Outcome outcome = Outcome.of("plan", "--recompute-csv", file(GRAPH), "--capacity", 119);
    outcome.failedWith(ExitCode.OUT_OF_MEMORY, "no recomputation fits the capacity",
      "end alone holds 120 with its operands and results, capacity 119, short by 1", "raise --capacity to 120");
    assertThat(outcome.out()).contains("word     nothing fits 119, which is below the floor");
  }

  @Test
  void drawsTheCurve() throws IOException {
    Path curve = folder.resolve("c.svg");
    assertThat(Outcome.ok("plan", "--recompute-csv", file(GRAPH), "--curve", curve)).contains("wrote    " + curve);
    assertThat(curve).content().contains("graph.csv", "class=\"found\"", "class=\"proved\"", "floor", "+15 %");
    List<String> figures = Files.readAllLines(folder.resolve("c.csv"));
    assertThat(figures).hasSize(13).contains("120,true,23,0.150000,0.150000,120,1",
      "170,true,20,0.000000,0.000000,170,0");
  }

  @Test
  void drawsTheCurveOfAnIteration() throws IOException {
    Path curve = folder.resolve("m.svg");
    Outcome drawn = Outcome.of("plan", "mlp", "--train", "sgd", "--shapes", "input:4096x784", "--curve", curve);
    assertThat(drawn.out()).contains("plan     ", "wrote    " + curve);
    assertThat(curve).content().contains("mlp", "class=\"found\"", "class=\"proved\"", "floor");
    List<String> figures = Files.readAllLines(folder.resolve("m.csv"));
    assertThat(figures).hasSize(13);
    assertThat(figures.getLast()).contains(",true,").endsWith(",0" + ",0.000000".repeat(5));
    assertThat(figures.get(6)).as("an iteration in less than its peak").contains(",true,");
    assertThat(figures.get(6)).isNotEqualTo(figures.getLast());
  }

  @Test
  void refusesWhatDoesNotBelongToIt() throws IOException {
    Path file = file(GRAPH);
    Outcome.of("plan", "--recompute-csv", file).failedWith(ExitCode.USAGE, "nothing to find out");
    Outcome.of("plan", "mlp", "--recompute-csv", file, "--capacity", 9).failedWith(ExitCode.USAGE, "model mlp");
    Outcome.of("plan", "--recompute-csv", file, "--capacity", 9, "--svg", folder.resolve("p.svg")).failedWith(
      ExitCode.USAGE, "--svg is not for a graph of recomputation");
    Outcome.of("plan", "--csv", file, "--curve", folder.resolve("c.svg")).failedWith(ExitCode.USAGE,
      "--curve is for a model or a graph");
    Outcome.of("plan", "--csv", file, "--capacity", "50%").failedWith(ExitCode.USAGE, "--capacity in percent");
    Outcome.of("plan", "--recompute-csv", file, "--capacity", "120%").failedWith(ExitCode.USAGE, "at most 100%");
    Outcome.of("plan", "--recompute-csv", folder.resolve("none.csv"), "--capacity", 9).failedWith(
      ExitCode.INVALID_MODEL,
      "no such file");
    Outcome.of("plan", "--recompute-csv", folder, "--capacity", 9).failedWith(ExitCode.INVALID_MODEL, "a folder");
    Outcome.of("plan", "--recompute-csv", file("id,lower\n"), "--capacity", 9).failedWith(ExitCode.INVALID_MODEL,
      "columns differ", "id,name,phase,cost,bytes,reads");
  }

  @Test
  void theExactModeProvesItsChoiceOrSaysThatTheGraphIsTooLarge() throws IOException {
    assertThat(Outcome.ok("plan", "--recompute-csv", file(GRAPH), "--capacity", 120, "--recompute", "exact")).contains(
      "+15.00 % work (no word costs less), peak 120");
    Outcome.of("plan", "--recompute-csv", file(GRAPH), "--capacity", 119, "--recompute", "exact").failedWith(
      ExitCode.OUT_OF_MEMORY, "raise --capacity to 120");
    Outcome.of("plan", "--recompute-csv", file(GRAPH), "--capacity", 120, "--recompute", "tf").failedWith(
      ExitCode.USAGE, "--recompute tf needs the operators of a model", "auto, search, exact");
    StringBuilder chain = new StringBuilder("id,name,phase,cost,bytes,reads\n0,first,forward,1,1,\n");
    IntStream.range(1, 40).forEach(i -> chain.append("%d,n%d,forward,1,1,%d 0\n".formatted(i, i, i - 1)));
    Outcome.of("plan", "--recompute-csv", file(chain.toString()), "--capacity", 3, "--recompute", "exact").failedWith(
      ExitCode.USAGE, "too large for --recompute exact", "values=40 mostValues=31", "--recompute search");
  }

  /** An iteration assigns the parameters that its steps read; steps run again before that. */
  @Test
  void tensorflowsModeRunsStepsOfAnIterationAgain() {
    runsStepsOfAnIterationAgain(RecomputeMode.TF);
  }

  @Tag("long")
  @ParameterizedTest
  @MethodSource("dev.cairn.runtime.compile.RecomputeMode#upstream")
  void runsStepsOfAnIterationAgain(RecomputeMode mode) {
    JsonNode plan = Outcome.json("plan", "mobilenet_v2", "--train", "sgd", "--shapes", "input:8x3x224x224",
      "--memory-limit", "80%", "--recompute", mode).get("plan");
    assertThat(plan.get("recompute").get("recomputations").size()).isPositive();
  }

  /** A remedy must work when it is followed. */
  @Test
  void remediesNameRecomputations() {
    Object[] training = {"plan", "mlp", "--train", "sgd", "--shapes", "input:4096x784", "--memory-limit"};
    Outcome off = Outcome.of(with(training, "21MiB", "--recompute", "off"));
    off.failedWith(ExitCode.OUT_OF_MEMORY, "--recompute auto, which needs ", "by recompute: 1 of ");
    Outcome.ok(with(training, "21MiB", "--recompute", "auto"));
    assertThat(Outcome.ok(with(training, "85%"))).as("a part of the plan").contains("limit: by recompute: 1 of ");
    Outcome low = Outcome.of(with(training, "5MiB")).unwrapped();
    Matcher limit = Pattern.compile("raise --memory-limit to (\\d+), with which it fits by recompute").matcher(low.err()
      + low.out());
    assertThat(limit.find()).as(low.err()).isTrue();
    assertThat(Outcome.ok(with(training, limit.group(1)))).contains("limit: by recompute");
  }

  /**
   * The bound that is told holds for plans with recomputations, too, so a plan with recomputations may not take less.
   */
  @Test
  void whereTensorflowsChoiceDoesNotFitTheTrueLeastIsTold() {
    Object[] training = {"plan", "mlp", "--train", "sgd", "--shapes", "input:4096x784", "--recompute", "tf",
      "--memory-limit"};
    JsonNode whole = Outcome.json("plan", "mlp", "--train", "sgd", "--shapes", "input:4096x784");
    assertThat(Outcome.ok(with(training, whole.get("needs").get("totalBytes").asLong()))).doesNotContain("limit: ");
    Outcome low = Outcome.of(with(training, "21MiB"));
    low.failedWith(ExitCode.OUT_OF_MEMORY,
      "no plan of these steps, whatever runs again or is copied, takes less than 20.5 MiB",
      "--recompute auto, which needs ");
    assertThat(low.err() + low.out()).doesNotContain("that runs each step once");
    long auto = Outcome.json("plan", "mlp", "--train", "sgd", "--shapes", "input:4096x784", "--memory-limit", "21MiB")
      .get("needs").get("totalBytes").asLong();
    assertThat(auto).isGreaterThanOrEqualTo((long) (20.4 * (1 << 20)));
  }

  @Test
  void measuredTimesDecideWhatRunsAgain() throws IOException {
    Path model = SmallModels.held(folder);
    Path profile = folder.resolve("profile.json");
    Outcome.ok("run", model, "--iterations", 3, "--export-profile", profile);
    long needed = Outcome.json("plan", model).get("needs").get("totalBytes").asLong();
    Object[] limited = {"plan", model, "--memory-limit", needed - (100 << 10)};
    JsonNode counted = Outcome.json(limited).get("plan").get("recompute");
    JsonNode measured = Outcome.json(with(limited, "--costs", "measured:" + profile)).get("plan").get("recompute");
    assertThat(measured.get("recomputations").size()).isPositive();
    assertThat(measured.get("costWithout").asLong()).isNotEqualTo(counted.get("costWithout").asLong());
    assertThat(measured.get("cost").asLong()).isGreaterThan(measured.get("costWithout").asLong());
    Outcome.of(with(limited, "--costs", "guessed")).failedWith(ExitCode.USAGE,
      "unknown costs: given=guessed");
    Outcome.of(with(limited, "--costs", "measured:" + folder.resolve("missing.json"))).failedWith(ExitCode.USAGE,
      "no profile of 'cairn run --export-profile'", "no such file");
  }

  /** Weights in a file are read in each run where the memory does not hold them. */
  @Test
  void weightsOfAFileAreStreamed() throws IOException {
    Path model = SmallModels.weighty(folder);
    JsonNode needs = Outcome.json("plan", model).get("needs");
    long limit = needs.get("weightBytes").asLong() / 2;
    assertThat(Outcome.ok("plan", model, "--memory-limit", limit)).contains("fits ",
      " constants (", "are streamed from the model's file: ", "copies take ");
    JsonNode streamed = Outcome.json("plan", model, "--memory-limit", limit).get("plan").get("streamed");
    assertThat(streamed.get("fromFile").asBoolean() && streamed.get("fits").asBoolean()).isTrue();
    Path whole = folder.resolve("whole");
    Outcome.ok("run", model, "--export-output", whole);
    assertThat(Outcome.ok("run", model, "--memory-limit", limit, "--load-ref-outputs", "y:" + whole.resolve("y.npy")))
      .contains("are streamed from the model's file: ");
    assertThat(Outcome.ok("bench", model, "--memory-limit", limit, "--iterations", 5)).contains(
      "are streamed from the model's file: ");
    Outcome low = Outcome.of("run", model, "--memory-limit", 4096);
    low.failedWith(ExitCode.OUT_OF_MEMORY, "with streamed weights it needs ");
    Matcher least = Pattern.compile("raise --memory-limit to (\\d+)").matcher(low.err());
    assertThat(least.find()).isTrue();
    assertThat(Outcome.ok("run", model, "--memory-limit", least.group(1))).contains("streamed from the model's file");
  }

  private static Object[] with(Object[] words, Object... more) {
    return Stream.concat(Stream.of(words), Stream.of(more)).toArray();
  }
}
