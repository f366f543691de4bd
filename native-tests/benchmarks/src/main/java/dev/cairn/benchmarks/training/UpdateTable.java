package dev.cairn.benchmarks.training;

import static dev.cairn.benchmarks.harness.MarkdownTable.number;

import dev.cairn.benchmarks.harness.Figure;
import dev.cairn.benchmarks.harness.Goal;
import dev.cairn.benchmarks.harness.MarkdownTable;
import dev.cairn.benchmarks.harness.Rounds;
import dev.cairn.benchmarks.harness.Section;
import dev.cairn.benchmarks.harness.Warmup;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.GraphRewriter;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.PartialType;
import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.symbol.Symbol;
import dev.cairn.runtime.train.optimizer.Optimizer;
import dev.cairn.runtime.train.optimizer.Optimizers;
import dev.cairn.runtime.value.Tensor;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** N11: the update of one parameter by AdamW, beside a copy of as many bytes as it reads and writes. */
final class UpdateTable {
  private static final List<String> VARIABLES = List.of("w", "m", "v");
  /** Gradient, parameter and two states read, the last three written, of 4 bytes each. */
  private static final int BYTES_MOVED = 28;
  private static final Goal OF_COPY = Goal.atMost(1.5);
  private static final int THREADS = 2;
  private static final String TEXT = """
    One parameter's update by AdamW with weight decay, as one graph on two threads; steps are those over all elements.
    Beside it two threads copy 14 bytes for each element, which reads and writes the 28 bytes that the update does.
    Both when the JVM compiles no more. Milliseconds; the ratio of each round, its median.""";

  private UpdateTable() {}

  static Section measured(boolean quick) {
    int elements = quick ? 100_000 : 10_000_000;
    int rounds = quick ? 3 : 15;
    Optimizer adamw = Optimizers.adamW().weightDecay(0.01);
    try (Session session = Session.of(graph(adamw, elements), SessionOptions.DEFAULT.withThreads(THREADS));
      Arena arena = Arena.ofShared()) {
      Map<String, Tensor> inputs = new LinkedHashMap<>();
      Tensor gradient = session.newInput(DType.FLOAT32, elements);
      gradient.segment().fill((byte) 0x3c);
      inputs.put("g", gradient);
      adamw.factors(1).forEach((name, value) -> inputs.put(name, Tensor.of(new float[] {value.floatValue()})));
      long half = (long) elements * BYTES_MOVED / 2 / THREADS;
      List<MemorySegment> from = new ArrayList<>();
      List<MemorySegment> to = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        from.add(arena.allocate(half, 64).fill((byte) 1));
        to.add(arena.allocate(half, 64).fill((byte) 2));
      }
      Warmup.untilCompiled(() -> session.run(inputs).close());
      Rounds played = Rounds.played(rounds, List.of(() -> millis(() -> session.run(inputs).close()), () -> millis(
        () -> copy(from, to))));
      CompiledGraph compiled = session.compiled().orElseThrow();
      long steps = compiled.storage().steps().stream().filter(it -> compiled.types().type(it.entry()).shape()
        .elementCount() > 1).count();
      inputs.values().forEach(Tensor::close);
      return section(elements, steps, played);
    }
  }

  private static Section section(int elements, long steps, Rounds played) {
    var table = new MarkdownTable("parameters", "steps", "update, ms", "copy, ms", "update / copy (spread)").row("%,d"
      .formatted(elements), Long.toString(steps), number(2, played.of(0).median()), number(2, played.of(1).median()),
      played.ratios(0, 1).withSpread());
    return new Section("An update by AdamW", TEXT, table, List.of(Figure.judged("update/copy", played.ratios(0, 1)
      .median(), 2, OF_COPY), Figure.judged("update-steps", (double) steps, 0, Goal.atMost(1))));
  }

  private static double millis(Runnable work) {
    long start = System.nanoTime();
    work.run();
    return (System.nanoTime() - start) / 1e6;
  }

  private static void copy(List<MemorySegment> from, List<MemorySegment> to) {
    List<Thread> threads = new ArrayList<>();
    for (int i = 1; i < from.size(); i++) {
      int part = i;
      threads.add(Thread.ofPlatform().start(() -> to.get(part).copyFrom(from.get(part))));
    }
    to.getFirst().copyFrom(from.getFirst());
    for (Thread thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException(e);
      }
    }
  }

  private static Graph graph(Optimizer optimizer, int elements) {
    TensorType type = TensorType.of(DType.FLOAT32, elements);
    Map<String, Symbol> symbols = new HashMap<>();
    VARIABLES.forEach(it -> symbols.put(it, Symbol.variable(it, PartialType.of(type))));
    symbols.put("g", Symbol.variable("g", PartialType.of(type)));
    Map<String, Symbol> factors = new HashMap<>();
    optimizer.factors(1).keySet().forEach(it -> factors.put(it, Symbol.variable(it, PartialType.of(TensorType.of(
      DType.FLOAT32)))));
    List<Symbol> updated = optimizer.update("w", symbol(symbols, "w"), symbol(symbols, "g"), List.of(symbol(symbols,
      "m"), symbol(symbols, "v")), factors);
    Graph formula = Symbol.group(updated.toArray(Symbol[]::new)).graph();
    var builder = new GraphBuilder("update");
    TensorView zeros = TensorView.ofFloats(Shape.of(elements), new float[elements]);
    Map<Node, NodeEntry> places = new HashMap<>();
    Map<String, NodeEntry> variables = new HashMap<>();
    VARIABLES.forEach(it -> variables.put(it, builder.variable(it, zeros)));
    for (Node input : formula.inputs()) {
      NodeEntry variable = variables.get(input.name());
      places.put(input, variable == null
        ? builder.input(input.name(), input.name().equals("g") ? type : TensorType.of(DType.FLOAT32))
        : variable);
    }
    List<NodeEntry> results = GraphRewriter.substitute(formula.outputs().stream().map(Graph.Output::entry).toList(),
      places);
    for (int i = 0; i < VARIABLES.size(); i++) {
      builder.assign(places(variables, VARIABLES.get(i)), results.get(i));
    }
    return builder.build();
  }

  private static NodeEntry places(Map<String, NodeEntry> variables, String name) {
    return Objects.requireNonNull(variables.get(name));
  }

  private static Symbol symbol(Map<String, Symbol> symbols, String name) {
    return Objects.requireNonNull(symbols.get(name));
  }
}
