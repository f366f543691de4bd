package dev.cairn.runtime.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.compile.PlannerChoice;
import dev.cairn.runtime.onnx.OnnxTensors;
import dev.cairn.runtime.tensorfile.NpyFile;
import dev.cairn.runtime.tensorfile.TensorArchive;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Every verb on a good day, as text and as JSON. */
class CommandsTest {
  @TempDir
  private Path folder;

  @Test
  void withoutAVerbAllVerbsAreListed() {
    String listed = Outcome.ok();
    for (Verb verb : Verb.values()) {
      assertThat(listed).containsPattern("(?m)^  " + verb + " +\\S");
    }
    assertThat(listed).startsWith("Usage: cairn").isEqualTo(Outcome.ok("help")).isEqualTo(Outcome.ok("--help"))
      .isEqualTo(Outcome
        .ok("-h"));
    assertThat(Outcome.ok("-h", "run")).contains("Usage: cairn", "  run ", "--version");
  }

  @ParameterizedTest
  @EnumSource
  void everyVerbExplainsItself(Verb verb) {
    String help = Outcome.ok(verb, "--help");
    assertThat(help).contains("Usage: cairn " + verb);
    assertThat(Outcome.ok("help", verb)).isEqualTo(help);
    assertThat(Outcome.ok("help").replaceAll("\\s+", " ")).as("one line in the list").contains(help.lines().filter(
      line -> !line.startsWith(" ") && !line.startsWith("Usage")).findFirst().orElseThrow());
  }

  @Test
  void versionTellsCairnAndJava() {
    assertThat(Outcome.ok("version")).contains("cairn ", "java  " + Runtime.version(), "kernels ", ", portable");
    assertThat(Outcome.json("version").get("java").asString()).startsWith(Runtime.version().toString());
    assertThat(Outcome.ok("--version")).startsWith("cairn ");
  }

  @Test
  void runTellsDevicePlanLatencyOutputAndMemory() throws IOException {
    String text = Outcome.ok("run", SmallModels.open(folder), "--shapes", "x:2x3", "--iterations", 4, "--warmup", 1,
      "--percentile", "50,99.9");
    assertThat(text).doesNotContain("reuse", "naive");
    assertThat(Outcome.ok("run", "mlp", "-v")).contains("of unshared", "reuse", "naive");
    assertThat(text).contains("model    ", "device   cpu", "plan     peak", "lower bound", "best-fit", "unshared ",
      "latency  p50 ", "p99.9 ", "over 4 runs", "output   y float32[2x3]", "top-3 2: ", "memory   in use");
  }

  @Test
  void runWithoutATextIsOneDocument() throws IOException {
    Path model = SmallModels.fixed(folder, 10, 20, 30);
    JsonNode document = Outcome.json("run", model, "--iterations", 3, "--quiet");
    assertThat(document.get("plan").get("planners").propertyNames())
      .containsExactlyElementsOf(PlannerChoice.ofProblems().stream().map(PlannerChoice::toString).toList());
    assertThat(document.get("plan").get("peakBytes").asLong()).as("all of it lies in the result").isZero();
    assertThat(document.get("latency").get("runs").asInt()).isEqualTo(3);
    assertThat(document.get("latency").get("minNanos").asLong()).isPositive();
    JsonNode output = document.get("outputs").get(0);
    assertThat(output.get("name").asString()).isEqualTo("y");
    assertThat(output.get("min").asDouble()).isBetween(9.0, 11.0);
    assertThat(output.get("top").get(0).get(0).asInt()).isEqualTo(2);
    assertThat(document.get("memory").get("liveBlocks").asInt()).as("weights, result").isEqualTo(2);
  }

  @Test
  void runIsTheSameForTheSameSeed() throws IOException {
    Path model = SmallModels.fixed(folder, 10, 20, 30);
    JsonNode first = Outcome.json("run", model, "--seed", 7).get("outputs");
    assertThat(Outcome.json("run", model, "--seed", 7, "--planner", "naive", "--threads", 1).get("outputs"))
      .isEqualTo(first);
    JsonNode onStreams = Outcome.json("run", model, "--seed", 7, "--threads", 1, "--streams", 3);
    assertThat(onStreams.get("outputs")).isEqualTo(first);
    assertThat(onStreams.toString()).contains("cpu, 1 thread, 3 streams");
    assertThat(Outcome.json("run", model, "--seed", 8).get("outputs")).isNotEqualTo(first);
  }

  @Test
  void runInSixteenBitsRoundsAndKeepsTheOutputsType() throws IOException {
    Path model = SmallModels.fixed(folder, 10, 20, 30);
    Object[] once = {"run", "mlp", "--seed", 7, "--iterations", 1, "--warmup", 0, "--precision"};
    String exact = Outcome.json(Stream.concat(Stream.of(once), Stream.of("as-written")).toArray()).get("outputs")
      .toString();
    for (String precision : List.of("float16", "bfloat16")) {
      String rounded = Outcome.json(Stream.concat(Stream.of(once), Stream.of(precision)).toArray()).get("outputs")
        .toString();
      assertThat(rounded).isNotEqualTo(exact).contains("float32");
    }
    assertThat(Outcome.json("run", model, "--seed", 7, "--precision", "as-written").get("outputs")).isEqualTo(Outcome
      .json("run", model, "--seed", 7).get("outputs"));
  }

  /**
   * The clock moves a millisecond at each look, and each run takes three: the first finds 49 ms gone before the 17th
   * run, and 52 ms after it. The last run, whose results are told, comes on top.
   */
  @Test
  void runGoesOnForADuration() throws IOException {
    Path times = folder.resolve("times.txt");
    JsonNode document = Outcome.json("run", SmallModels.fixed(folder, 1, 2, 3), "--iterations", 1, "--duration", 0.05,
      "--export-times", times);
    assertThat(document.get("latency").get("runs").asInt()).isEqualTo(18);
    assertThat(Files.readAllLines(times)).hasSize(19).startsWith("nanos").endsWith(Collections.nCopies(18, "1000000")
      .toArray(String[]::new));
  }

  @ParameterizedTest
  @ValueSource(strings = {"mlp", "mlp --shapes input:3x784"})
  void runKnowsReferenceModels(String arguments) {
    JsonNode document = Outcome.json((Object[]) ("run --iterations=1 " + arguments).split(" ", -1));
    String batch = arguments.contains("3x784") ? "3" : "1";
    assertThat(document.get("outputs").get(0).get("type").asString()).isEqualTo("float32[" + batch + "x10]");
  }

  @Test
  void runReadsInputsAndWritesOutputsAndTimes() throws IOException {
    Path model = SmallModels.open(folder);
    Path input = folder.resolve("x.npy");
    NpyFile.write(TensorView.ofFloats(Shape.of(2, 3), 1, 2, 3, -100, -100, -30.5f), input);
    Path outputs = folder.resolve("new/outputs");
    Path times = folder.resolve("times.txt");
    Outcome.ok("run", model, "--load-inputs", "x:" + input, "--export-output", outputs, "--export-times", times,
      "--iterations", 5);
    TensorView y = NpyFile.read(outputs.resolve("y.npy"));
    assertThat(y.type()).isEqualTo(TensorType.of(DType.FLOAT32, 2, 3));
    assertThat(List.of(y.doubleAt(0), y.doubleAt(1), y.doubleAt(2), y.doubleAt(3), y.doubleAt(5))).containsExactly(11.0,
      22.0,
      33.0, 0.0, 0.0);
    List<String> lines = Files.readAllLines(times);
    assertThat(lines).hasSize(6).first().isEqualTo("nanos");
    assertThat(lines.subList(1, 6)).allMatch(line -> Long.parseLong(line) > 0);
    Outcome.ok("run", model, "--load-inputs", "x:" + input, "--load-ref-outputs", "y:" + outputs.resolve("y.npy"),
      "--rtol",
      0, "--atol", 0);
  }

  @ParameterizedTest
  @EnumSource
  void runReadsAllInputsFromAnArchiveAndWritesAllOutputsToOne(TensorArchive format) throws IOException {
    Path model = SmallModels.open(folder);
    String extension = "." + format.name().toLowerCase(Locale.ROOT);
    Path inputs = folder.resolve("inputs" + extension);
    format.write(Map.of("x", TensorView.ofFloats(Shape.of(1, 3), 1, 2, 3)), inputs);
    Path outputs = folder.resolve("outputs" + extension);
    Outcome.ok("run", model, "--load-inputs", inputs, "--export-output", outputs);
    Map<String, TensorView> written = format.read(outputs);
    assertThat(written).containsOnlyKeys("y");
    TensorView y = Objects.requireNonNull(written.get("y"));
    assertThat(y.type()).isEqualTo(TensorType.of(DType.FLOAT32, 1, 3));
    assertThat(List.of(y.doubleAt(0), y.doubleAt(1), y.doubleAt(2))).containsExactly(11.0, 22.0, 33.0);
    Outcome.ok("run", model, "--load-inputs", inputs, "--load-ref-outputs", outputs, "--rtol", 0, "--atol", 0);
    Outcome.ok("plan", model, "--load-inputs", inputs);
    Outcome.ok("compare", model, "--load-inputs", inputs);
    Outcome.of("run", model, "--load-inputs", inputs, "--load-inputs", inputs).failedWith(ExitCode.USAGE, "two files",
      "name=x");
    Outcome.of("run", model, "--load-inputs", outputs).failedWith(ExitCode.USAGE, "input=y", "[x]");
    Outcome.of("run", model, "--load-inputs", "x:" + inputs).failedWith(ExitCode.USAGE, "names its tensors itself");
    Files.write(inputs, new byte[] {1, 2, 3});
    Outcome.of("run", model, "--load-inputs", inputs).failedWith(ExitCode.USAGE, "inputs" + extension,
      "export it again");
  }

  @Test
  void runReadsTensorsOfOnnx() throws IOException {
    Path model = SmallModels.open(folder);
    Path x = folder.resolve("input_0.pb");
    OnnxTensors.write("x", TensorView.ofFloats(Shape.of(1, 3), 1, 2, 3), x);
    Path y = folder.resolve("output_0.pb");
    OnnxTensors.write("y", TensorView.ofFloats(Shape.of(1, 3), 11, 22, 33), y);
    Outcome.ok("run", model, "--load-inputs", "x:" + x, "--load-ref-outputs", "y:" + y, "--rtol", 0, "--atol", 0);
    Outcome.of("run", model, "--load-inputs", "x:" + x, "--load-ref-outputs", "y:" + x)
      .failedWith(ExitCode.COMPARISON_FAILED);
    Path damaged = Files.writeString(folder.resolve("damaged.pb"), "<html>");
    Outcome.of("run", model, "--load-inputs", "x:" + damaged).failedWith(ExitCode.USAGE, "not an ONNX tensor",
      "damaged.pb");
  }

  @Test
  void runIsNotBegunWhenItsTimesCannotBeWritten() {
    Outcome outcome = Outcome.of("run", "mlp", "--export-times", folder.resolve("no/such/times.txt")).failedWith(
      ExitCode.OTHER, "no/such");
    assertThat(outcome.out()).as("told before any work").isEmpty();
  }

  @Test
  void runTellsItsResultsEvenWhenTheComparisonFails() throws IOException {
    Path model = SmallModels.fixed(folder, 10, 20, 30);
    Path reference = folder.resolve("reference.npy");
    NpyFile.write(TensorView.ofFloats(Shape.of(2, 3), 0, 0, 0, 0, 0, 0), reference);
    Path exported = Files.copy(reference, folder.resolve("y.npy"));
    Outcome outcome = Outcome.of("run", model, "--load-ref-outputs", "y:" + reference, "--export-output", folder,
      "--format",
      "json");
    outcome.failedWith(ExitCode.COMPARISON_FAILED, "output=y", "different=6 of=6", "worstAt=", "rtol=0.001");
    assertThat(Outcome.parse(outcome.out()).get("outputs").size()).isEqualTo(1);
    assertThat(NpyFile.read(exported).doubleAt(0)).as("exported over the old file").isGreaterThan(8);
  }

  @Test
  void generatedWholeNumbersAreZeroOrOne() throws IOException {
    JsonNode output = Outcome.json("run", SmallModels.tokens(folder)).get("outputs").get(0);
    assertThat(output.get("min").asDouble()).isGreaterThanOrEqualTo(0);
    assertThat(output.get("max").asDouble()).isLessThanOrEqualTo(2);
  }

  @Test
  void whatPlanSaysAModelNeedsIsJustEnoughToRunIt() throws IOException {
    for (Object[] model : new Object[][] {{SmallModels.open(folder), "--shapes", "x:1000x3"}, {"mlp", "--seed", "1"}}) {
      JsonNode plan = Outcome.json("plan", model[0], model[1], model[2]);
      long needed = plan.get("needs").get("totalBytes").asLong();
      assertThat(plan.get("fits").asBoolean()).isTrue();
      Outcome.ok("run", model[0], model[1], model[2], "--iterations", 1, "--memory-limit", needed);
      Outcome.of("run", model[0], model[1], model[2], "--memory-limit", needed - 256)
        .failedWith(ExitCode.OUT_OF_MEMORY);
      assertThat(Outcome.ok("plan", model[0], model[1], model[2], "--memory-limit", needed)).contains("fits ");
      Outcome.of("plan", model[0], model[1], model[2], "--memory-limit", needed - 1).failedWith(ExitCode.OUT_OF_MEMORY,
        "needs ", "limit ", "short by 1 B");
    }
  }

  @Test
  void planComparesThePlannersAndShowsThePlanWhenAsked() throws IOException {
    Path model = SmallModels.fixed(folder, 1, 2, 3);
    String text = Outcome.ok("plan", model, "--device", "cpu");
    assertThat(text).contains("needs    ", "weights 256 B", "plan     peak 0 B", "results 256 B", "best-fit")
      .doesNotContain("plan by ");
    assertThat(Outcome.ok("plan", "mlp", "--device", "cpu", "-v")).contains("passes", "plan by best-fit", " at 0+0");
    assertThat(Outcome.json("plan", model, "--planner", "naive").get("plan").get("planner").asString())
      .contains("naive");
  }

  @Test
  void inspectTellsInputsOutputsOperatorsAndWeights() throws IOException {
    Path model = SmallModels.open(folder);
    String text = Outcome.ok("inspect", model);
    assertThat(text).contains("ONNX, IR 10, opset 22", "weights  3 numbers, 12 B", "float32[batch x 3]")
      .containsPattern(
        "Relu +1")
      .containsPattern("y +float32\\[");
    assertThat(Outcome.ok("inspect", model, "-v")).contains("Relu(");
    JsonNode document = Outcome.json("inspect", model);
    assertThat(document.get("inputs").get("x").asString()).isEqualTo("float32[batch x 3]");
    assertThat(document.get("weightBytes").asLong()).isEqualTo(12);
    JsonNode reference = Outcome.json("inspect", "mlp");
    assertThat(reference.get("outputs").get("logits").asString()).isEqualTo("float32[1x10]");
    assertThat(reference.get("operators").get("Gemm").asInt()).isEqualTo(3);
  }

  @Test
  void inspectShortensLongNamesOfDimensions() throws IOException {
    String name = "unsqueeze_1903_output_0_dimension_2";
    Path model = SmallModels.named(folder, name);
    assertThat(Outcome.ok("inspect", model)).contains("float32[unsqueeze_1903_output... x 3]").doesNotContain(name);
    assertThat(Outcome.json("inspect", model).get("inputs").get("x").asString()).isEqualTo("float32[" + name + " x 3]");
    Path formula = SmallModels.named(folder, "past_sequence_length + 1");
    assertThat(Outcome.ok("inspect", formula)).contains("float32[past_sequence_length + 1 x 3]");
  }

  @Test
  void opsListsWhatIsSupported() throws IOException {
    assertThat(Outcome.ok("ops")).containsPattern("(?m)^Conv +float32.* portable").contains("Reshape");
    assertThat(Outcome.json("ops").get("operators").get("Relu").toString()).contains("float32");
    assertThat(Outcome.ok("ops", SmallModels.fixed(folder, 1, 2, 3)))
      .contains("every operator is supported, with these");
    assertThat(Outcome.ok("ops", SmallModels.open(folder))).contains("give --shapes for all open dimensions");
    JsonNode document = Outcome.json("ops", SmallModels.open(folder), "--shapes", "x:1x3");
    assertThat(document.get("typesChecked").asBoolean()).isTrue();
    assertThat(document.get("gaps").size()).isZero();
  }

  @Test
  void zooListsAndWritesModelsThatCanBeRun() {
    assertThat(Outcome.ok("zoo")).contains("mlp", "resnet50", "mobilenet_v2", "bert_base", "gpt2");
    assertThat(Outcome.json("zoo").get("models").size()).isEqualTo(8);
    Path file = folder.resolve("my mlp.onnx");
    assertThat(Outcome.ok("zoo", "mlp", "-o", file, "--batch", 0)).contains("535,818 parameters");
    JsonNode document = Outcome.json("zoo", "mlp", "-o", file, "--seed", 2, "--batch", 4);
    assertThat(document.get("bytes").asLong()).isEqualTo(file.toFile().length());
    JsonNode run = Outcome.json("run", file, "--iterations", 1);
    assertThat(run.get("outputs").get(0).get("type").asString()).isEqualTo("float32[4x10]");
  }
}
