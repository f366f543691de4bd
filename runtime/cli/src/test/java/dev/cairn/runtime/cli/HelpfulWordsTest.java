package dev.cairn.runtime.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.cli.text.Suggestion;
import dev.cairn.runtime.graph.DeclaredType;
import dev.cairn.runtime.graph.Dimension;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.onnx.OnnxWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Suggestions for mistyped words and open shapes, completion, and help that fits the terminal. */
class HelpfulWordsTest {
  @TempDir
  private Path folder;

  @Test
  void theNearestWordIsSuggested() {
    List<String> words = List.of("plan", "run", "bench", "compare");
    assertThat(Suggestion.of("plna", words)).contains("plan");
    assertThat(Suggestion.of("comparre", words)).contains("compare");
    assertThat(Suggestion.of("rn", words)).contains("run");
    assertThat(Suggestion.of("serve", words)).isEmpty();
    assertThat(Suggestion.of("run", List.of("run", "runs"))).as("it is right").isEmpty();
    assertThat(Suggestion.of("resnet", List.of("lenet", "resnet50", "resnet18"))).as("its beginning").contains(
      "resnet18");
    assertThat(Suggestion.of("r", List.of("resnet50"))).as("a letter is no beginning").isEmpty();
  }

  @Test
  void mistypedVerbsOptionsModelsAndInputsAreRecognised() {
    Outcome.of("pland", "mlp").failedWith(ExitCode.USAGE, "did you mean 'plan'?");
    Outcome.of("plan", "mlp", "--memory-limt=1MiB").failedWith(ExitCode.USAGE, "did you mean '--memory-limit'?");
    Outcome.of("plan", "mlp", "--remat=off").failedWith(ExitCode.USAGE, "did you mean '--recompute'?");
    Outcome.of("plan", "--remat-csv", "graph.csv").failedWith(ExitCode.USAGE, "did you mean '--recompute-csv'?");
    Outcome.of("plan", "resnet5").failedWith(ExitCode.INVALID_MODEL, "did you mean 'resnet50'?");
    Outcome.of("plan", "mlp", "--shapes", "inputs:1x784").failedWith(ExitCode.USAGE, "did you mean 'input'?");
    Outcome.of("help", "rnu").failedWith(ExitCode.USAGE, "did you mean 'run'?");
    Outcome.of("zoo", "mpl").failedWith(ExitCode.USAGE, "did you mean 'mlp'? see 'cairn zoo'");
    Outcome.of("run", "bert").failedWith(ExitCode.INVALID_MODEL, "did you mean 'bert_base'?");
    Outcome.of("plan", "mlp", "--planner", "nvnm").failedWith(ExitCode.USAGE, "did you mean 'nnvm'?");
    Outcome.of("plan", "mlp", "--device", "cup").failedWith(ExitCode.USAGE, "did you mean 'cpu'? see 'cairn devices'");
    Outcome.of("model.onnx", "-q").failedWith(ExitCode.USAGE, "did you mean 'cairn run model.onnx'?");
    Outcome.of("mlp").failedWith(ExitCode.USAGE, "did you mean 'cairn run mlp'?");
    Outcome.of("mem", "dump.json").failedWith(ExitCode.USAGE, "did you mean 'cairn mem show dump.json'?");
    assertThat(Outcome.of("plan", "mlp", "--unheard-of").err()).doesNotContain("did you mean");
    assertThat(Outcome.of("-q").err()).as("every letter is as near").doesNotContain("did you mean");
  }

  @Test
  void suggestedShapesWork() throws IOException {
    Path model = SmallModels.open(folder);
    Outcome open = Outcome.of("run", model);
    open.failedWith(ExitCode.USAGE, "dimensions are open: x=", "give shapes, for example --shapes x:1x3");
    Matcher shapes = Pattern.compile("--shapes (\\S+);").matcher(open.err());
    assertThat(shapes.find()).isTrue();
    assertThat(Outcome.ok("run", model, "--shapes", shapes.group(1), "-q")).contains("output   y float32[1x3]");
  }

  /**
   * The model has {@code flatten} as exporters write it: a shape is computed from the input's shape. Only images of
   * 32x32 fit.
   */
  @Test
  void suggestedShapesWorkWhereShapesAreComputed() throws IOException {
    Path model = folder.resolve("flattened.onnx");
    var builder = new GraphBuilder("flattened");
    NodeEntry x = builder.input("x", new DeclaredType(DType.FLOAT32, List.of(new Dimension.Symbol("batch"),
      new Dimension.Fixed(3), new Dimension.Symbol("height"), new Dimension.Symbol("width"))));
    NodeEntry batch = builder.apply("Gather", builder.apply("Shape", x), builder.constant("first", TensorView.ofLongs(
      0)));
    NodeEntry rows = builder.apply("Reshape", x, builder.apply("Concat", Attributes.NONE.with("axis", 0), batch, builder
      .constant("rest", TensorView.ofLongs(-1))));
    builder.output("y", builder.apply("MatMul", rows, builder.constant("w", TensorView.ofFloats(Shape.of(3 * 32 * 32,
      2), new float[2 * 3 * 32 * 32]))));
    OnnxWriter.write(builder.build(), List.of(new DeclaredType(DType.FLOAT32, List.of(new Dimension.Symbol("batch"),
      new Dimension.Fixed(2)))), model);
    Outcome.of("plan", model).failedWith(ExitCode.USAGE, "dimensions are open: x=", "--shapes x:1x3x32x32;");
    Outcome.ok("plan", model, "--shapes", "x:1x3x32x32");
  }

  /** How many are selected is known to a run alone. */
  @Test
  void suggestedShapesWorkWhereDataDecideShapes() throws IOException {
    Path model = folder.resolve("selected.onnx");
    var builder = new GraphBuilder("selected");
    NodeEntry x = builder.input("x", new DeclaredType(DType.FLOAT32, List.of(new Dimension.Symbol("batch"),
      new Dimension.Symbol("length"))));
    NodeEntry sum = builder.apply("Add", x, builder.constant("w", TensorView.ofFloats(Shape.of(128), new float[128])));
    builder.output("y", builder.apply("NonZero", sum));
    OnnxWriter.write(builder.build(), List.of(new DeclaredType(DType.INT64, List.of(new Dimension.Fixed(2),
      new Dimension.Symbol("count")))), model);
    Outcome.of("run", model).failedWith(ExitCode.USAGE, "dimensions are open: x=", "--shapes x:1x128;");
    assertThat(Outcome.ok("run", model, "--shapes", "x:1x128", "-q")).contains("output   y int64[2x");
  }

  @Test
  void completionKnowsVerbsAndOptions() {
    assertThat(Outcome.ok("completion")).contains("complete -F _complete_cairn", "--memory-limit", "replay", "doctor")
      .doesNotContain("\\u");
  }

  /** Variables of the script are called as the options' values are in the help. */
  @Test
  void completionKeepsValuesOfOptionsApart() {
    Set<String> variables = new HashSet<>();
    for (String line : Outcome.ok("completion").lines().toList()) {
      if (line.startsWith("function ")) {
        variables.clear();
      } else if (line.contains("_option_args=(")) {
        assertThat(variables.add(line.substring(0, line.indexOf('=')))).as(line).isTrue();
      }
    }
  }

  @Test
  void helpIsAsWideAsTheTerminal() {
    for (String[] words : new String[][] {{"help"}, {"help", "run"}, {"mem", "replay", "--help"}}) {
      String narrow = help("60", words);
      String wide = help("120", words);
      assertThat(narrow.lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(60));
      assertThat(wide.lines()).anySatisfy(line -> assertThat(line).hasSizeGreaterThan(80));
      assertThat(wide.lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(120));
    }
    assertThat(help("no number", "help", "plan").lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(
      80));
  }

  private static String help(String columns, String... words) {
    Outcome outcome = Outcome.in(Map.of("COLUMNS", columns), (Object[]) words);
    assertThat(outcome.code()).isZero();
    return outcome.out();
  }
}
