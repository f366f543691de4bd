package dev.cairn.runtime.symbol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.HeapTensor;
import dev.cairn.runtime.graph.PartialType;
import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.value.Tensor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The example of docs/symbols.md is the lines of this file, and prints what the page says. */
class SymbolExampleTest {
  private static final Path ROOT = root();
  private static final Pattern EXAMPLE = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
  private static final Pattern PRINTED = Pattern.compile("```text\n(.*?)```", Pattern.DOTALL);

  private final List<String> printed = new ArrayList<>();

  private void print(Object line) {
    printed.add(String.valueOf(line));
  }

  private static Path root() {
    Path folder = Path.of("").toAbsolutePath();
    while (!Files.exists(folder.resolve("docs/symbols.md"))) {
      folder = Objects.requireNonNull(folder.getParent());
    }
    return folder;
  }

  private void example() {
    // begin
    Symbol data = Symbol.variable("data");
    Symbol net = Symbol.dense("fc2", Symbol.dense("fc1", data, 4).relu(), 2).softmax(-1).named("prob");
    print(net.arguments());

    SymbolTypes types = net.infer(Map.of("data", PartialType.of(DType.FLOAT32, 1, 3)));
    print(types.variables());

    Map<String, TensorView> weights = new HashMap<>();
    types.known().forEach((name, type) -> weights.put(name, HeapTensor.allocate(type))); // zeros
    weights.remove("data");
    Graph graph = net.withValues(weights).graph();
    try (Session session = Session.of(graph, SessionOptions.DEFAULT);
      var result = session.run(Map.of("data", Tensor.of(new float[] {1, 2, 3}, 1, 3)))) {
      print(List.of(result.get("prob_output").toFloatArray()[0], result.get("prob_output").shape()));
    }
    // end
  }

  @Test
  void thePagesExampleIsThisCodeAndPrintsWhatThePageSays() throws IOException {
    example();
    String page = Files.readString(ROOT.resolve("docs/symbols.md"));
    assertThat(PRINTED.matcher(page).results().map(it -> it.group(1)).collect(Collectors.joining())).isEqualTo(String
      .join("\n", printed) + "\n");
    String source = Files.readString(ROOT.resolve(
      "runtime/session/src/test/java/dev/cairn/runtime/symbol/SymbolExampleTest.java"));
    String code = source.substring(source.indexOf("// begin\n") + 9, source.indexOf("    // end\n"));
    assertThat(EXAMPLE.matcher(page).results().map(it -> it.group(1)).collect(Collectors.joining())).startsWith(code
      .replace("print(", "System.out.println(").indent(-4));
  }
}
