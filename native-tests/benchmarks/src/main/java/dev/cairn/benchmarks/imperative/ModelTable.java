package dev.cairn.benchmarks.imperative;

import dev.cairn.benchmarks.harness.Figure;
import dev.cairn.benchmarks.harness.Goal;
import dev.cairn.benchmarks.harness.MarkdownTable;
import dev.cairn.benchmarks.harness.Rounds;
import dev.cairn.benchmarks.harness.Section;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.cached.CachedOp;
import dev.cairn.runtime.cached.CachedOpOptions;
import dev.cairn.runtime.engine.EngineOptions;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.ndarray.ArrayOptions;
import dev.cairn.runtime.ndarray.ArrayRuntime;
import dev.cairn.runtime.ndarray.NDArray;
import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.value.Tensor;
import dev.cairn.runtime.zoo.Zoo;
import dev.cairn.runtime.zoo.ZooOptions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.DoubleSupplier;

/** N4: a forward pass of `mlp`, call by call and planned. */
final class ModelTable {
  private static final int WIDTH = 784;
  private static final Goal CALLS = Goal.atMost(3);
  private static final Goal PUSHED = Goal.atMost(1.1);
  private static final String TEXT = """
    Microseconds of a forward pass of `mlp`, batch 1, one thread a kernel: each operator called on arrays; a session run
    with arrays, and a cached function, each one operation of the engine; a session run with tensors. The thread that
    waits for a result runs the operation, unless a thread of the engine was faster. With the naive engine each
    operation runs in the call that pushes it.
    """;

  private ModelTable() {}

  static Section measured(ImperativeEffort effort) {
    Graph graph = Zoo.build("mlp", ZooOptions.DEFAULT.withBatch(1));
    try (Session session = Session.of(graph, SessionOptions.DEFAULT.withThreads(1));
      var arrays = ArrayRuntime.open(ArrayOptions.DEFAULT.withThreads(1));
      var inTheCall = ArrayRuntime.open(ArrayOptions.DEFAULT.withThreads(1).withEngine(EngineOptions.Kind.NAIVE));
      var _ = inTheCall.scope();
      var _ = arrays.scope()) {
      Map<NodeEntry, NDArray> weights = new HashMap<>();
      for (Node node : graph.nodes()) {
        if (node.kind() instanceof NodeKind.Constant(TensorView value)) {
          weights.put(node.entry(), arrays.copyOf(value));
        }
      }
      Node input = graph.inputs().get(0);
      NDArray x = arrays.ones(DType.FLOAT32, 1, WIDTH);
      Tensor tensor = Tensor.of(x.toFloatArray(), 1, WIDTH);
      DoubleSupplier byCalls = micros(effort, () -> {
        try (var _ = arrays.scope()) {
          called(graph, weights, input.entry(), x).waitToRead();
        }
      });
      DoubleSupplier pushed = micros(effort, over(session, arrays, Map.of(input.name(), x)));
      DoubleSupplier naive = micros(effort, over(session, inTheCall, Map.of(input.name(), inTheCall.ones(DType.FLOAT32,
        1, WIDTH))));
      CachedOp op = CachedOp.of(it -> List.of(called(graph, weights, input.entry(), it.get(0))),
        CachedOpOptions.DEFAULT);
      DoubleSupplier cached = micros(effort, () -> {
        try (var _ = arrays.scope()) {
          op.call(x).get(0).waitToRead();
        }
      });
      DoubleSupplier direct = micros(effort, () -> session.run(Map.of(input.name(), tensor)).close());
      Rounds rounds = effort.played(List.of(byCalls, pushed, direct, cached, naive));
      tensor.close();
      op.close();
      return section(rounds);
    }
  }

  private static Runnable over(Session session, ArrayRuntime arrays, Map<String, NDArray> inputs) {
    return () -> {
      try (var _ = arrays.scope()) {
        arrays.run(session, inputs).values().forEach(NDArray::waitToRead);
      }
    };
  }

  private static DoubleSupplier micros(ImperativeEffort effort, Runnable pass) {
    int passes = effort.batches() * 2;
    return () -> {
      long start = System.nanoTime();
      for (int i = 0; i < passes; i++) {
        pass.run();
      }
      return (System.nanoTime() - start) / 1e3 / passes;
    };
  }

  private static NDArray called(Graph graph, Map<NodeEntry, NDArray> weights, NodeEntry input, NDArray x) {
    Map<NodeEntry, NDArray> values = new HashMap<>(weights);
    values.put(input, x);
    for (Node node : graph.nodes()) {
      if (node.kind() instanceof NodeKind.Apply apply) {
        List<NDArray> operands = node.inputs().stream().map(values::get).toList();
        values.put(node.entry(), x.apply(apply.operator(), apply.attributes(), 1, operands).get(0));
      }
    }
    return Objects.requireNonNull(values.get(graph.outputs().get(0).entry()));
  }

  private static Section section(Rounds rounds) {
    var byCalls = Figure.judged("calls/session", rounds.ratios(0, 2).median(), 2, CALLS);
    var pushed = Figure.judged("arrays/session", rounds.ratios(1, 2).median(), 2, PUSHED);
    var cached = Figure.judged("cached/session", rounds.ratios(3, 2).median(), 2, PUSHED);
    var table = new MarkdownTable("N4, forward of mlp", "µs", "session's time (spread)", "goal").row(
      "calls on arrays", MarkdownTable.number(1, rounds.of(0).median()), rounds.ratios(0, 2).withSpread(), CALLS
        .toString())
      .row("session over arrays", MarkdownTable.number(1, rounds.of(1).median()), rounds.ratios(1, 2)
        .withSpread(), PUSHED.toString())
      .row("session over arrays, naive engine", MarkdownTable.number(1, rounds.of(4).median()), rounds.ratios(4, 2)
        .withSpread(), "")
      .row("cached function", MarkdownTable.number(1, rounds.of(3).median()), rounds.ratios(3, 2).withSpread(), PUSHED
        .toString())
      .row("session over tensors", MarkdownTable.number(1, rounds.of(2).median()),
        "1", "");
    return new Section("A model", TEXT, table, List.of(byCalls, pushed, cached));
  }
}
