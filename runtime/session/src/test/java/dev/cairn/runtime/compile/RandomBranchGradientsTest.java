package dev.cairn.runtime.compile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.ControlFixture;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphFixture;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Gradients, and gradients of gradients, of random programs with an {@code If} in an {@code If}: they are those of the
 * same program that computes both branches and selects with {@code Where}.
 */
class RandomBranchGradientsTest {
  private static final int MOST_DEPTH = 3;
  private static final List<String> BINARY = List.of("Add", "Mul", "Sub");
  private static final List<String> UNARY = List.of("Tanh", "Neg", "Sin", "StopGradient");

  /** What a step computes of earlier values of its scope. */
  private sealed interface Step {
    record Simple(String operator, List<Integer> reads) implements Step {}

    /** @param condition a condition of the scope, or the value below 0.1 that makes one */
    record Choice(boolean isGiven, int condition, List<Integer> captured, Block then,
      Block otherwise) implements Step {}
  }

  /** @param results by number of the value */
  private record Block(List<Step> steps, List<Integer> results) {}

  private static Block block(Random random, int given, int results, int depth) {
    List<Step> steps = new ArrayList<>();
    int values = given;
    for (int count = random.nextInt(1, 5); count > 0; count--) {
      if (depth < MOST_DEPTH && random.nextInt(3) == 0) {
        int of = random.nextInt(1, 3);
        int known = values;
        List<Integer> captured = random.ints(random.nextInt(1, 4), 0, known).boxed().toList();
        steps.add(new Step.Choice(random.nextBoolean(), random.nextBoolean() ? 0 : random.nextInt(2), captured, block(
          random, captured.size(), of, depth + 1), block(random, captured.size(), of, depth + 1)));
        values += of;
      } else {
        boolean isBinary = random.nextBoolean();
        List<String> operators = isBinary ? BINARY : UNARY;
        steps.add(new Step.Simple(operators.get(random.nextInt(operators.size())), random.ints(isBinary ? 2 : 1, 0,
          values).boxed().toList()));
        values++;
      }
    }
    int all = values;
    return new Block(steps, random.ints(results, Math.max(0, all - 4), all).boxed().toList());
  }

  /** Builds the same program with branches, or without. */
  private record Builder(boolean selects, int[] made) {
    private String name() {
      return "n" + made[0]++;
    }

    private NodeEntry apply(String operator, NodeEntry... reads) {
      return Node.apply(name(), operator, Attributes.NONE, List.of(reads)).entry();
    }

    List<NodeEntry> results(Block block, List<NodeEntry> given, List<NodeEntry> conditions) {
      List<NodeEntry> values = new ArrayList<>(given);
      for (Step step : block.steps) {
        switch (step) {
          case Step.Simple(String operator, List<Integer> reads) ->
            values.add(apply(operator, reads.stream().map(values::get).toArray(NodeEntry[]::new)));
          case Step.Choice choice -> values.addAll(chosen(choice, values, conditions));
        }
      }
      return block.results.stream().map(values::get).toList();
    }

    private NodeEntry condition(Step.Choice choice, List<NodeEntry> values, List<NodeEntry> conditions) {
      if (choice.isGiven) {
        return conditions.get(choice.condition);
      }
      NodeEntry greatest = Node.apply(name(), "ReduceMax", Attributes.NONE.with("keepdims", 0), List.of(values.get(
        choice.captured.getFirst()))).entry();
      return apply("Less", greatest, Node.constant(name(), TensorView.ofFloats(Shape.SCALAR, 0.1f)).entry());
    }

    private List<NodeEntry> chosen(Step.Choice choice, List<NodeEntry> values, List<NodeEntry> conditions) {
      NodeEntry condition = condition(choice, values, conditions);
      List<NodeEntry> captured = choice.captured.stream().map(values::get).toList();
      int results = choice.then.results.size();
      if (selects) {
        List<NodeEntry> first = results(choice.then, captured, conditions);
        List<NodeEntry> second = results(choice.otherwise, captured, conditions);
        List<NodeEntry> selected = new ArrayList<>();
        for (int i = 0; i < results; i++) {
          selected.add(apply("Where", condition, first.get(i), second.get(i)));
        }
        return selected;
      }
      List<NodeEntry> operands = new ArrayList<>(List.of(condition));
      operands.addAll(captured);
      operands.addAll(conditions);
      Node node = Node.control(name(), new NodeKind.Branch(body(choice.then, captured.size(),
        conditions.size()), body(choice.otherwise, captured.size(), conditions.size())), operands);
      List<NodeEntry> entries = new ArrayList<>();
      for (int i = 0; i < results; i++) {
        entries.add(node.entry(i));
      }
      return entries;
    }

    private Graph body(Block block, int values, int conditions) {
      var body = new ControlFixture(name());
      List<NodeEntry> given = new ArrayList<>();
      List<NodeEntry> known = new ArrayList<>();
      for (int i = 0; i < values; i++) {
        given.add(body.parameter("v" + i));
      }
      for (int i = 0; i < conditions; i++) {
        known.add(body.parameter("c" + i));
      }
      return body.body(results(block, given, known).toArray(NodeEntry[]::new));
    }
  }

  private static Graph graph(Block block, boolean selects, int order) {
    var fixture = new GraphFixture();
    NodeEntry x = fixture.input("x", "float32[2]");
    List<NodeEntry> values = List.of(x, fixture.input("w", "float32[2]"));
    List<NodeEntry> conditions = List.of(fixture.input("c0", "bool[scalar]"), fixture.input("c1", "bool[scalar]"));
    var builder = new Builder(selects, new int[1]);
    List<NodeEntry> results = builder.results(block, values, conditions);
    NodeEntry y = builder.apply("Add", builder.apply("Mul", x, results.get(0)), builder.apply("Mul", x, x));
    for (int i = 0; i < order; i++) {
      y = builder.apply("Gradient", builder.apply("Add", y, builder.apply("Mul", x, x)), x);
    }
    return fixture.graph(y);
  }

  private static float[] run(Graph graph, boolean first, boolean second) {
    try (Session session = Session.of(graph, SessionOptions.DEFAULT.withThreads(1));
      Tensor x = Tensor.of(new float[] {0.3f, -0.7f}, 2);
      Tensor w = Tensor.of(new float[] {-0.4f, 0.9f}, 2);
      Tensor c0 = Tensor.of(new boolean[] {first});
      Tensor c1 = Tensor.of(new boolean[] {second});
      Result result = session.run(session.info().inputs().keySet().stream().collect(Collectors.toMap(
        it -> it, it -> switch (it) {
          case "x" -> x;
          case "w" -> w;
          case "c0" -> c0;
          default -> c1;
        })))) {
      return result.get(result.names().iterator().next()).toFloatArray();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void areThoseOfBothBranchesAndASelection(int order) {
    check(order, 5);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  @Tag("soak")
  void ofManyProgramsAreThoseOfBothBranchesAndASelection(int order) {
    check(order, 250);
  }

  private static void check(int order, int programs) {
    for (int seed = 0; seed < programs; seed++) {
      Block block = block(new Random(seed), 2, 1, 0);
      for (int given = 0; given < 4; given++) {
        float[] expected = run(graph(block, true, order), given % 2 == 0, given / 2 == 0);
        float[] found = run(graph(block, false, order), given % 2 == 0, given / 2 == 0);
        for (int i = 0; i < expected.length; i++) {
          assertThat(found[i]).as("seed %d given %d", seed, given).isCloseTo(expected[i], within(1e-4f * Math.max(1,
            Math.abs(expected[i]))));
        }
      }
    }
  }
}
