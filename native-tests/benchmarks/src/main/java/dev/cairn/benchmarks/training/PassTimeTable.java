package dev.cairn.benchmarks.training;

import static dev.cairn.benchmarks.harness.MarkdownTable.number;

import dev.cairn.benchmarks.harness.Figure;
import dev.cairn.benchmarks.harness.Goal;
import dev.cairn.benchmarks.harness.MarkdownTable;
import dev.cairn.benchmarks.harness.Sample;
import dev.cairn.benchmarks.harness.Section;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.compile.CompileOptions;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.session.ModelCompiler;
import dev.cairn.runtime.session.SessionOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** N12: how long gradients, types and a plan of a large graph take. */
final class PassTimeTable {
  private static final long ROWS = 4;
  private static final int WIDTH = 8;
  private static final String TEXT = """
    A chain of layers `Tanh(x·w + b)` of three operators each, one loss, and gradients of all weights: milliseconds for
    gradients, types, kernels, lifetimes and the plan, without simplification and without a search for the order. Median
    of the runs behind a first one.""";

  private PassTimeTable() {}

  static Section measured(boolean quick) {
    var table = new MarkdownTable("forward nodes", "nodes with gradients", "ms (spread)", "goal");
    List<Figure> figures = new ArrayList<>();
    for (int nodes : quick ? new int[] {1_000} : new int[] {10_000, 100_000}) {
      Goal goal = Goal.atMost(nodes <= 10_000 ? 100 : 1_500);
      Graph graph = graph(nodes / 3);
      List<Double> millis = new ArrayList<>();
      int after = 0;
      CompileOptions options = CompileOptions.DEFAULT.withSimplify(false).withReorder(false);
      try (ModelCompiler compiler = ModelCompiler.open(SessionOptions.DEFAULT)) {
        for (int run = 0; run < (nodes <= 10_000 ? 12 : 4); run++) {
          long start = System.nanoTime();
          CompiledGraph compiled = compiler.compile(graph, Map.of("x", TensorType.of(DType.FLOAT32, ROWS, WIDTH)),
            options);
          if (run > 0) {
            millis.add((System.nanoTime() - start) / 1e6);
          }
          after = compiled.storage().steps().size();
        }
      }
      Sample sample = Sample.of(millis);
      table.row("%,d".formatted(nodes), "%,d".formatted(after), sample.withSpread(), goal.toString());
      figures.add(Figure.judged("ms-of-%d".formatted(nodes), sample.median(), 0, goal));
      System.err.printf("training         gradients of %d nodes: %s ms%n", nodes, number(0, sample.median()));
    }
    return new Section("Gradients of large graphs", TEXT, table, figures);
  }

  private static Graph graph(int layers) {
    var builder = new GraphBuilder("chain");
    TensorView weight = TensorView.ofFloats(Shape.of(WIDTH, WIDTH), new float[WIDTH * WIDTH]);
    TensorView bias = TensorView.ofFloats(Shape.of(WIDTH), new float[WIDTH]);
    NodeEntry x = builder.input("x", TensorType.of(DType.FLOAT32, ROWS, WIDTH));
    List<NodeEntry> operands = new ArrayList<>();
    for (int i = 0; i < layers; i++) {
      NodeEntry w = builder.variable("w" + i, weight);
      NodeEntry b = builder.variable("b" + i, bias);
      operands.add(w);
      operands.add(b);
      x = builder.apply("Tanh", builder.apply("Add", builder.apply("MatMul", x, w), b));
    }
    operands.addFirst(builder.apply("ReduceSum", Attributes.NONE.with("keepdims", 0), x));
    List<NodeEntry> gradients = builder.applyForAll("Gradient", Attributes.NONE, operands.size() - 1, operands.toArray(
      NodeEntry[]::new));
    for (int i = 0; i < gradients.size(); i++) {
      builder.assign(operands.get(i + 1), gradients.get(i));
    }
    builder.output("loss", operands.getFirst());
    return builder.build();
  }
}
