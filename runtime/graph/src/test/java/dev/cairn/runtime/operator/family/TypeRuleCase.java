package dev.cairn.runtime.operator.family;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphFixture;
import dev.cairn.runtime.graph.GraphTypes;
import dev.cairn.runtime.graph.InvalidGraph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.Notation;
import dev.cairn.runtime.infer.TypeInference;
import dev.cairn.runtime.infer.ValueEvaluator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/**
 * One use of an operator, and what its type rule must make of it:
 *
 * <pre>
 * Concat{axis=1}(float32[2x3], float32[2x4]) -> float32[2x7]
 * Reshape(float32[6], int64:[2,-1]) -> float32[2x3]                  a known value
 * Clip(float32[6], _, float32[scalar]) -> float32[6]                 an input left out
 * Add(float32[2], float32[3]) !! do not broadcast                    part of the error
 * Split{axis=0, num_outputs=2}(float32[5]) !!3 the numbers of parts         asked for three results
 * </pre>
 */
record TypeRuleCase(String line, String use, List<String> operands, List<TensorType> results, int outputs,
  String error) {

  static Stream<DynamicTest> tests(String table) {
    return all(table).map(it -> DynamicTest.dynamicTest(it.line, it::check));
  }

  static Stream<TypeRuleCase> all(String table) {
    return table.lines().filter(line -> !line.isBlank()).map(String::strip).map(TypeRuleCase::parse);
  }

  private static TypeRuleCase parse(String line) {
    int open = line.indexOf('(');
    int close = line.indexOf(')', open);
    List<String> operands = Notation.splitAtCommas(line.substring(open + 1, close));
    String use = line.substring(0, open);
    String rest = line.substring(close + 1).strip();
    if (rest.startsWith("->")) {
      List<TensorType> results = Notation.splitAtCommas(rest.substring(2)).stream().map(Notation::type).toList();
      return new TypeRuleCase(line, use, operands, results, results.size(), "");
    }
    if (!rest.startsWith("!!")) {
      throw new IllegalArgumentException("neither results nor an error: " + line);
    }
    boolean counted = Character.isDigit(rest.charAt(2));
    int outputs = counted ? rest.charAt(2) - '0' : 1;
    return new TypeRuleCase(line, use, operands, List.of(), outputs, rest.substring(counted ? 3 : 2).strip());
  }

  String operator() {
    return use.indexOf('{') < 0 ? use : use.substring(0, use.indexOf('{'));
  }

  boolean succeeds() {
    return error.isEmpty();
  }

  /** A graph of this use alone, with all its results. */
  Graph graph() {
    var fixture = new GraphFixture();
    var reads = new NodeEntry[operands.size()];
    for (int i = 0; i < reads.length; i++) {
      reads[i] = operand(fixture, "in" + i, operands.get(i));
    }
    return fixture.graph(fixture.applyForAll("y", use, outputs, reads).toArray(NodeEntry[]::new));
  }

  void check() {
    Graph graph = graph();
    var inference = new TypeInference(StandardOperators.table(), ValueEvaluator.NONE);
    if (succeeds()) {
      GraphTypes types = inference.infer(graph, GraphFixture.inputTypes(graph));
      assertThat(graph.outputs().stream().map(it -> types.type(it.entry()))).isEqualTo(results);
    } else {
      assertThatThrownBy(() -> inference.infer(graph, GraphFixture.inputTypes(graph)))
        .isInstanceOfSatisfying(InvalidGraph.class, it -> assertThat(it.node()).isEqualTo("y"))
        .hasMessageContaining(error).hasMessageContaining(operator());
    }
  }

  private static NodeEntry operand(GraphFixture fixture, String name, String text) {
    if (text.equals("_")) {
      return Node.absent();
    }
    return text.contains(":") ? fixture.constant(name, Notation.value(text)) : fixture.input(name, text);
  }
}
