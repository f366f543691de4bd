package dev.cairn.runtime.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.tensorfile.NpyFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** {@code cairn bench}: what it tells, what it writes, what it compares, and what it refuses. */
class BenchCommandTest {
  @TempDir
  private Path folder = Path.of("");
  private Path model = Path.of("");

  @BeforeEach
  void writeModel() throws IOException {
    model = SmallModels.fixed(folder, 10, 20, 30);
  }

  @Test
  void itTellsLoadLatencyRateAndMemory() {
    String text = Outcome.ok("bench", model, "--warmup", 3, "--iterations", 7, "--concurrency", 2, "--percentile",
      "50,99.9");
    assertThat(text.lines().map(it -> it.split(" ", 2)[0])).containsExactly("model", "device", "load", "latency",
      "rate", "memory");
    assertThat(text).contains("(sum)", "7 runs, 2 concurrent, after 3 warm-up runs", "p50 ", ", p99.9 ", ", min ",
      ", max ", ", mean ", ", deviation ", " runs/s over ", "memory   peak ");
  }

  @Test
  void asADocumentItHasAllFigures() {
    JsonNode document = Outcome.json("bench", model, "--warmup", 0, "--iterations", 5, "--threads", 3, "--planner",
      "naive", "--percentile", "90", "--quiet");
    assertThat(document.propertyNames()).containsExactly("schemaVersion", "command", "model", "device", "measured",
      "concurrency", "threads", "planner", "warmup", "latency", "elapsedNanos", "runsPerSecond", "memory");
    assertThat(document.get("measured").asString()).isEqualTo("sum {x=float32[2x3]}, 1 at a time");
    assertThat(document.get("threads").asInt()).isEqualTo(3);
    assertThat(document.get("planner").asString()).isEqualTo("naive");
    JsonNode latency = document.get("latency");
    assertThat(latency.propertyNames()).containsExactly("runs", "p90Nanos", "medianNanos", "minNanos", "maxNanos",
      "meanNanos", "deviationNanos");
    assertThat(latency.get("runs").asInt()).isEqualTo(5);
    assertThat(latency.get("minNanos").asLong()).isPositive().isLessThanOrEqualTo(latency.get("medianNanos").asLong());
    double seconds = document.get("elapsedNanos").asLong() / 1e9;
    assertThat(document.get("runsPerSecond").asDouble() * seconds).isBetween(4.999, 5.001);
    assertThat(document.get("memory").get("peakBytesInUse").asLong()).isPositive();
  }

  /**
   * The clock moves a millisecond at each look. The wanted run takes two looks, each later one three: the first finds
   * 99 ms gone before the last run, and 102 ms after it. {@link BenchLoadTest} has several threads.
   */
  @Test
  void itGoesOnForADuration() throws IOException {
    Path times = folder.resolve("times.csv");
    JsonNode document = Outcome.json("bench", model, "--iterations", 1, "--duration", 0.1, "--export-times", times);
    assertThat(Files.readAllLines(times)).containsExactlyElementsOf(Stream.concat(Stream.of("thread,startNanos,nanos"),
      IntStream.range(0, 34).mapToObj(run -> "0,%d,1000000".formatted(run * 3_000_000))).toList());
    assertThat(document.get("latency").get("runs").asInt()).isEqualTo(34);
    assertThat(document.get("elapsedNanos").asLong()).isEqualTo(100_000_000);
  }

  @Test
  void everyRunIsInTheTimes() throws IOException {
    Path times = folder.resolve("times.csv");
    Outcome.ok("bench", model, "--iterations", 300, "--concurrency", 4, "--export-times", times);
    List<String> lines = Files.readAllLines(times);
    assertThat(lines).hasSize(301);
    assertThat(lines.subList(1, 301)).allMatch(it -> it.matches("[0-3],\\d+,[1-9]\\d*")).anyMatch(it -> it.contains(
      ",0,"));
  }

  @Test
  void inputsShapesAndSeedAreThoseOfRun() throws IOException {
    Path input = folder.resolve("x.npy");
    NpyFile.write(TensorView.ofFloats(Shape.of(2, 3), 1, 2, 3, 4, 5, 6), input);
    Path open = SmallModels.open(folder);
    assertThat(Outcome.json("bench", open, "--load-inputs", "x:" + input).get("measured").asString()).contains("2x3");
    assertThat(Outcome.json("bench", open, "--shapes", "x:5x3").get("measured").asString()).contains("float32[5x3]");
    assertThat(Outcome.ok("bench", "mlp", "--seed", 4, "--iterations", 1, "--memory-limit", "1GiB")).contains(
      "mlp (reference model, seed 4)");
    Outcome.of("bench", open).failedWith(ExitCode.USAGE, "--shapes x:1x3");
    Outcome.of("bench", "mlp", "--memory-limit", "1KiB").failedWith(ExitCode.OUT_OF_MEMORY, "limitBytes=1024");
    Outcome.of("bench", "mlp", "--require-gpu").failedWith(ExitCode.MACHINE_LACKS, "NVIDIA driver");
    Outcome.of("bench", folder.resolve("none.onnx")).failedWith(ExitCode.INVALID_MODEL, "none.onnx");
  }

  @Test
  void aRunThatFailsEndsAllThreads() throws IOException {
    Path file = SmallModels.lookup(folder);
    Path input = folder.resolve("i.npy");
    NpyFile.write(TensorView.ofLongs(7), input);
    Outcome.of("bench", file, "--load-inputs", "i:" + input, "--concurrency", 4, "--iterations", 1_000_000).failedWith(
      ExitCode.USAGE, "a kernel rejected", "Gather");
  }

  private Path saved(long medianNanos) throws IOException {
    Path file = folder.resolve("baseline.json");
    Outcome.ok("bench", model, "--iterations", 3, "--save", file);
    String text = Files.readString(file);
    assertThat(Outcome.parse(text).get("command").asString()).isEqualTo("bench");
    return Files.writeString(file, text.replaceAll("(\"medianNanos\" *: *)\\d+", "$1" + medianNanos));
  }

  @Test
  void aMedianThatIsToleratedPasses() throws IOException {
    Path slow = saved(3_600_000_000_000L);
    assertThat(Outcome.ok("bench", model, "--baseline", slow)).containsPattern(
      "baseline 0\\.000 times the median of .*baseline.json \\(3600000.00 ms\\), within 10 %");
    JsonNode verdict = Outcome.json("bench", model, "--baseline", slow, "--tolerance", 2.5).get("baseline");
    assertThat(verdict.get("tolerated").asBoolean()).isTrue();
    assertThat(verdict.get("tolerancePercent").asDouble()).isEqualTo(2.5);
    assertThat(verdict.get("medianNanos").asLong()).isEqualTo(3_600_000_000_000L);
  }

  @Test
  void aMedianThatIsNotToleratedFailsAfterAllIsTold() throws IOException {
    Path fast = saved(1);
    Path now = folder.resolve("now.json");
    Outcome outcome = Outcome.of("bench", model, "--baseline", fast, "--save", now, "--format", "json");
    outcome.failedWith(ExitCode.COMPARISON_FAILED, "slower than the baseline", "baselineNanos=1 ratio=",
      "tolerancePercent=10", "--export-profile");
    assertThat(Outcome.parse(outcome.out()).get("baseline").get("tolerated").asBoolean()).isFalse();
    assertThat(Files.readString(now)).isEqualToNormalizingNewlines(outcome.out());
    Outcome.ok("bench", model, "--baseline", fast, "--tolerance", 1e15);
    Outcome.ok("bench", model, "--baseline", now, "--tolerance", 1e6, "--save", now);
  }

  @Test
  void onlyTheSameIsCompared() throws IOException {
    Path baseline = saved(1);
    Outcome.of("bench", "mlp", "--baseline", baseline).failedWith(ExitCode.USAGE, "measured something else",
      "now: mlp {input=float32[1x784]}, 1 at a time; baseline: sum {x=float32[2x3]}, 1 at a time");
    Outcome.of("bench", model, "--concurrency", 2, "--baseline", baseline).failedWith(ExitCode.USAGE,
      "2 at a time; baseline");
    assertThat(Outcome.ok("bench", model, "--planner", "naive", "--threads", 1, "--baseline", baseline, "--tolerance",
      "1e12")).as("what one wants to compare").contains("within");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{", "[]", "null", "{}", "\"bench\"", "{\"schemaVersion\":1,\"command\":\"run\"}",
    "{\"schemaVersion\":2,\"command\":\"bench\",\"measured\":\"a\",\"latency\":{\"medianNanos\":1}}",
    "{\"schemaVersion\":1,\"command\":\"bench\",\"measured\":\"a\",\"latency\":{\"medianNanos\":0}}",
    "{\"schemaVersion\":1,\"command\":\"bench\",\"measured\":\"a\",\"latency\":{\"medianNanos\":\"fast\"}}",
    "{\"schemaVersion\":1,\"command\":\"bench\",\"measured\":\"a\",\"latency\":[]}",
    "{\"schemaVersion\":1,\"command\":\"bench\",\"measured\":{},\"latency\":{\"medianNanos\":1}}",
    "{\"schemaVersion\":1,\"command\":\"bench\",\"latency\":{\"medianNanos\":1}}"})
  void whatIsNoBaselineIsToldInThreeLines(String text) throws IOException {
    Path file = Files.writeString(folder.resolve("baseline.json"), text);
    Outcome outcome = Outcome.of("bench", model, "--baseline", file).failedWith(ExitCode.OTHER,
      "the baseline cannot be read", "file=" + file, "--save");
    assertThat(outcome.out()).as("told before any work").isEmpty();
  }

  @Test
  void filesThatCannotBeReadOrWrittenAreToldBeforeAnyWork() {
    Path nowhere = folder.resolve("no/such/file.json");
    for (String option : List.of("--baseline", "--save", "--export-times")) {
      Outcome outcome = Outcome.of("bench", model, option, nowhere).failedWith(ExitCode.OTHER, "no/such");
      assertThat(outcome.out()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"--concurrency 0", "--concurrency 1025", "--concurrency x", "--tolerance -1",
    "--tolerance NaN", "--tolerance ten", "--iterations 0", "--warmup -1", "--duration -1", "--percentile 101",
    "--save", "--baseline", "--export-times", "--export-output x", "--atol 1", "a b"})
  void aCommandLineThatMakesNoSense(String arguments) {
    Outcome outcome = Outcome.of((Object[]) ("bench mlp " + arguments).split(" ", -1));
    outcome.failedWith(ExitCode.USAGE, "invalid command line", "see 'cairn help bench --all'");
    assertThat(outcome.out()).isEmpty();
  }

  @Test
  void itsHelpNamesEveryOption() {
    assertThat(Outcome.ok("help", "bench", "--all")).contains("--baseline=FILE.json", "--concurrency=N", "--duration",
      "--export-times=FILE.csv", "--iterations=N", "--load-inputs", "--memory-limit", "--percentile", "--planner",
      "--save=FILE.json", "--seed", "--shapes", "--threads", "--tolerance=PERCENT", "--warmup=N", "--format", "exit 6");
  }
}
